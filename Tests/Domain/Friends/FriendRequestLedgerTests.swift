// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

@Suite struct `Friend requests from strangers` {
    private var ledger = FriendRequestLedger(StoredState())

    private func minute(_ count: Int64) -> Instant { Instant.zero + .seconds(60 * count) }

    @Test mutating func `a repeated request counts attempts and is shown once`() {
        #expect(ledger.received("hi", from: .numbered(1), at: .zero) == .new(message: "hi"))
        #expect(ledger.received("hi", from: .numbered(1), at: .zero) == .repeated)
        #expect(ledger.received("hi", from: .numbered(1), at: .zero) == .repeated)
        #expect(ledger.stored.received.map(\.attempts) == [3])
        #expect(ledger.stored.received.map(\.order) == [1])
    }

    @Test mutating func `a repeated request with another text is shown again`() {
        _ = ledger.received("hi", from: .numbered(1), at: .zero)
        #expect(ledger.received("it's me", from: .numbered(1), at: .zero) == .new(message: "it's me"))
        #expect(ledger.stored.received.map(\.message) == ["it's me"])
    }

    @Test mutating func `attempts stay at the end of their range`() {
        _ = ledger.received("hi", from: .numbered(1), at: .zero)
        var stored = ledger.stored
        stored.received[0].attempts = .max
        ledger = FriendRequestLedger(stored)
        #expect(ledger.received("hi", from: .numbered(1), at: .zero) == .repeated)
        #expect(ledger.stored.received[0].attempts == .max)
    }

    @Test mutating func `ten new requests a minute are taken, the others counted`() {
        for number in 0..<12 { _ = ledger.received("hi", from: .numbered(UInt64(number)), at: .zero) }
        #expect(ledger.stored.received.count == 10)
        #expect(ledger.dropCount == 2)
        #expect(ledger.received("hi", from: .numbered(99), at: minute(1) - .milliseconds(1)) == .dropped)
        #expect(ledger.received("hi", from: .numbered(99), at: minute(1)) == .new(message: "hi"))
    }

    @Test mutating func `changing the text again and again counts as new requests`() {
        for number in 0..<12 { _ = ledger.received("\(number)", from: .numbered(1), at: .zero) }
        #expect(ledger.stored.received.map(\.message) == ["9"])
        #expect(ledger.dropCount == 2)
    }

    @Test mutating func `at most 256 wait: the oldest goes first and is counted`() {
        for number in 0..<260 {
            let outcome = ledger.received("hi", from: .numbered(UInt64(number)), at: minute(Int64(number)))
            #expect(outcome == .new(message: "hi"))
        }
        #expect(ledger.stored.received.count == 256)
        #expect(ledger.stored.received.first?.peer == .numbered(4))
        #expect(ledger.dropCount == 4)
    }

    @Test mutating func `a text is cut at 1,016 bytes without cutting a character, and has no NUL`() {
        let text = "\0" + String(repeating: "€", count: 400)
        #expect(
            ledger.received(text, from: .numbered(1), at: .zero) == .new(message: String(repeating: "€", count: 338)))
    }

    @Test mutating func `requests of ours are bounded too`() {
        for number in 0..<1_030 {
            ledger.sent(
                SentFriendRequest(address: FriendAddress(peer: .numbered(UInt64(number)), nospam: 0), message: "x"))
        }
        #expect(ledger.stored.sent.count == StoredState.sentCapacity)
        #expect(!ledger.hasSent(to: .numbered(0)) && ledger.hasSent(to: .numbered(1_029)))
    }

    @Test func `the session tells what was dropped and stores what waits`() {
        var session = Session(Session.Start(address: Who.alice.address, seed: 1))
        var persisted = 0
        for number in 0..<11 {
            let effects = session.handle(
                .transport(.friendRequest(.numbered(UInt64(number)), message: "hi")), at: .zero)
            persisted += effects.contains(.persist) ? 1 : 0
        }
        #expect(session.droppedFriendRequests == 1)
        #expect(persisted == 10)
        let next = Session(
            Session.Start(
                address: Who.alice.address, stored: StoredState(decoding: session.stored.encoded()) ?? StoredState(),
                seed: 2))
        #expect(next.friendRequests == session.friendRequests)
    }
}
