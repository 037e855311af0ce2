// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

@Suite struct VideoSendTests {
    @Test(arguments: [1, 2, 1_149, 1_150, 1_151, 2_300, 2_301, 17_500, 100_000])
    func `each packet fits in its retransmitted form and fragments are equal`(bytes: Int) throws {
        let call = VideoCall()
        let packets = call.frame(key: true, bytes: bytes)
        var shares: [Int] = []
        for packet in packets {
            #expect(packet.count + 2 <= 1_188)
            shares.append(try header(of: packet).payloadRange.count - 4)
        }
        let (least, most) = (try #require(shares.min()), try #require(shares.max()))
        #expect(most - least <= 1)
        #expect(shares.reduce(0, +) == bytes)
        #expect(packets.count == (bytes + 1_149) / 1_150)
    }

    @Test(arguments: [128, 500, 1_188])
    func `room is left for the transport-wide number that is added later`(maximum: Int) throws {
        var generator = SeededGenerator(seed: 1)
        var sender = VideoSendStream(ssrc: 1, timestampOffset: 0, generator: &generator, maximumPacketBytes: maximum)
        let frame = OutgoingVideoFrame(
            codec: .vp8, isKeyframe: true, usesLayers: true, captureTime: .zero, captureNTP: 1)
        sender.begin(frame, bytes: pattern(5_000), at: .zero)
        while let packet = written({ sender.next(into: $0) }) {
            let parsed = try header(of: packet)
            var extended = parsed
            extended.extensions.transportSequence = 1
            let head = try #require(written { extended.write(into: $0) })
            #expect(head.count + parsed.payloadRange.count + 2 <= maximum)
        }
        #expect(sender.framesSent == 1)
    }

    @Test func `the marker is on the last packet, start and capture time on the first`() throws {
        let call = VideoCall()
        let packets = call.frame(key: true, bytes: 4_000, placeholder: true)
        for (index, packet) in packets.enumerated() {
            let parsed = try header(of: packet)
            let descriptor = try #require(
                packet.withUnsafeBytes { bytes in parsed.payload(of: bytes).flatMap { VP8Descriptor.parse($0) } })
            #expect(parsed.marker == (index == packets.count - 1))
            #expect(descriptor.isFrameStart == (index == 0))
            #expect(parsed.extensions.absoluteCaptureTime == (index == 0 ? 1 : nil))
            #expect(parsed.extensions.isMuted == (index == 0 ? true : nil))
            #expect(descriptor.pictureID?.width == .long)
        }
    }

    @Test func `picture ids go on by one, and base-layer indexes with the base layer`() throws {
        let call = VideoCall()
        var previous: VP8Descriptor?
        for (index, layer) in [0, 2, 1, 2, 0, 2, 1, 2].enumerated() {
            let packet = try #require(call.frame(key: index == 0, layer: layer, sync: true, layers: true).first)
            let parsed = try header(of: packet)
            let descriptor = try #require(
                packet.withUnsafeBytes { bytes in parsed.payload(of: bytes).flatMap { VP8Descriptor.parse($0) } })
            #expect(descriptor.layer == VP8Descriptor.Layer(temporal: UInt8(layer), isSync: true))
            if let previous, let id = previous.pictureID, let index = previous.baseIndex {
                #expect(descriptor.pictureID?.value == (id.value + 1) & 0x7FFF)
                #expect(descriptor.baseIndex == (layer == 0 ? index &+ 1 : index))
            }
            previous = descriptor
        }
    }

    @Test(arguments: [Int64(0), 1_000_000_000, 3_600_000_000_000, 172_800_000_000_000])
    func `the timestamp is the capture time at 90 kHz`(time: Int64) {
        var generator = SeededGenerator(seed: 1)
        let sender = VideoSendStream(ssrc: 1, timestampOffset: .max - 10, generator: &generator)
        let expected = (UInt32.max - 10) &+ UInt32(truncatingIfNeeded: time / 100_000 * 9)
        #expect(sender.timestamp(at: Instant(nanoseconds: time)) == expected)
    }

    @Test func `the figures count whole frames, packets and payload`() {
        let call = VideoCall()
        let packets = call.frame(key: true, bytes: 3_000) + call.frame(bytes: 10)
        #expect(call.sender.packetsSent == UInt32(packets.count))
        #expect(call.sender.framesSent == 2 && call.sender.keyframesSent == 1)
        #expect(call.sender.payloadBytesSent == UInt64(3_010 + 4 * packets.count))
        let info = call.sender.senderInfo(at: call.now, ntp: 8)
        #expect(info.packetCount == 4 && info.octetCount == 3_026 && info.ntp == 8)
        #expect(info.timestamp == call.sender.timestamp(at: call.now))
    }

    @Test func `a small slot, an empty frame and H264 are refused and counted, and the next frame goes well`() {
        var generator = SeededGenerator(seed: 1)
        var sender = VideoSendStream(ssrc: 1, timestampOffset: 0, generator: &generator)
        let frame = OutgoingVideoFrame(codec: .vp8, isKeyframe: true, captureTime: .zero, captureNTP: 1)
        var other = frame
        other.codec = .h264
        func next(capacity: Int = 1_188) -> Int? { written(capacity: capacity) { sender.next(into: $0) }?.count }
        #expect(next() == nil)
        sender.begin(other, bytes: pattern(10), at: .zero)
        #expect(next() == nil)
        sender.begin(frame, bytes: [], at: .zero)
        #expect(next() == nil)
        #expect(sender.framesRefused == 2)
        sender.begin(frame, bytes: pattern(10), at: .zero)
        #expect(next(capacity: 20) == nil)
        sender.begin(frame, bytes: pattern(10), at: .zero)
        sender.begin(frame, bytes: pattern(10), at: .zero)
        #expect(sender.framesAbandoned == 2)
        #expect(next() != nil && next() == nil)
        #expect(sender.framesSent == 1)
    }
}

@Suite struct KeyframeDemandTests {
    /// A demand behind a reference, so that an expectation can contain a question to it.
    private final class Rig {
        var demand = KeyframeDemand()
        func takes(at milliseconds: Int64) -> Bool { demand.takesForcedKeyframe(at: at(milliseconds)) }
        func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }
    }

    @Test func `any number of requests make one keyframe`() {
        let rig = Rig()
        for _ in 0..<64 { rig.demand.requested() }
        #expect(rig.takes(at: 0))
        #expect(!rig.takes(at: 1_000))
        #expect(rig.demand.requests == 64 && rig.demand.forced == 1)
    }

    @Test func `a storm of requests forces one keyframe each 300 ms and no more`() {
        let rig = Rig()
        for millisecond in Int64(0)..<3_000 {
            rig.demand.requested()
            _ = rig.takes(at: millisecond)
        }
        #expect(rig.demand.forced == 10)
    }

    @Test func `a request within the floor is kept, and a keyframe sent anyway answers it`() {
        let rig = Rig()
        rig.demand.keyframeSent(at: rig.at(0))
        rig.demand.requested()
        #expect(!rig.takes(at: 299))
        #expect(rig.takes(at: 300))
        rig.demand.requested()
        rig.demand.keyframeSent(at: rig.at(400))
        #expect(!rig.takes(at: 2_000))
    }
}
