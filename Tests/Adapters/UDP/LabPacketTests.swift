// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime
import Testing

@testable import RevueUDP

struct LabPacketTests {
    private static let peer = PeerID(bytes: [UInt8](repeating: 5, count: 32))

    private static func samples() throws -> [LabPacket] {
        let peer = try #require(peer)
        let contents: [LabPacket.Content] = [
            .hello(receiver: peer), .heartbeat, .goodbye, .item(.name("")), .item(.name("Åsa")),
            .item(.statusMessage("here")), .item(.availability(.busy)), .item(.text("x")),
            .item(.text(String(repeating: "t", count: 1_372))),
            .request(FriendAddress(peer: peer, nospam: 9), id: 77, message: "hello"), .requestReceived(id: .max),
        ]
        return contents.map { content in
            var packet = LabPacket(sender: peer, content: content)
            packet.nonce = 0x0102_0304_0506_0708
            packet.answered = .max
            packet.sequence = 0xFFFF_FFFF
            packet.acknowledgement = 3
            return packet
        }
    }

    @Test func `every packet reads back as it was written`() throws {
        for packet in try Self.samples() {
            #expect(LabPacket(parsing: packet.bytes) == packet)
            #expect(packet.bytes.withUnsafeBytes { LabPacket.isOwn($0) })
            #expect(packet.bytes.count <= LabPacket.maximumBytes)
        }
    }

    @Test func `a packet cut anywhere is none, or a shorter text`() throws {
        for packet in try Self.samples() {
            let bytes = packet.bytes
            for length in 0..<bytes.count {
                let cut = LabPacket(parsing: Array(bytes.prefix(length)))
                switch (packet.content, cut?.content) {
                case (_, nil): break
                case (.item(let whole), .item(let part)): #expect(whole.kind == part.kind && whole != part)
                case (.request, .request(_, _, let message)): #expect("hello".hasPrefix(message))
                default: Issue.record("\(packet.content) cut to \(length) bytes is \(String(describing: cut))")
                }
            }
        }
    }

    @Test func `no flipped byte traps`() throws {
        for packet in try Self.samples() {
            var bytes = packet.bytes
            for index in bytes.indices.prefix(140) {
                for flip in [0x01, 0x80, 0xFF] as [UInt8] {
                    bytes[index] ^= flip
                    _ = LabPacket(parsing: bytes)
                    bytes[index] ^= flip
                }
            }
        }
    }

    @Test func `texts beyond their limits and invalid UTF-8 are refused`() throws {
        let peer = try #require(Self.peer)
        let refused: [[UInt8]] = [
            [4], [4, 0xFF], [1] + [UInt8](repeating: 65, count: 129), [2] + [UInt8](repeating: 65, count: 1_008),
            [3], [3, 3], [3, 0, 0], [0, 65], [9, 65], [],
        ]
        let header = Array(LabPacket(sender: peer, content: .item(.text("x"))).bytes.prefix(LabPacket.headerBytes))
        for item in refused { #expect(LabPacket(parsing: header + item) == nil, "\(item.prefix(4))") }
    }

    @Test func `the first byte is nobody else's`() {
        let first = LabPacket.magic[0]
        #expect(!(128...191).contains(first) && first != 0x52)
    }
}

struct LabAccountTests {
    private static func sample() throws -> LabAccount {
        var account = LabAccount()
        account.profile = Profile(name: "Åsa", statusMessage: "here", availability: .away)
        let one = try #require(PeerID(bytes: [UInt8](repeating: 1, count: 32)))
        let two = try #require(PeerID(bytes: [UInt8](repeating: 2, count: 32)))
        account.friends = [
            LabAccount.Friend(
                peer: one, profile: Profile(name: "B"), endpoint: Endpoint(literal: "10.0.0.1", port: 99)),
            LabAccount.Friend(peer: two, request: .init(nospam: 4, message: "hi")),
        ]
        return account
    }

    @Test func `an account reads back as it was written`() throws {
        let account = try Self.sample()
        #expect(try LabAccount(savedata: account.savedata) == account)
        #expect(try LabAccount(savedata: LabAccount().savedata).friends.isEmpty)
    }

    @Test func `two new accounts differ`() { #expect(LabAccount().identity != LabAccount().identity) }

    @Test func `savedata cut at any length, or with more behind it, is refused`() throws {
        let bytes = try Self.sample().savedata
        for length in 0..<bytes.count {
            #expect(throws: LabAccount.Damage.self) { try LabAccount(savedata: Array(bytes.prefix(length))) }
        }
        #expect(throws: LabAccount.Damage.self) { try LabAccount(savedata: bytes + [0]) }
    }

    @Test func `any flipped bit is refused`() throws {
        let bytes = try Self.sample().savedata
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: LabAccount.Damage.self, "bit \(bit)") { try LabAccount(savedata: damaged) }
        }
    }
}
