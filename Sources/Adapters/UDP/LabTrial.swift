// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime

/// Puts the parts that read other people's bytes to the test; for fuzzing.
package enum LabTrial {
    /// The identities of a node on trial and of its friend: 32 times this byte.
    package static let ownByte: UInt8 = 1
    package static let friendByte: UInt8 = 2

    /// Savedata, once as it is and once with a header that fits, so that what lies behind the checksum is reached too.
    package static func savedata(_ bytes: [UInt8]) {
        for candidate in [bytes, LabAccount.framed(bytes)] {
            guard let account = try? LabAccount(savedata: candidate) else { continue }
            precondition((try? LabAccount(savedata: account.savedata)) == account, "an account comes back otherwise")
        }
    }

    /// Datagrams from a friend's address, a second apart.
    package static func datagrams(_ datagrams: [[UInt8]]) {
        guard let own = peer(ownByte), let friend = peer(friendByte), let place = Endpoint(literal: "10.0.0.2", port: 9)
        else { preconditionFailure("32 bytes are a peer") }
        let account = LabAccount(
            identity: LabAccount.Identity(peer: own, nospam: 1), friends: [LabAccount.Friend(peer: friend)])
        var now = Instant.zero
        var node = LabNode(account: account, contacts: [LabContact(peer: friend, endpoint: place)], at: now)
        for datagram in datagrams {
            now = now + .seconds(1)
            // The nonces are drawn anew each time: put the one that is asked for where the packet answers one.
            _ = node.received(answering(node.friends.first?.nonce ?? 0, datagram), from: place, at: now)
            _ = node.heard(from: place, at: now)
            node.timerFired(at: now)
            precondition(node.effects.count <= 64, "\(node.effects.count) effects of one datagram")
            node.effects = []
        }
    }

    /// What an honest friend sends, by name; the answered nonce is filled in when the trial runs.
    package static var seeds: [String: [[UInt8]]] {
        guard let own = peer(ownByte), let friend = peer(friendByte) else { return [:] }
        func packet(_ content: LabPacket.Content, sequence: UInt32 = 0) -> [UInt8] {
            var packet = LabPacket(sender: friend, content: content)
            packet.nonce = 9
            packet.answered = .max
            packet.sequence = sequence
            packet.acknowledgement = 4
            return packet.bytes
        }
        let address = FriendAddress(peer: own, nospam: 1)
        let items: [LabItem] = [.name("Bob"), .statusMessage("here"), .availability(.busy), .text("hello")]
        let session =
            [packet(.hello(receiver: own)), packet(.heartbeat)]
            + items.enumerated().map { packet(.item($1), sequence: UInt32($0) + 1) } + [packet(.goodbye)]
        var stranger = LabPacket(sender: friend, content: .request(address, id: 5, message: "friends?")).bytes
        stranger[5] = 3
        return [
            "hello": [packet(.hello(receiver: own))], "heartbeat": [packet(.heartbeat)], "a-whole-session": session,
            "reordered-and-repeated": session.reversed() + session, "a-stranger-asks": [stranger],
            "a-friend-asks": [packet(.request(address, id: 5, message: "friends?"))],
            "request-received": [packet(.requestReceived(id: 5))],
        ]
    }

    /// Savedata with a friend, whole and without its header.
    package static var savedataSeed: (whole: [UInt8], content: [UInt8]) {
        guard let own = peer(ownByte), let friend = peer(friendByte) else { return ([], []) }
        var account = LabAccount(identity: LabAccount.Identity(peer: own, nospam: 1))
        account.friends = [
            LabAccount.Friend(
                peer: friend, profile: Profile(name: "Bob"), endpoint: Endpoint(literal: "10.0.0.2", port: 9),
                request: .init(nospam: 4, message: "hi"))
        ]
        return (account.savedata, Array(account.savedata.dropFirst(LabAccount.headerBytes)))
    }

    private static func peer(_ byte: UInt8) -> PeerID? {
        PeerID(bytes: [UInt8](repeating: byte, count: PeerID.byteCount))
    }

    private static func answering(_ nonce: UInt64, _ datagram: [UInt8]) -> [UInt8] {
        guard datagram.count >= LabPacket.headerBytes, datagram[45] == 0xFF else { return datagram }
        var result = datagram
        result.replaceSubrange(45..<53, with: bigEndian(nonce, 8))
        return result
    }
}
