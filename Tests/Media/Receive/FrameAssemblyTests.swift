// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

@Suite struct FrameAssemblyTests {
    @Test(arguments: [1, 1_150, 1_151, 5_000, 17_500, 100_000, 500_000])
    func `a frame of any size comes out as it went in`(bytes: Int) {
        let call = VideoCall()
        call.receive(call.frame(key: true, bytes: bytes, placeholder: true))
        #expect(call.frames.map(\.bytes) == [VideoCall.payload(1, key: true, bytes: bytes)])
        let frame = call.frames.first
        #expect(frame?.isKeyframe == true && frame?.isPlaceholder == true && frame?.captureNTP == 1)
        #expect(frame?.completedAt == call.now)
    }

    @Test func `a frame's packets may come in any order`() {
        let call = VideoCall()
        var generator = SeededGenerator(seed: 8)
        for number in 0..<50 {
            call.receive(call.frame(key: number % 10 == 0, bytes: 9_000).shuffled(using: &generator))
            call.pass(.milliseconds(33))
        }
        #expect(call.numbers == Array(1...50))
        #expect(call.requests.isEmpty)
    }

    @Test func `frames that overtake each other within the wait come out in order`() {
        let call = VideoCall()
        call.receive(call.frame(key: true, bytes: 3_000))
        let late = call.frame(bytes: 3_000)
        let early = call.frame(bytes: 3_000)
        call.receive(early)
        call.pass(.milliseconds(30))
        #expect(call.numbers == [1])
        call.receive(late)
        #expect(call.numbers == [1, 2, 3])
        call.pass(.milliseconds(1_000))
        #expect(call.requests.isEmpty)
    }

    @Test func `a copy of each packet changes nothing`() {
        let call = VideoCall()
        for number in 0..<30 {
            for packet in call.frame(key: number == 0, bytes: 3_000) {
                #expect(call.receive(packet) == .accepted)
                #expect(call.receive(packet) == .duplicate)
            }
            call.pass(.milliseconds(33))
        }
        #expect(call.numbers == Array(1...30))
        #expect(call.receiver.statistics.duplicates == 90)
        #expect(call.receiver.statistics.packetsLost == 0)
    }

