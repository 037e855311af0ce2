// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime
import Testing

@testable import RevueUDP

struct LabNodeTests {
    @Test func `friends find each other through an address that names nobody`() throws {
        var pair = try NodePair()
        pair.befriend()
        #expect(pair.events[0].contains(.paths(pair.id(1), .udpDirect)))
        #expect(pair.events[1].contains(.paths(pair.id(0), .udpDirect)))
        #expect(pair.nodes[0].routes == [pair.id(1): pair.endpoints[1]])
    }

    @Test func `a request is reported once however often it comes, and again when it is made again`() throws {
        var pair = try NodePair()
        pair.carries = { from, _ in from == 0 }  // nothing comes back: the request is repeated
        let address = pair.nodes[1].identity.address
        pair.perform(.addFriend(address, message: "hi"), on: 0)
        pair.pass(.seconds(5))
        #expect(pair.count(.friendRequest(pair.id(0), message: "hi"), 1) == 1)
        pair.carries = { _, _ in true }
        pair.pass(.seconds(3))
        pair.perform(.deleteFriend(pair.id(1)), on: 0)
        pair.perform(.addFriend(address, message: "hi"), on: 0)
        pair.pass(.seconds(3))
        #expect(pair.count(.friendRequest(pair.id(0), message: "hi"), 1) == 2)
        let requests = pair.sent.filter { if case .request = $0.packet.content { true } else { false } }.count
        pair.pass(.seconds(30))
        let later = pair.sent.filter { if case .request = $0.packet.content { true } else { false } }.count
        #expect(later == requests)
    }

    @Test func `a request to an outdated address is silent`() throws {
        var pair = try NodePair()
        let address = FriendAddress(peer: pair.id(1), nospam: pair.nodes[1].identity.nospam &+ 1)
        pair.perform(.addFriend(address, message: "hi"), on: 0)
        pair.pass(.seconds(5))
        #expect(pair.events[1].isEmpty)
    }

    @Test func `requests that cross make friends without an acceptance`() throws {
        var pair = try NodePair()
        for index in [0, 1] {
            pair.perform(.addFriend(pair.nodes[1 - index].identity.address, message: "hi"), on: index)
        }
        pair.pass(.seconds(2))
        #expect(pair.sees(0) && pair.sees(1))
        #expect(pair.nodes[0].account.friends.first?.request == nil)
    }

    @Test func `texts survive a lossy wire in order, once each`() throws {
        var pair = try NodePair()
        pair.befriend()
        var generator = SeededGenerator(seed: 3)
        let lossy = LossyWire(seed: generator.next())
        pair.carries = { _, _ in lossy.carries() }
        for number in 0..<100 { pair.perform(.sendText(pair.id(1), "\(number)", token: UInt64(number)), on: 0) }
        pair.pass(.seconds(60))
        let texts = pair.events[1].compactMap { if case .text(_, let text) = $0 { text } else { nil } }
        let receipts = pair.events[0].compactMap { if case .textDelivered(let token) = $0 { token } else { nil } }
        #expect(texts == (0..<100).map { "\($0)" })
        #expect(receipts == (0..<100).map { UInt64($0) })
    }

    @Test func `silence ends the path, then the texts, and a wire that works again brings all back`() throws {
        var pair = try NodePair()
        pair.befriend()
        pair.carries = { _, _ in false }
        pair.perform(.sendText(pair.id(1), "lost", token: 9), on: 0)
        pair.pass(.seconds(6))
        let tail = Array(pair.events[0].suffix(2))
        #expect(tail == [.paths(pair.id(1), []), .textFailed(token: 9, .notReachable)])
        #expect(pair.events[1].last == .paths(pair.id(0), []))
        pair.perform(.sendText(pair.id(1), "no", token: 10), on: 0)
        #expect(pair.events[0].last == .textFailed(token: 10, .notReachable))
        pair.carries = { _, _ in true }
        pair.pass(.seconds(2))
        #expect(pair.sees(0) && pair.sees(1))
        pair.perform(.sendText(pair.id(1), "again", token: 11), on: 0)
        #expect(pair.events[0].last == .textDelivered(token: 11))
        #expect(!pair.events[1].contains(.text(pair.id(0), "lost")))
    }

