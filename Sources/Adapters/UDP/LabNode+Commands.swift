// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// What the domain asks for.
extension LabNode {
    mutating func perform(_ command: TransportCommand, at now: Instant) {
        switch command {
        case .addFriend(let address, let message): add(address, message, command, at: now)
        case .acceptFriend(let peer): accept(peer, command, at: now)
        case .deleteFriend(let peer): delete(peer, at: now)
        case .setName(let name):
            guard name.utf8.count <= Profile.nameBytes else { return fail(command, "too long") }
            profile.name = name
            tellFriends(.name(name), at: now)
        case .setStatusMessage(let message):
            guard message.utf8.count <= Profile.statusMessageBytes else { return fail(command, "too long") }
            profile.statusMessage = message
            tellFriends(.statusMessage(message), at: now)
        case .setAvailability(let availability):
            profile.availability = availability
            tellFriends(.availability(availability), at: now)
        case .sendText(let peer, let text, let token): send(text, to: peer, token: token, command, at: now)
        }
    }

    /// Says goodbye to everyone; nothing follows.
    mutating func leave(at now: Instant) {
        for index in friends.indices { sayGoodbye(index, at: now) }
    }

    private mutating func fail(_ command: TransportCommand, _ reason: String) {
        effects.append(.report(.commandFailed(command, reason: reason)))
    }

    private mutating func add(
        _ address: FriendAddress, _ message: String, _ command: TransportCommand, at now: Instant
    ) {
        guard (1...LabPacket.requestBytes).contains(message.utf8.count) else {
            return fail(command, "a request has 1…\(LabPacket.requestBytes) bytes")
        }
        guard address.peer != identity.peer else { return fail(command, "this is our own address") }
        guard index(of: address.peer) == nil else { return fail(command, "a friend already") }
        befriend(address.peer, at: now)
        friends[friends.count - 1].request = FriendLink.Request(
            address: address, message: message, id: Self.nonce(), nextAttempt: now)
    }

    private mutating func accept(_ peer: PeerID, _ command: TransportCommand, at now: Instant) {
        guard peer != identity.peer else { return fail(command, "this is ourselves") }
        if let index = index(of: peer) {
            friends[index].request = nil
            effects.append(.save)
        } else {
            befriend(peer, at: now)
        }
    }

    private mutating func befriend(_ peer: PeerID, at now: Instant) {
        var link = FriendLink(peer: peer, profile: Profile(), nonce: Self.nonce(), at: now)
        link.learned = requesters.first { $0.peer == peer }?.endpoint
        requesters.removeAll { $0.peer == peer }
        friends.append(link)
        placesChanged()
        effects.append(.save)
    }

    /// Forgets a friend; of a stranger it forgets that they ever asked.
    private mutating func delete(_ peer: PeerID, at now: Instant) {
        requesters.removeAll { $0.peer == peer }
        guard let index = index(of: peer) else { return }
        sayGoodbye(index, at: now)
        if case .searching = friends[index].state {} else { bringDown(index, keepsNonce: false, at: now) }
        friends.remove(at: index)
        placesChanged()
        effects.append(.save)
    }

    /// Twice, since nobody acknowledges it.
    private mutating func sayGoodbye(_ index: Int, at now: Instant) {
        for _ in 0..<2 { transmit(.goodbye, index, at: now) }
    }

    private mutating func tellFriends(_ item: LabItem, at now: Instant) {
        effects.append(.save)
        for index in friends.indices {
            guard var connection = friends[index].connection else { continue }
            connection.stream.offerLatest(item)
            friends[index].state = .up(connection)
            flush(index, at: now)
        }
    }

    private mutating func send(
        _ text: String, to peer: PeerID, token: UInt64, _ command: TransportCommand, at now: Instant
    ) {
        func fail(_ failure: TextFailure) { effects.append(.report(.textFailed(token: token, failure))) }
        guard text.utf8.count <= LabPacket.textBytes else { return fail(.tooLong) }
        guard let index = index(of: peer) else { return fail(.unknownFriend) }
        guard !text.isEmpty else { return self.fail(command, "an empty text cannot be sent") }
        guard var connection = friends[index].connection else { return fail(.notReachable) }
        guard connection.stream.offer(.text(text), token: token) else { return fail(.queueFull) }
        friends[index].state = .up(connection)
        flush(index, at: now)
    }
}