    @Test func `a timestamp that rolls over does not merge two frames`() {
        // The second frame's timestamp is 0 on the wire: no value of it means "none".
        let start = VideoCall(timestampOffset: 0).sender.timestamp(at: Instant(nanoseconds: 1_000_000_000))
        let call = VideoCall(timestampOffset: 0 &- start &- 3_000)
        for number in 0..<4 {
            call.receive(call.frame(key: number == 0, bytes: 2_500))
            call.now = Instant(nanoseconds: 1_000_000_000 + Int64(number + 1) * 33_333_334)
        }
        #expect(call.numbers == [1, 2, 3, 4])
        let times = call.frames.map(\.timestamp)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 3_000 })
    }

    @Test func `sequence numbers and picture ids roll over without a hitch`() throws {
        let call = VideoCall(seed: 3)
        var wire: [UInt16] = []
        for number in 0..<34_000 {
            let packets = call.frame(key: number == 0, bytes: 5)
            wire.append(try header(of: packets[0]).sequenceNumber)
            call.receive(packets)
            call.now = call.now + .milliseconds(10)
        }
        #expect(zip(wire, wire.dropFirst()).contains { $0 > $1 })
        #expect(call.frames.count == 34_000)
        #expect(call.requests.isEmpty)
        #expect(call.receiver.statistics.packetsLost == 0)
    }

    @Test func `a frame without a marker ends where the next begins`() {
        let call = VideoCall()
        var packets = call.frame(key: true, bytes: 3_000)
        packets[packets.count - 1][1] &= 0x7F
        call.receive(packets)
        #expect(call.frames.isEmpty)
        call.now = call.now + .milliseconds(33)
        call.receive(call.frame(bytes: 10))
        #expect(call.numbers == [1, 2])
    }

    /// A packet of padding alone in the place of sequence number `after` + 1.
    private static func padding(after packet: [UInt8]) throws -> [UInt8] {
        var parsed = try header(of: packet)
        parsed.sequenceNumber &+= 1
        parsed.marker = false
        parsed.extensions = RTPExtensions()
        var padding = try #require(written { parsed.write(into: $0) })
        padding[0] |= 0x20
        return padding + [0, 0, 0, 4]
    }

    @Test func `packets of padding alone are no frames and no gaps`() throws {
        var generator = SeededGenerator(seed: 1)
        var sender = VideoSendStream(ssrc: 7, timestampOffset: 0, generator: &generator)
        let call = VideoCall()
        var shift: UInt16 = 0
        for number in 0..<20 {
            var payload = pattern(2_500, seed: number)
            payload[0] = number == 0 ? 0 : 1
            let frame = OutgoingVideoFrame(
                codec: .vp8, isKeyframe: number == 0, captureTime: call.now, captureNTP: UInt64(number))
            sender.begin(frame, bytes: payload, at: call.now)
            while var packet = written({ sender.next(into: $0) }) {
                let number = try header(of: packet).sequenceNumber &+ shift
                (packet[2], packet[3]) = (UInt8(number >> 8), UInt8(number & 0xFF))
                call.receive(packet)
                #expect(call.receive(try Self.padding(after: packet)) == .accepted)
                shift &+= 1
            }
            call.pass(.milliseconds(33))
        }
        #expect(call.numbers == Array(0..<20))
        #expect(call.receiver.statistics.paddingOnly == 60)
        #expect(call.receiver.statistics.framesAssembled == 20)
        #expect(call.receiver.statistics.packetsLost == 0 && call.requests.isEmpty)
    }

    @Test func `without picture ids frames follow by packet numbers, over padding too`() throws {
        let call = VideoCall()
        var sequence: UInt16 = 65_530
        func packet(key: Bool) throws -> [UInt8] {
            let head = RTPHeader(
                payloadType: 96, marker: true, sequenceNumber: sequence,
                timestamp: call.sender.timestamp(at: call.now), ssrc: 7)
            return try #require(written { head.write(into: $0) }) + [0x10, key ? 0 : 1, 9]
        }
        for number in 0..<10 {
            let packet = try packet(key: number == 0)
            call.receive(packet)
            call.receive(try Self.padding(after: packet))
            sequence &+= 2
            call.pass(.milliseconds(33))
        }
        #expect(call.frames.count == 10 && call.requests.isEmpty)
        sequence &+= 1
        call.receive(try packet(key: false))
        call.pass(.milliseconds(100))
        #expect(call.frames.count == 10 && !call.requests.isEmpty)
    }

    @Test func `packets of another stream, type or length are told apart and counted`() throws {
        let call = VideoCall()
        let packet = try #require(call.frame(key: true).first)
        var other = packet
        other[11] ^= 1
        #expect(call.receive(other) == .malformed)
        other = packet
        other[1] = 0x80 | 100
        #expect(call.receive(other) == .unknownPayload)
        other[1] = 0x80 | MediaPayload.h264.rawValue
        #expect(call.receive(other) == .unknownPayload)
        #expect(call.receive(packet + [UInt8](repeating: 0, count: 1_500)) == .malformed)
        #expect(call.receive(packet) == .accepted)
        let statistics = call.receiver.statistics
        #expect(statistics.malformed == 2 && statistics.unknownPayload == 2 && statistics.packetsReceived == 1)
    }

    @Test func `every tiny payload is refused or taken, and the stream goes on`() throws {
        for first in UInt8.min...UInt8.max {
            let call = VideoCall()
            let tails: [[UInt8]] = [[], [0xF0], [0xF0, 0x80], [0xF0, 0x80, 1, 2], [0x00]]
            for (offset, tail) in tails.enumerated() {
                let head = RTPHeader(
                    payloadType: 96, marker: true, sequenceNumber: UInt16(offset), timestamp: 5, ssrc: 7)
                let packet = try #require(written { head.write(into: $0) }) + [first] + tail
                call.receive(packet)
            }
            call.receive(call.frame(key: true))
            call.receive(call.frame(key: true))
            call.receive(call.frame(key: true))
            #expect(call.frames.contains { $0.captureNTP == 3 })
        }
    }
}
