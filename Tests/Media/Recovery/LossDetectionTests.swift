// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

@Suite struct LossDetectionTests {
    private static func number(_ packet: [UInt8]) throws -> UInt16 { try header(of: packet).sequenceNumber }

    /// A call in which a frame's third packet of five is lost.
    private static func callWithLoss(roundTrip: Interval? = nil) throws -> (call: VideoCall, lost: [UInt8]) {
        let call = VideoCall(recovers: true)
        if let roundTrip { call.measured(roundTrip: roundTrip) }
        call.receive(call.frame(key: true))
        var packets = call.frame(bytes: 5_000)
        let lost = packets.remove(at: 2)
        call.receive(packets)
        return (call, lost)
    }

    @Test func `a gap is asked for in the same poll`() throws {
        let (call, lost) = try Self.callWithLoss()
        #expect(call.asked == [.init(at: call.now, numbers: [try Self.number(lost)])])
    }

    @Test func `the answer completes the frame, and nothing more is asked for`() throws {
        let (call, lost) = try Self.callWithLoss()
        call.pass(.milliseconds(60))
        call.receive(call.resent([try Self.number(lost)]))
        #expect(call.numbers == [1, 2])
        #expect(call.frames.last?.bytes == VideoCall.payload(2, key: false, bytes: 5_000))
        #expect(call.receiver.nextDeadline == nil)
        #expect(call.receiver.statistics.packetsRecovered == 1)
    }

    @Test(arguments: [(nil, 105), (20, 25), (50, 55), (200, 205)] as [(Int64?, Int64)])
    func `it is asked for again each round trip, ten times, then twice 10 ms apart unless that is a round trip`(
        roundTrip: Int64?, pause: Int64
    ) throws {
        let (call, _) = try Self.callWithLoss(roundTrip: roundTrip.map { .milliseconds($0) })
        let start = call.now
        for _ in 0..<3_000 { call.pass(.milliseconds(1)) }
        let times = call.asked.map { ($0.at - start).nanoseconds / 1_000_000 }
        let expected = (0..<10).flatMap { round in
            let time = Int64(round) * pause
            return round > 0 && pause > 20 ? [time, time + 10] : [time]
        }
        #expect(times == expected)
        #expect(call.receiver.statistics.packetsAbandoned == 1)
    }

    @Test func `the answer to a first request tells the round trip until it is measured`() throws {
        let (call, lost) = try Self.callWithLoss()
        call.pass(.milliseconds(40))
        call.receive(call.resent([try Self.number(lost)]))
        var packets = call.frame(bytes: 5_000)
        packets.remove(at: 1)
        call.receive(packets)
        let start = call.now
        for _ in 0..<50 { call.pass(.milliseconds(1)) }
        #expect(call.asked.suffix(2).map(\.at) == [start, start + .milliseconds(45)])
    }

    @Test func `a keyframe is asked for when four round trips did not help`() throws {
        let (call, _) = try Self.callWithLoss(roundTrip: .milliseconds(50))
        let start = call.now
        call.receive(call.frame())
        for _ in 0..<310 { call.pass(.milliseconds(1)) }
        #expect(call.requests == [start + .milliseconds(300)])
    }

    @Test func `a copy of the newest packet is no gap`() throws {
        let call = VideoCall(recovers: true)
        let packets = call.frame(key: true, bytes: 3_000)
        call.receive(packets)
        for packet in packets { #expect(call.receive(packet) == .duplicate) }
        #expect(call.asked.isEmpty)
    }

    @Test(arguments: UInt64(1)...8)
    func `whatever is lost is asked for exactly, over the wrap too, and comes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let call = VideoCall(seed: seed, recovers: true)
        var wire: [UInt16] = []
        for number in 0..<7_000 {
            var lost: [UInt16] = []
            let packets = call.frame(key: number == 0, bytes: 12_000)
            for (index, packet) in packets.enumerated() {
                let sequence = try Self.number(packet)
                wire.append(sequence)
                if number > 0, index < packets.count - 1, Int.random(in: 0..<10, using: &generator) == 0 {
                    lost.append(sequence)
                } else {
                    call.receive(packet)
                }
            }
            #expect(call.asked.flatMap(\.numbers) == lost)
            call.asked = []
            call.receive(call.resent(lost))
            call.now = call.now + .milliseconds(33)
        }
        call.pass(.milliseconds(100))
        #expect(zip(wire, wire.dropFirst()).contains { $0 > $1 })
        #expect(call.frames.count == 7_000 && call.requests.isEmpty)
    }

    @Test func `more than a thousand missing packets are not asked for, but a keyframe is, at once`() {
        let call = VideoCall(recovers: true)
        call.receive(call.frame(key: true))
        for _ in 0..<1_001 { _ = call.frame() }
        call.receive(call.frame())
        #expect(call.asked.isEmpty && call.requests == [call.now])
        #expect(call.receiver.statistics.packetsAbandoned == 1_001)
    }

    @Test func `up to five hundred missing packets are all asked for in one poll`() {
        let call = VideoCall(recovers: true)
        call.receive(call.frame(key: true))
        for _ in 0..<500 { _ = call.frame() }
        call.receive(call.frame())
        #expect(call.asked.map(\.numbers.count) == [500])
        #expect(call.requests.isEmpty)
    }

    @Test func `what is further back than the packets that are kept is given up for a keyframe`() throws {
        let (call, _) = try Self.callWithLoss()
        for _ in 0..<520 { call.receive(call.frame()) }
        #expect(call.receiver.statistics.packetsAbandoned == 1)
        #expect(call.requests == [call.now])
    }

    @Test func `packets that overtake each other by less than 10 ms are waited for as long, until calm returns`() {
        let call = VideoCall(recovers: true)
        call.receive(call.frame(key: true))
        /// Two frames, of which the second comes `late` before the first.
        func swap(late: Interval) {
            let first = call.frame()
            call.receive(call.frame())
            call.pass(late)
            call.receive(first)
            call.pass(.milliseconds(20))
        }
        swap(late: .milliseconds(6))
        #expect(call.asked.count == 1)
        swap(late: .milliseconds(5))
        #expect(call.asked.count == 1)
        let (first, start) = (call.frame(), call.now)
        call.receive(call.frame())
        #expect(call.receiver.nextDeadline == start + .milliseconds(6))
        call.receive(first)
        call.now = call.now + .seconds(20 as Int64)
        swap(late: .milliseconds(1))
        #expect(call.asked.count == 2)
    }

    @Test func `packets that come later than that raise no wait`() {
        let call = VideoCall(recovers: true)
        call.receive(call.frame(key: true))
        for round in 1...3 {
            let first = call.frame()
            call.receive(call.frame())
            #expect(call.asked.count == round)
            call.pass(.milliseconds(20))
            call.receive(first)
        }
    }

    @Test func `a sender without a stream of retransmissions is not asked`() {
        let call = VideoCall()
        call.receive(call.frame(key: true))
        call.receive(Array(call.frame(bytes: 5_000).dropFirst()))
        call.pass(.milliseconds(200))
        #expect(call.asked.isEmpty && call.receiver.statistics.packetsRequested == 0)
    }

    @Test func `after a reset nothing before it is asked for`() throws {
        let (call, _) = try Self.callWithLoss()
        call.receiver.reset()
        for _ in 0..<300 { _ = call.frame() }
        call.receive(call.frame(key: true))
        call.pass(.milliseconds(500))
        #expect(call.asked.count == 1 && call.numbers.last == 303)
    }
}
