// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueOpus
import RevuePorts
import RevueTime
import Testing

@Suite struct `Opus loss` {
    private let factory = OpusCodecFactory()

    /// Whether a mono packet of one SILK or hybrid frame carries the one before it: the second bit of its payload, which
    /// the range coder leaves readable (RFC 6716 section 4.2.4).
    private func hasRedundancy(_ packet: [UInt8]) -> Bool {
        packet.count > 2 && packet[0] & 0x80 == 0 && packet[1] & 0x40 != 0
    }

    @Test(arguments: [0, 1, 5, 10, 20], [24_000, 32_000])
    func `every voiced packet carries the one before it when told to, whatever loss is expected`(
        loss: Int, bitrate: Int
    ) throws {
        let encoder = try factory.makeEncoder(
            AudioEncoderSettings(bitrate: bitrate, forwardErrorCorrection: true, expectedLossPercent: loss))
        let packets = try encoder.encodeAll(TestTone.voice(seconds: 2)).dropFirst(10)
        #expect(Double(packets.filter(hasRedundancy).count) / Double(packets.count) > 0.6)
    }

    @Test func `no packet carries another when not told to`() throws {
        let encoder = try factory.makeEncoder(
            AudioEncoderSettings(forwardErrorCorrection: false, expectedLossPercent: 20))
        let packets = try encoder.encodeAll(TestTone.voice(seconds: 1))
        #expect(packets.allSatisfy { !hasRedundancy($0) })
    }

    @Test func `redundancy restores lost frames better than concealment does`() throws {
        let voice = TestTone.voice(seconds: 4)
        let encoder = try factory.makeEncoder(AudioEncoderSettings(bitrate: 32_000, expectedLossPercent: 20))
        let packets = try encoder.encodeAll(voice)
        let whole = try restore(packets) { _, _ in nil }
        let byPacket = try restore(packets) { index, next in index % 5 == 4 ? .lostBefore(next) : nil }
        let madeUp = try restore(packets) { index, _ in index % 5 == 4 ? .lost : nil }
        #expect(byPacket.count == whole.count && madeUp.count == whole.count)
        func ratio(_ samples: [Float]) -> Double {
            var sums = (restored: 0.0, frames: 0.0)
            for index in stride(from: 9, to: packets.count - 1, by: 5) {
                let range = (index * 960)..<((index + 1) * 960)
                sums.restored += TestTone.ratio(samples[range], against: whole[range])
                sums.frames += 1
            }
            return sums.restored / sums.frames
        }
        #expect(ratio(byPacket) > ratio(madeUp) + 3)
        #expect(ratio(byPacket) > 5)
    }

    @Test func `what is lost is made up in full frames, and fades`() throws {
        let encoder = try factory.makeEncoder(AudioEncoderSettings(bitrate: 32_000))
        let decoder = try factory.makeDecoder(channels: 1)
        for packet in try encoder.encodeAll(TestTone.sine(300, seconds: 0.4)) {
            _ = try decoder.decode(.packet(packet))
        }
        var levels: [Double] = []
        for _ in 0..<50 {
            let buffer = try decoder.decode(.lost)
            #expect(buffer.frameLength == AudioFrame.samples)
            levels.append(TestTone.level(buffer.interleaved))
        }
        #expect(levels[0] > 0.1)
        #expect((levels.last ?? 1) < 0.01)
    }

    @Test func `a decoder that never heard anything makes up silence`() throws {
        let buffer = try factory.makeDecoder(channels: 2).decode(.lost)
        #expect(buffer.interleaved == [Float](repeating: 0, count: 1_920))
    }

    @Test(arguments: [[], [0xFF], [0xFF, 0xFF, 0xFF], [0x03], [0x03, 0]] as [[UInt8]])
    func `bytes that are no packet are an error`(bytes: [UInt8]) throws {
        let decoder = try factory.makeDecoder(channels: 1)
        #expect(throws: CodecError.self) { try decoder.decode(.packet(bytes)) }
        #expect(throws: CodecError.self) { try decoder.decode(.lostBefore(bytes)) }
    }

    @Test(arguments: UInt64(1)...4)
    func `any bytes are safe, and whole packets decode afterwards`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let encoder = try factory.makeEncoder(AudioEncoderSettings(channels: 2, bitrate: 64_000))
        let packets = try encoder.encodeAll(TestTone.sine(700, seconds: 0.4, channels: 2), channels: 2)
        let decoder = try factory.makeDecoder(channels: 2)
        for _ in 0..<400 {
            var bytes = packets.randomElement(using: &generator) ?? []
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                bytes = (0..<Int.random(in: 0..<1_500, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
            case 1: bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
            default: for index in bytes.indices.prefix(8) { bytes[index] = .random(in: 0...255, using: &generator) }
            }
            if let buffer = try? decoder.decode(Bool.random(using: &generator) ? .packet(bytes) : .lostBefore(bytes)) {
                #expect((120...5_760).contains(buffer.frameLength))
                #expect(buffer.interleaved.allSatisfy { $0.isFinite })
            }
        }
        for packet in packets { #expect(try decoder.decode(.packet(packet)).frameLength == 960) }
    }

    /// Decodes packets in order; `missing` says what to put in a packet's place, given the one after it.
    private func restore(
        _ packets: [[UInt8]], missing: (Int, [UInt8]) -> AudioDecoderInput?
    ) throws -> [Float] {
        let decoder = try factory.makeDecoder(channels: 1)
        return try packets.indices.dropLast().flatMap { index in
            try decoder.decode(missing(index, packets[index + 1]) ?? .packet(packets[index])).interleaved
        }
    }
}
