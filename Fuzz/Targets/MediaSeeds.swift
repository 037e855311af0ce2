// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime

/// What an honest sender of media sends.
enum MediaSeeds {
    private static let start = Instant(nanoseconds: 1_000_000_000)

    static func video() -> [String: [UInt8]] {
        let plain = frames(sizes: [3_000, 400, 1_500, 90], usesLayers: false)
        let layered = frames(sizes: [2_000, 300, 300, 300, 300, 300], usesLayers: true)
        return [
            "a-keyframe-and-three-deltas": DatagramScript.input(plain),
            "three-temporal-layers": DatagramScript.input(layered),
            "the-second-packet-lost": DatagramScript.input(plain.enumerated().filter { $0.offset != 1 }.map(\.element)),
            "reordered-and-repeated": DatagramScript.input(Array(plain.reversed()) + plain),
        ]
    }

    private static func frames(sizes: [Int], usesLayers: Bool) -> [[UInt8]] {
        var generator = SeededGenerator(seed: 1)
        var sender = VideoSendStream(ssrc: MediaTrial.videoSSRC, timestampOffset: 1_000, generator: &generator)
        var packets: [[UInt8]] = []
        for (number, size) in sizes.enumerated() {
            var frame = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            frame[0] = number == 0 ? 0x10 : 0x11
            let layer = usesLayers ? [0, 2, 1, 2][number % 4] : 0
            sender.begin(
                OutgoingVideoFrame(
                    codec: .vp8, isKeyframe: number == 0, temporalLayer: layer, isLayerSync: layer == 1,
                    usesLayers: usesLayers, captureTime: start + .milliseconds(33) * Int64(number),
                    captureNTP: UInt64(number) << 32),
                bytes: frame, at: start)
            while let packet = written({ sender.next(into: $0) }) {
                packets.append(packet)
            }
        }
        return packets
    }

    static func audio() -> [String: [UInt8]] {
        var generator = SeededGenerator(seed: 1)
        var sender = AudioSendStream(ssrc: MediaTrial.audioSSRC, timestampOffset: 1_000, generator: &generator)
        let packets = (0..<12).compactMap { number -> [UInt8]? in
            // 0xF8: CELT, fullband, 20 ms, one frame.
            let opus: [UInt8] = [0xF8, 1, 2, UInt8(number)]
            return written { slot in
                opus.withUnsafeBytes {
                    sender.packet(
                        $0, captureTime: start + .milliseconds(20) * Int64(number), captureNTP: 1 << 32, level: 30,
                        isVoice: true, isMuted: number > 8, into: slot)
                }
            }
        }
        return [
            "twelve-packets": DatagramScript.input(packets),
            "every-third-lost": DatagramScript.input(
                packets.enumerated().filter { $0.offset % 3 != 1 }.map(\.element)),
            "reordered-and-repeated": DatagramScript.input(Array(packets.reversed()) + packets, milliseconds: 4),
        ]
    }

    static func rtcp() -> [String: [UInt8]] {
        let info = SenderInfo(ntp: 1 << 32, timestamp: 2, packetCount: 3, octetCount: 4)
        func compound(_ fill: (inout RTCPWriter) -> Void) -> [UInt8] {
            written { slot in
                guard
                    var writer = RTCPWriter(into: slot, ssrc: 1, info: info, reports: [ReportBlock(ssrc: 7)])
                else { return nil }
                fill(&writer)
                return writer.count
            } ?? []
        }
        return [
            "sender-report": compound { _ in },
            "keep-alive": compound { _ = $0.append(KeepAlive(counter: 1, sentAt: 2, echo: 3, heldFor: 4)) },
            "nack": compound { _ = $0.appendGenericNACK(media: 7, missing: [1, 2, 3, 40, 70_000]) },
            "picture-loss": compound { _ = $0.appendPictureLossIndication(media: 7) },
            "full-intra": compound { _ = $0.appendFullIntraRequest([FullIntraEntry(media: 7, commandSequence: 1)]) },
            "goodbye": compound { _ = $0.appendGoodbye() },
        ]
    }

    static func payloads() -> [String: [UInt8]] {
        [
            "vp8-plain": [0x10, 0x10, 1, 2, 3], "vp8-picture-id-7-bit": [0x90, 0x80, 0x05, 0x10],
            "vp8-picture-id-15-bit": [0x90, 0x80, 0x81, 0x05, 0x10],
            "vp8-every-extension": [0x90, 0xF0, 0x81, 0x05, 0x09, 0x60, 0x10], "opus-20-ms": [0xF8, 1, 2, 3],
            "opus-code-3": [0xFB, 0x83, 1, 2, 3],
            "rtp-header": Array(frames(sizes: [40], usesLayers: true)[0].prefix(60)),
        ]
    }

    private static func written(_ write: (UnsafeMutableRawBufferPointer) -> Int?) -> [UInt8]? {
        var slot = [UInt8](repeating: 0, count: 1_188)
        let count = slot.withUnsafeMutableBytes { write($0) }
        return count.map { Array(slot.prefix($0)) }
    }
}