    @Test func `a wire that is dead one way ends both sides' path and heals without flapping`() throws {
        var pair = try NodePair()
        pair.befriend()
        pair.carries = { from, _ in from == 1 }
        pair.pass(.seconds(30))
        #expect(!pair.sees(0) && !pair.sees(1))
        pair.carries = { _, _ in true }
        pair.pass(.seconds(3))
        let settled = pair.events.map(\.count)
        pair.pass(.seconds(60))
        #expect(pair.sees(0) && pair.sees(1))
        #expect(pair.events.map(\.count) == settled)
    }

    @Test func `a restart is a lost path and a new one, and late packets of the old run are nothing`() throws {
        var pair = try NodePair()
        pair.befriend()
        let old = pair.sent.filter { $0.from == 1 }.map(\.packet)
        pair.nodes[1] = LabNode(
            account: pair.nodes[1].account, contacts: [LabContact(peer: nil, endpoint: pair.endpoints[0])], at: pair.now
        )
        pair.pass(.seconds(2))
        let paths = pair.events[0].filter { if case .paths = $0 { true } else { false } }
        #expect(paths == [.udpDirect, [], .udpDirect].map { .paths(pair.id(1), $0) })
        let before = pair.events[0].count
        for packet in old { _ = pair.nodes[0].received(packet.bytes, from: pair.endpoints[1], at: pair.now) }
        pair.settle()
        #expect(pair.events[0].count == before)
        #expect(pair.sees(0) && pair.sees(1))
    }

    @Test func `a goodbye ends the path at once, a late one of an earlier link does not`() throws {
        var pair = try NodePair()
        pair.befriend()
        pair.nodes[1].leave(at: pair.now)
        let goodbyes = pair.nodes[1].effects
        pair.settle()
        #expect(!pair.sees(0))
        pair.pass(.seconds(12))
        #expect(pair.sees(0) && pair.sees(1))
        for case .transmit(let packet, _) in goodbyes {
            let isTaken = pair.nodes[0].received(packet.bytes, from: pair.endpoints[1], at: pair.now)
            #expect(!isTaken)
        }
        #expect(pair.sees(0))
    }

    @Test func `whoever merely claims to be a friend gets a hello and nothing else`() throws {
        var pair = try NodePair()
        pair.befriend()
        let thief = try #require(Endpoint(literal: "10.0.0.66", port: 6))
        for content in [LabPacket.Content.heartbeat, .goodbye, .item(.text("forged"))] {
            var forged = LabPacket(sender: pair.id(1), content: content)
            forged.nonce = 1234
            forged.answered = 99
            forged.sequence = 4
            let isTaken = pair.nodes[0].received(forged.bytes, from: thief, at: pair.now)
            #expect(!isTaken)
        }
        #expect(pair.nodes[0].effects.isEmpty)
        var hello = LabPacket(sender: pair.id(1), content: .hello(receiver: pair.id(0)))
        hello.nonce = 1234
        let isAnswered = pair.nodes[0].received(hello.bytes, from: thief, at: pair.now)
        #expect(isAnswered)
        #expect(pair.nodes[0].effects.count == 1)
        #expect(pair.nodes[0].routes == [pair.id(1): pair.endpoints[1]])
    }

    @Test func `too many texts at once are refused, and the newest profile is what arrives`() throws {
        var pair = try NodePair()
        pair.befriend()
        pair.carries = { _, _ in false }
        for number in 0...UInt64(ItemStream.capacity) { pair.perform(.sendText(pair.id(1), "x", token: number), on: 0) }
        #expect(pair.events[0].last == .textFailed(token: UInt64(ItemStream.capacity), .queueFull))
        for number in 0..<50 { pair.perform(.setName("name \(number)"), on: 0) }
        pair.carries = { _, _ in true }
        pair.pass(.seconds(3))
        let names = pair.events[1].compactMap { if case .name(_, let name) = $0 { name } else { nil } }
        #expect(names == ["name 49"])
    }

    @Test func `a deleted friend is not found again, and one who asks again is`() throws {
        var pair = try NodePair()
        pair.befriend()
        pair.perform(.deleteFriend(pair.id(1)), on: 0)
        #expect(pair.events[1].last == .paths(pair.id(0), []))
        pair.pass(.seconds(10))
        #expect(pair.events[1].last == .paths(pair.id(0), []))
        #expect(pair.nodes[0].routes.isEmpty)
        pair.perform(.addFriend(pair.nodes[1].identity.address, message: "again"), on: 0)
        pair.pass(.seconds(3))
        #expect(pair.sees(0) && pair.sees(1))
    }
}

/// Loses three packets in ten.
private final class LossyWire {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    func carries() -> Bool { UInt8.random(in: 0..<10, using: &generator) >= 3 }
}
