// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

@Suite struct KeepAliveTests {
    private func judge(_ verdict: KeepAliveExchange.Verdict, _ expected: KeepAliveExchange.Verdict) {
        #expect(verdict == expected)
    }
    private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

    @Test func `the round trip is what passed less what the peer held`() {
        var mine = KeepAliveExchange()
        var theirs = KeepAliveExchange()
        let first = mine.next(at: at(1_000))
        // The peer's clock has an origin of its own.
        judge(theirs.receive(first, at: at(70_030)), .fresh(roundTrip: nil))
        let answer = theirs.next(at: at(70_530))
        judge(mine.receive(answer, at: at(1_560)), .fresh(roundTrip: .milliseconds(60)))
        #expect(mine.roundTrip == .milliseconds(60))
    }

    @Test func `a replayed or older keep-alive does not count`() {
        var mine = KeepAliveExchange()
        var theirs = KeepAliveExchange()
        let (first, second) = (theirs.next(at: at(1)), theirs.next(at: at(2)))
        judge(mine.receive(second, at: at(3)), .fresh(roundTrip: nil))
        judge(mine.receive(second, at: at(4)), .replayed)
        judge(mine.receive(first, at: at(5)), .replayed)
        #expect(mine.replayed == 2)
    }

    @Test(arguments: [
        KeepAlive(counter: 1, sentAt: 5, echo: .max, heldFor: 0), .init(counter: 1, sentAt: 5, echo: 1, heldFor: 0),
        .init(counter: 1, sentAt: 5, echo: UInt64(Int64.max), heldFor: .max),
        .init(counter: 1, sentAt: .max, echo: 1 << 63, heldFor: .max),
    ])
    func `an echo of what was never sent gives no round trip`(hostile: KeepAlive) {
        var mine = KeepAliveExchange()
        _ = mine.next(at: at(1_000))
        judge(mine.receive(hostile, at: at(1_100)), .fresh(roundTrip: nil))
        _ = mine.next(at: at(1_200))
    }

    @Test func `a peer that claims to have held it too long gives a round trip of zero, never less`() {
        var mine = KeepAliveExchange()
        let sent = mine.next(at: at(1_000))
        let answer = KeepAlive(counter: 1, sentAt: 5, echo: sent.sentAt, heldFor: .max)
        judge(mine.receive(answer, at: at(1_100)), .fresh(roundTrip: .zero))
    }
}
