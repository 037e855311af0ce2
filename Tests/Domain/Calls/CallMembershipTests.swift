// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

@Suite struct `The clock of a call` {
    private let start = Instant.zero + .seconds(10)
    private var membership: CallMembership {
        CallMembership(call: WireID(high: 1, low: 1), ordinal: 1, accept: nil, at: start)
    }

    @Test func `call time counts milliseconds and stays within its range`() {
        #expect(membership.callTime(at: start) == 0)
        #expect(membership.callTime(at: start + .milliseconds(1_500)) == 1_500)
        #expect(membership.callTime(at: .zero) == 0)
        #expect(membership.callTime(at: .distantFuture) == .max)
    }

    @Test func `a deadline has passed when the sender's clock has certainly passed it`() {
        #expect(!membership.isLate(deadline: 1_000, at: start + .seconds(1)))
        #expect(membership.isLate(deadline: 1_000, at: start + .seconds(1) + .milliseconds(1)))
        #expect(!membership.isLate(deadline: .max, at: .distantFuture))
    }

    @Test func `until the accept is acknowledged nothing is late`() throws {
        var link = ControlLink(nonce: 1, hello: Links.hello)
        let (receipt, _) = try link.send(.goodbye, at: .zero)
        let (other, _) = try link.send(.goodbye, at: .zero)
        var callee = CallMembership(call: WireID(high: 1, low: 1), ordinal: 1, accept: receipt, at: start)
        #expect(!callee.isLate(deadline: 0, at: start + .seconds(100)))
        callee.acknowledged(other, at: start + .seconds(3))
        #expect(!callee.isLate(deadline: 0, at: start + .seconds(100)))
        callee.acknowledged(receipt, at: start + .seconds(5))
        #expect(!callee.isLate(deadline: 1_000, at: start + .seconds(6)))
        #expect(callee.isLate(deadline: 1_000, at: start + .seconds(7)))
    }

    /// Calls that change something cannot stand inside `#expect`.
    private func expect(_ expected: Bool, _ answer: Bool, _ location: SourceLocation = #_sourceLocation) {
        #expect(answer == expected, sourceLocation: location)
    }

    @Test func `each side sends as many resumes as it receives`() {
        var one = membership
        expect(false, one.foundPath(at: start))
        one.lostPath(at: start)
        one.heard(at: start)
        #expect(one.isLost && one.silenceDeadline == nil)
        expect(true, one.foundPath(at: start))
        #expect(one.causeWhenUnknown == .networkLost)
        expect(false, one.receivedResume())
        #expect(one.causeWhenUnknown == .leave)
        expect(true, one.receivedResume())
        one.lostPath(at: start)
        expect(true, one.foundPath(at: start))
        one.heard(at: start + .seconds(1))
        #expect(one.silenceDeadline == start + .seconds(4))
        expect(false, one.receivedResume())
    }
}
