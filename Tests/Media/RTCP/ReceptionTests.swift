// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

@Suite struct ReceptionTests {
    final class Rig {
        var tracker = ReceptionTracker(ssrc: 4, clock: .video)
        var now = Instant(nanoseconds: 5_000_000_000)

        func report(at instant: Instant) -> ReportBlock { tracker.reportBlock(at: instant) }

        @discardableResult
        func receive(_ sequence: UInt16, timestamp: UInt32 = 0) -> ReceptionTracker.Arrival {
            let header = RTPHeader(
                payloadType: 96, marker: false, sequenceNumber: sequence, timestamp: timestamp, ssrc: 4)
            return tracker.receive(header, at: now)
        }
    }

    @Test func `a copy of the highest number is no gap of 65535`() {
        let rig = Rig()
        rig.receive(10)
        #expect(rig.receive(10) == .duplicate)
        rig.receive(11)
        #expect(rig.tracker.packetsLost == 0)
        #expect(rig.tracker.packetsReceived == 2 && rig.tracker.duplicates == 1)
    }

    @Test func `the rollover of the sequence number loses nothing`() {
        let rig = Rig()
        for step in 0..<200_000 { rig.receive(65_000 &+ UInt16(truncatingIfNeeded: step)) }
        #expect(rig.tracker.packetsLost == 0)
        #expect(rig.report(at: rig.now).highestSequence == 65_000 + 199_999)
    }

    @Test func `a reordered packet is received, once, and no loss`() {
        let rig = Rig()
        for sequence: UInt16 in [65_534, 1, 65_535, 0, 65_535] { rig.receive(sequence) }
        #expect(rig.tracker.packetsLost == 0)
        #expect(rig.tracker.reordered == 2 && rig.tracker.duplicates == 1)
    }

    @Test func `a report tells the share lost since the one before`() {
        let rig = Rig()
        for sequence in UInt16(0)..<100 where sequence % 4 != 3 { rig.receive(sequence) }
        rig.receive(100)
        let first = rig.report(at: rig.now)
        #expect(first.cumulativeLost == 25)
        #expect(first.fractionLost == UInt8(25 * 256 / 101))
        for sequence in UInt16(101)..<200 { rig.receive(sequence) }
        let second = rig.report(at: rig.now)
        #expect(second.fractionLost == 0 && second.cumulativeLost == 25)
    }

    @Test func `a stray is not believed, two in a row are a new start`() {
        let rig = Rig()
        for sequence in UInt16(0)..<50 where sequence % 5 != 2 { rig.receive(sequence) }
        #expect(rig.receive(40_000) == .stale)
        #expect(rig.receive(50) == .new(sequence: 50, timestamp: 0))
        #expect(rig.receive(40_001) == .stale)
        guard case .restarted(let number, _) = rig.receive(40_002) else {
            Issue.record("the second in a row was not taken for a new start")
            return
        }
        #expect(number > 50 && UInt16(truncatingIfNeeded: number) == 40_002)
        #expect(rig.receive(40_003) == .new(sequence: number + 1, timestamp: 0))
        // What was lost before stays lost, and the leap itself loses nothing.
        #expect(rig.tracker.packetsLost == 10)
    }

    @Test func `a sender that starts anew far behind is followed upwards`() {
        let rig = Rig()
        rig.receive(60_000)
        rig.receive(1_000 &+ 30_000)
        guard case .restarted(let number, _) = rig.receive(31_001) else {
            Issue.record("no new start")
            return
        }
        #expect(number > 60_000)
    }

    @Test func `even arrivals have no jitter and uneven ones as RFC 3550 counts it`() {
        let rig = Rig()
        for step in 0..<100 {
            rig.receive(UInt16(step), timestamp: UInt32(step) * 3_000)
            rig.now = rig.now + Interval(nanoseconds: 33_333_333)
        }
        #expect(rig.tracker.jitter < .microseconds(50))
        for step in 100..<600 {
            rig.receive(UInt16(step), timestamp: UInt32(step) * 3_000)
            rig.now = rig.now + .milliseconds(step % 2 == 0 ? 23 : 43) + .microseconds(333)
        }
        // |D| is 10 ms each time, which the running average reaches from below.
        #expect(rig.tracker.jitter > .milliseconds(9) && rig.tracker.jitter <= .milliseconds(10))
    }

    @Test func `a jump of the timestamp or a pause is no jitter`() {
        let rig = Rig()
        rig.receive(0, timestamp: 0)
        rig.receive(1, timestamp: 0x4000_0000)
        #expect(rig.tracker.jitter == .zero)
        rig.tracker.paused()
        rig.now = rig.now + .milliseconds(3_000)
        rig.receive(2, timestamp: 0x4000_0000)
        #expect(rig.tracker.jitter == .zero)
    }

    @Test func `the last sender report and the delay since are told, and saturate`() {
        let rig = Rig()
        rig.receive(0)
        #expect(rig.report(at: rig.now).lastSenderReport == 0)
        let info = SenderInfo(ntp: 0x1111_2222_3333_4444, timestamp: 0, packetCount: 0, octetCount: 0)
        rig.tracker.received(info, at: rig.now)
        let soon = rig.report(at: rig.now + .milliseconds(500))
        #expect(soon.lastSenderReport == 0x2222_3333 && soon.delaySinceLastSenderReport == 32_768)
        #expect(rig.report(at: .zero).delaySinceLastSenderReport == 0)
        #expect(rig.report(at: .distantFuture).delaySinceLastSenderReport > 0)
    }
}
