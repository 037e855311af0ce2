// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime
import Testing

@testable import RevueTox

/// One pair of real peers, over direct UDP on loopback, shared by every test here: finding each other takes ten seconds.
@Suite(.serialized) struct ToxPairTests {
    private static let shared = Task { try await ToxPair.befriended() }

    private func pair() async throws -> ToxPair {
        let pair = try await Self.shared.value
        try await pair.isConnected(within: 40)
        return pair
    }

    @Test func `a request and its acceptance bring both online over a direct path`() async throws {
        let pair = try await pair()
        #expect(pair.alice.paths(of: pair.bob.id) == .udpDirect)
        #expect(pair.bob.paths(of: pair.alice.id) == .udpDirect)
        #expect(pair.alice.isOnline && pair.bob.isOnline)
    }

    @Test func `a text arrives and its receipt names the token`() async throws {
        let pair = try await pair()
        let longest = String(repeating: "é", count: 686)
        pair.alice.transport.perform(.sendText(pair.bob.id, "Grüße 👋", token: 7))
        pair.alice.transport.perform(.sendText(pair.bob.id, longest, token: 8))
        try await eventually("both receipts", within: 10) {
            pair.alice.recorder.events.contains(.textDelivered(token: 7))
                && pair.alice.recorder.events.contains(.textDelivered(token: 8))
        }
        let texts = pair.bob.recorder.events.filter { if case .text = $0 { true } else { false } }
        #expect(texts == [.text(pair.alice.id, "Grüße 👋"), .text(pair.alice.id, longest)])
    }

