// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

/// How long a frame that can be decoded waits for others before it.
@Suite struct WaitingTests {
    /// A keyframe, a keyframe whose packet is lost, a whole keyframe. The round trip is 50 ms, so the wait 160 ms.
    private static func call() throws -> (call: VideoCall, lost: UInt16) {
        let call = VideoCall(recovers: true)
        call.measured(roundTrip: .milliseconds(50))
        call.receive(call.frame(key: true, bytes: 5_000))
        call.pass(.milliseconds(66))
        var packets = call.frame(key: true, bytes: 5_000)
        let lost = try header(of: packets.remove(at: 2)).sequenceNumber
        call.receive(packets)
        call.pass(.milliseconds(20))
        call.receive(call.frame(key: true, bytes: 5_000))
        return (call, lost)
    }

    @Test func `a keyframe waits for the one before it, and both go out when that comes`() throws {
        let (call, lost) = try Self.call()
        #expect(call.numbers == [1])
        call.pass(.milliseconds(40))
        call.receive(call.resent([lost]))
        #expect(call.numbers == [1, 2, 3] && call.requests.isEmpty)
    }

    @Test func `it waits two round trips and 60 ms from the loss, then goes out alone`() throws {
        let (call, lost) = try Self.call()
        #expect(call.receiver.nextDeadline != nil)
        call.pass(.milliseconds(139))
        #expect(call.numbers == [1])
        call.pass(.milliseconds(1))
        #expect(call.numbers == [1, 3] && call.requests.isEmpty)
        #expect(call.receiver.nextDeadline == nil)
        call.receive(call.resent([lost]))
        #expect(call.numbers == [1, 3] && call.receiver.statistics.late == 1)
    }

    @Test func `nothing is asked for that cannot come before the waiting frame goes out`() throws {
        let (call, _) = try Self.call()
        let missed = call.asked[0].at
        for _ in 0..<500 { call.pass(.milliseconds(1)) }
        // Asked for after 0, 55 and 65, and 110 ms: an answer to a repetition at 120 ms would come too late.
        #expect(call.asked.map { ($0.at - missed).nanoseconds / 1_000_000 } == [0, 55, 65, 110])
    }

    @Test func `the wait is never longer than 400 ms`() throws {
        let call = VideoCall(recovers: true)
        call.measured(roundTrip: .seconds(30 as Int64))
        call.receive(call.frame(key: true))
        _ = call.frame(key: true)
        call.receive(call.frame(key: true))
        call.pass(.milliseconds(399))
        #expect(call.numbers == [1])
        call.pass(.milliseconds(1))
        #expect(call.numbers == [1, 3])
    }

    @Test func `on a path without loss nothing waits`() {
        let call = VideoCall(recovers: true)
        for number in 0..<50 {
            let packets = call.frame(key: number % 3 == 0, bytes: 9_000)
            call.receive(packets)
            #expect(call.frames.count == number + 1)
            call.pass(.milliseconds(33))
        }
        #expect(call.asked.isEmpty)
    }

    @Test func `a stream that waits for its first keyframe shows it at once`() {
        let call = VideoCall(recovers: true)
        call.receive(Array(call.frame(key: true, bytes: 5_000).dropFirst(2)))
        call.receive(call.frame(key: true, bytes: 5_000))
        #expect(call.numbers == [2])
    }

    @Test func `a base-layer frame waits for a lost frame of a higher layer, and goes on without it`() {
        let call = VideoCall(recovers: true)
        call.measured(roundTrip: .milliseconds(50))
        call.receive(call.frame(key: true, layers: true))
        _ = call.frame(layer: 2, sync: true, layers: true)
        call.receive(call.frame(layers: true))
        #expect(call.numbers == [1])
        call.pass(.milliseconds(160))
        #expect(call.numbers == [1, 3] && call.requests.isEmpty)
    }

    @Test func `a repaired loss is still a loss in the report, and no jitter`() throws {
        let (call, lost) = try Self.call()
        call.pass(.milliseconds(40))
        call.receive(call.resent([lost]))
        let report = call.receiver.reportBlock(at: call.now)
        #expect(report.cumulativeLost == 1)
        #expect(call.receiver.statistics.packetsLost == 1)
        #expect(call.receiver.statistics.jitter < .milliseconds(10))
    }

    @Test func `a retransmission of what came, was never sent, or is of another type changes nothing`() throws {
        let (call, lost) = try Self.call()
        let answer = try #require(call.resent([lost]).first)
        var unsent = answer
        let place = try header(of: answer).payloadRange.lowerBound
        (unsent[place], unsent[place + 1]) = (answer[place] ^ 0x40, 0)
        #expect(call.receive(unsent) == .stale)
        var other = answer
        other[1] = MediaPayload.rtxH264.rawValue
        #expect(call.receive(other) == .unknownPayload)
        other[1] = MediaPayload.vp8.rawValue
        #expect(call.receive(other) == .unknownPayload)
        #expect(call.receive(Array(answer.prefix(place + 2))) == .malformed)
        #expect(call.receive(answer) == .accepted)
        #expect(call.receive(answer) == .duplicate)
        #expect(call.numbers == [1, 2, 3])
        #expect(call.receiver.statistics.retransmissionsUseless == 2)
    }
}
