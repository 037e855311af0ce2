// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime

/// A sender and a receiver of video, and the packets in between as arrays that a test may lose, repeat or reorder.
final class VideoCall {
    var sender: VideoSendStream
    var receiver: VideoReceiveStream
    var now = Instant(nanoseconds: 1_000_000_000)
    var frames: [IncomingVideoFrame] = []
    var requests: [Instant] = []
    /// Packets asked for again: when, and which.
    var asked: [Asked] = []
    private var frameNumber = 0

    struct Asked: Equatable {
        var at: Instant
        var numbers: [UInt16]
    }

    /// - Parameter recovers: whether there is a stream of retransmissions.
    init(seed: UInt64 = 1, timestampOffset: UInt32 = 1_000, recovers: Bool = false) {
        var generator = SeededGenerator(seed: seed)
        let retransmissions: UInt32? = recovers ? 8 : nil
        sender = VideoSendStream(
            ssrc: 7, timestampOffset: timestampOffset, generator: &generator, retransmissionSSRC: retransmissions)
        receiver = VideoReceiveStream(ssrc: 7, retransmissionSSRC: retransmissions)
    }

    /// The packets of a frame captured now. A keyframe's first byte is even, as VP8 has it.
    func frame(
        key: Bool = false, bytes: Int = 100, layer: Int = 0, sync: Bool = false, layers: Bool = false,
        placeholder: Bool = false
    ) -> [[UInt8]] {
        frameNumber += 1
        var payload = pattern(bytes, seed: frameNumber)
        payload[0] = key ? 0x10 : 0x11
        let description = OutgoingVideoFrame(
            codec: .vp8, isKeyframe: key, temporalLayer: layer, isLayerSync: sync, usesLayers: layers, captureTime: now,
            captureNTP: UInt64(frameNumber), isPlaceholder: placeholder)
        sender.begin(description, bytes: payload, at: now)
        var packets: [[UInt8]] = []
        while let packet = written({ sender.next(into: $0) }) {
            packets.append(packet)
        }
        return packets
    }

    /// The bytes that the nth frame had.
    static func payload(_ number: Int, key: Bool, bytes: Int) -> [UInt8] {
        var payload = pattern(bytes, seed: number)
        payload[0] = key ? 0x10 : 0x11
        return payload
    }

    @discardableResult
    func receive(_ packet: [UInt8]) -> PacketVerdict {
        let verdict = packet.withUnsafeBytes { bytes -> PacketVerdict in
            guard let header = try? RTPHeader.parse(bytes) else { return .malformed }
            return receiver.receive(bytes, header: header, at: now)
        }
        drain()
        return verdict
    }

    func measured(roundTrip: Interval) { receiver.measured(roundTrip: roundTrip) }

    /// The packets of these numbers once more, as far as the sender has and allows them.
    func resent(_ numbers: [UInt16]) -> [[UInt8]] {
        numbers.compactMap { number in written { sender.resend(number, into: $0, at: now)?.byteCount } }
    }

    func receive(_ packets: [[UInt8]]) { for packet in packets { receive(packet) } }

    func pass(_ interval: Interval) {
        now = now + interval
        drain()
    }

    private func drain() {
        while let output = receiver.poll(at: now) {
            switch output {
            case .frame(let frame): frames.append(frame)
            case .requestPackets(let numbers):
                asked.append(Asked(at: now, numbers: numbers.map { UInt16(truncatingIfNeeded: $0) }))
            case .requestKeyframe: requests.append(now)
            }
        }
    }

    /// The numbers of the frames handed out, from their capture times.
    var numbers: [Int] { frames.map { Int($0.captureNTP ?? 0) } }
}