    @Test func `what follows a NUL in a text belongs to another client's extension`() async throws {
        let pair = try await pair()
        pair.bob.transport.perform(.sendText(pair.alice.id, "short\0\u{1}\u{2}", token: 9))
        pair.bob.transport.perform(.sendText(pair.alice.id, "\0nothing before it", token: 10))
        try await eventually("both receipts", within: 10) {
            pair.bob.recorder.events.contains(.textDelivered(token: 10))
        }
        #expect(
            pair.alice.recorder.events.filter { if case .text = $0 { true } else { false } } == [
                .text(pair.bob.id, "short")
            ])
        #expect(pair.alice.transport.counters.emptyTexts == 1)
    }

    @Test func `a text that cannot go says why`() async throws {
        let pair = try await pair()
        let stranger = try #require(PeerID(bytes: [UInt8](repeating: 3, count: 32)))
        let tooLong = String(repeating: "x", count: 1_373)
        pair.alice.transport.perform(.sendText(pair.bob.id, tooLong, token: 20))
        pair.alice.transport.perform(.sendText(stranger, "hi", token: 21))
        pair.alice.transport.perform(.sendText(pair.bob.id, "", token: 22))
        try await eventually("three failures", within: 5) {
            let events = pair.alice.recorder.events
            return events.contains(.textFailed(token: 20, .tooLong))
                && events.contains(.textFailed(token: 21, .unknownFriend))
                && events.contains(
                    .commandFailed(.sendText(pair.bob.id, "", token: 22), reason: "the text is empty"))
        }
    }

    @Test func `name, status message and availability reach the friend`() async throws {
        let pair = try await pair()
        pair.alice.transport.perform(.setName("Alice Åström"))
        pair.alice.transport.perform(.setStatusMessage("at the lake\u{0}hidden"))
        pair.alice.transport.perform(.setAvailability(.busy))
        try await eventually("the profile", within: 10) {
            let events = pair.bob.recorder.events
            return events.contains(.name(pair.alice.id, "Alice Åström"))
                && events.contains(.statusMessage(pair.alice.id, "at the lake"))
                && events.contains(.availability(pair.alice.id, .busy))
        }
        try await eventually("savedata is worth saving", within: 10) { pair.bob.recorder.saves > 0 }
        let reason = "too long"
        let name = TransportCommand.setName(String(repeating: "n", count: 129))
        pair.alice.transport.perform(name)
        try await eventually("a long name is refused", within: 5) {
            pair.alice.recorder.events.contains(.commandFailed(name, reason: reason))
        }
    }

    @Test(arguments: [1, 2, 500, 1_187, 1_188])
    func `datagrams of every size go both ways`(size: Int) async throws {
        let pair = try await pair()
        let there = Self.datagram(size, first: 0x52)
        let back = Self.datagram(size, first: 0x80)
        #expect(pair.alice.send(there, to: pair.bob.id))
        #expect(pair.bob.send(back, to: pair.alice.id))
        try await eventually("both arrive", within: 5) {
            pair.bob.recorder.datagrams.contains { $0.bytes == there && $0.peer == pair.alice.id }
                && pair.alice.recorder.datagrams.contains { $0.bytes == back && $0.peer == pair.bob.id }
        }
    }

    @Test func `sizes outside the limits and strangers are refused`() async throws {
        let pair = try await pair()
        let stranger = try #require(PeerID(bytes: [UInt8](repeating: 3, count: 32)))
        #expect(!pair.alice.send([], to: pair.bob.id))
        #expect(!pair.alice.send(Self.datagram(1_189, first: 0x52), to: pair.bob.id))
        #expect(!pair.alice.send([0x52], to: stranger))
    }

    @Test func `a burst keeps its order on a clean loopback`() async throws {
        let pair = try await pair()
        pair.bob.recorder.clearDatagrams()
        var sent = 0
        for round in 0..<20 {
            for index in 0..<100 {
                var bytes = Self.datagram(1_000, first: 0x80)
                (bytes[1], bytes[2]) = (UInt8(round), UInt8(index))
                if pair.alice.send(bytes, to: pair.bob.id) { sent += 1 }
            }
            try await eventually("the round arrives", within: 5) { pair.bob.recorder.datagrams.count == sent }
        }
        #expect(sent == 2_000)
        let order = pair.bob.recorder.datagrams.map { Int($0.bytes[1]) * 100 + Int($0.bytes[2]) }
        #expect(order == Array(0..<2_000))
    }

    @Test func `what lacks a valid start is dropped and counted`() async throws {
        let pair = try await pair()
        pair.bob.recorder.clearDatagrams()
        let before = pair.bob.transport.counters.unknownStarts
        for first in [0, 1, 0x51, 0x53, 127, 192, 255] as [UInt8] { pair.alice.send([first, 1, 2], to: pair.bob.id) }
        for first in [0x52, 128, 191] as [UInt8] { pair.alice.send([first, 1, 2], to: pair.bob.id) }
        try await eventually("the valid ones arrive", within: 5) { pair.bob.recorder.datagrams.count == 3 }
        #expect(pair.bob.recorder.datagrams.map { $0.bytes[0] } == [0x52, 128, 191])
        #expect(pair.bob.transport.counters.unknownStarts - before == 7)
    }

    @Test func `a delegate answers a datagram from its own callback`() async throws {
        let pair = try await pair()
        pair.alice.recorder.clearDatagrams()
        let bob = pair.bob
        bob.recorder.onDatagram.withLock { $0 = { bytes, peer in bob.send(bytes.reversed(), to: peer) } }
        defer { bob.recorder.onDatagram.withLock { $0 = nil } }
        pair.alice.send([0x80, 5, 0x81], to: bob.id)
        try await eventually("the answer", within: 5) {
            pair.alice.recorder.datagrams.map(\.bytes) == [[0x81, 5, 0x80]]
        }
    }

    @Test func `savedata can be asked for from a callback and from other threads at once`() async throws {
        let pair = try await pair()
        let bob = pair.bob
        let seen = Locked<Int>(0)
        bob.recorder.onDatagram.withLock { $0 = { _, _ in seen.withLock { $0 = bob.transport.savedata().count } } }
        defer { bob.recorder.onDatagram.withLock { $0 = nil } }
        pair.alice.send([0x80], to: bob.id)
        let sizes = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { bob.transport.savedata().count } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        try await eventually("the callback's", within: 5) { seen.withLock { $0 } > 0 }
        #expect(sizes.allSatisfy { $0 > SavedataEnvelope.headerBytes })
    }

    @Test func `waking on the socket carries a datagram in a fraction of a millisecond`() async throws {
        let pair = try await pair()
        pair.bob.recorder.clearDatagrams()
        var sent: [Instant] = []
        for index in 0..<200 {
            sent.append(ToxClock.now)
            pair.alice.send([0x80, UInt8(index)] + [UInt8](repeating: 1, count: 998), to: pair.bob.id)
            try await Task.sleep(nanoseconds: 5_000_000)
        }
        try await eventually("all arrive", within: 5) { pair.bob.recorder.datagrams.count == 200 }
        let delays = zip(pair.bob.recorder.datagrams, sent).map { ($0.time - $1).milliseconds }.sorted()
        print("one-way datagram delay: p50 \(delays[100]) ms, p95 \(delays[190]) ms, max \(delays[199]) ms")
        // The loop's own interval would give a median of 25 ms.
        #expect(delays[100] < 5)
    }

    @Test func `a deleted friend sees us go, and one added again needs no second acceptance`() async throws {
        let pair = try await pair()
        pair.alice.transport.perform(.deleteFriend(pair.bob.id))
        try await eventually("both lose the path", within: 10) {
            pair.alice.paths(of: pair.bob.id).isEmpty && pair.bob.paths(of: pair.alice.id).isEmpty
        }
        #expect(!pair.alice.send([0x80], to: pair.bob.id))
        pair.alice.transport.perform(.addFriend(pair.bob.state.address, message: "again"))
        try await pair.isConnected(within: 40)
        pair.alice.send([0x80, 99], to: pair.bob.id)
        try await eventually("datagrams flow again", within: 5) {
            pair.bob.recorder.datagrams.last?.bytes == [0x80, 99]
        }
    }

    private static func datagram(_ size: Int, first: UInt8) -> [UInt8] {
        (0..<size).map { $0 == 0 ? first : UInt8(truncatingIfNeeded: $0 &* 31) }
    }
}

extension ToxRecorder {
    func clearDatagrams() { state.withLock { $0.datagrams = [] } }
}
