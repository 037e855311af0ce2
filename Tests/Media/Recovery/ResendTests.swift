// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

/// What a sender sends again, and what it refuses.
@Suite struct ResendTests {
    private static func numbers(of packets: [[UInt8]]) throws -> [UInt16] {
        try packets.map { try header(of: $0).sequenceNumber }
    }

    @Test(arguments: [1, 1_150, 1_151, 5_000, 100_000])
    func `the retransmitted form is RFC 4588's and fits`(bytes: Int) throws {
        let call = VideoCall(recovers: true)
        let originals = call.frame(key: true, bytes: bytes, placeholder: true)
        let again = call.resent(try Self.numbers(of: originals))
        #expect(again.count == originals.count)
        var previous: UInt16?
        for (original, again) in zip(originals, again) {
            #expect(again.count == original.count + 2 && again.count <= 1_188)
            let (first, second) = (try header(of: original), try header(of: again))
            #expect(second.ssrc == 8 && second.payloadType == 98)
            #expect(second.marker == first.marker && second.timestamp == first.timestamp)
            #expect(second.extensions == first.extensions)
            let payload = again[second.payloadRange]
            #expect(Array(payload.prefix(2)) == Array(original[2...3]))
            #expect(Array(payload.dropFirst(2)) == Array(original[first.payloadRange]))
            if let previous { #expect(second.sequenceNumber == previous &+ 1) }
            previous = second.sequenceNumber
        }
    }

    @Test func `a packet is not sent again within a round trip, and after that twice`() throws {
        let call = VideoCall(recovers: true)
        call.sender.measured(roundTrip: .milliseconds(80))
        let number = try #require(try Self.numbers(of: call.frame(key: true)).first)
        var slot = [UInt8](repeating: 0, count: 1_188)
        func copies() -> Int? {
            slot.withUnsafeMutableBytes { call.sender.resend(number, into: $0, at: call.now)?.copies }
        }
        #expect(copies() == 1)
        call.pass(.milliseconds(69))
        #expect(copies() == nil && call.sender.resendStatistics.tooSoon == 1)
        call.pass(.milliseconds(1))
        #expect(copies() == 2)
    }

    @Test func `what was never sent and what is older than a second is not sent`() throws {
        let call = VideoCall(recovers: true)
        let numbers = try Self.numbers(of: call.frame(key: true))
        #expect(call.resent([numbers[0] &+ 1, numbers[0] &- 1]).isEmpty)
        call.pass(.milliseconds(1_000))
        #expect(call.resent(numbers).count == 1)
        call.pass(.milliseconds(1))
        #expect(call.resent(numbers).isEmpty)
        #expect(call.sender.resendStatistics.unknown == 3)
    }

    @Test func `on a long path it is kept for three round trips`() throws {
        let call = VideoCall(recovers: true)
        call.sender.measured(roundTrip: .milliseconds(800))
        let numbers = try Self.numbers(of: call.frame(key: true))
        call.pass(.milliseconds(2_400))
        #expect(call.resent(numbers).count == 1)
    }

    @Test func `what a keyframe made useless is not sent once nobody waits for it`() throws {
        let call = VideoCall(recovers: true)
        call.sender.measured(roundTrip: .milliseconds(50))
        _ = call.frame(key: true)
        let before = try Self.numbers(of: call.frame())
        call.pass(.milliseconds(33))
        let key = try Self.numbers(of: call.frame(key: true))
        call.pass(.milliseconds(160))
        #expect(call.resent(before).count == 1)
        call.pass(.milliseconds(100))
        #expect(call.resent(before).isEmpty && call.resent(key).count == 1)
    }

    @Test func `what was sent before a mute is not sent after it`() throws {
        let call = VideoCall(recovers: true)
        let numbers = try Self.numbers(of: call.frame(key: true))
        call.sender.forgetSent()
        #expect(call.resent(numbers).isEmpty)
    }

    @Test func `a peer that asks for everything all the time gets a bounded share`() throws {
        let call = VideoCall(recovers: true)
        call.sender.measured(roundTrip: .zero)
        var (media, recent) = (0, [UInt16]())
        for _ in 0..<300 {
            let packets = call.frame(key: true, bytes: 12_000)
            media += packets.reduce(0) { $0 + $1.count }
            recent = Array((recent + (try Self.numbers(of: packets))).suffix(60))
            for _ in 0..<33 {
                _ = call.resent(recent)
                call.pass(.milliseconds(1))
            }
        }
        let statistics = call.sender.resendStatistics
        // Half of the stream, the reserve of 256 KB, and 8 KB a second for 10 s.
        #expect(Int(statistics.bytes) <= media / 2 + (256 << 10) + 10 * (8 << 10))
        #expect(statistics.bytes > 0)
        #expect(statistics.overBudget > 0 && statistics.overAsked > 0)
        let answered = statistics.packets + statistics.unknown + statistics.tooSoon + statistics.overBudget
        #expect(answered <= 2 * (2_000 * 11))
    }

    @Test func `after a flood the share recovers`() throws {
        let call = VideoCall(recovers: true)
        call.sender.measured(roundTrip: .zero)
        let numbers = try Self.numbers(of: call.frame(key: true, bytes: 100_000))
        for _ in 0..<10 { _ = call.resent(numbers) }
        #expect(call.sender.resendStatistics.overBudget > 0)
        for _ in 0..<60 {
            _ = call.frame(bytes: 12_000)
            call.pass(.milliseconds(33))
        }
        let fresh = try Self.numbers(of: call.frame(bytes: 100_000))
        #expect(call.resent(fresh).count == fresh.count)
    }

    @Test(arguments: UInt64(1)...4)
    func `requests for any numbers do no harm`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let call = VideoCall(seed: seed, recovers: true)
        for number in 0..<2_000 {
            _ = call.frame(key: number % 40 == 0, bytes: Int.random(in: 1...6_000, using: &generator))
            for packet in call.resent((0..<40).map { _ in UInt16.random(in: .min ... .max, using: &generator) }) {
                call.receive(packet)
            }
            call.pass(.milliseconds(20))
        }
        #expect(call.sender.resendStatistics.unknown > 0)
    }

    @Test func `five keyframe requests in a row are heeded, then two a second`() {
        let call = VideoCall(recovers: true)
        var heeded = 0
        for _ in 0..<10_000 {
            if call.sender.acceptsKeyframeRequest(at: call.now) { heeded += 1 }
            call.pass(.milliseconds(1))
        }
        #expect((24...25).contains(heeded))
        #expect(call.sender.keyframeRequestsRefused == UInt64(10_000 - heeded))
    }
}
