// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime
import RevueVpx
import Testing

@Suite struct `VP8 damage` {
    private let factory = VpxCodecFactory(maximumPixels: 1_000_000)

    private func code(_ count: Int, keyframeInterval: Int = 8) throws -> [EncodedVideoFrame] {
        let encoder = try factory.makeEncoder(
            VideoEncoderSettings(
                bitrate: 500_000, frameRate: 30, cpuUsed: 8, quantizerMin: 2, quantizerMax: 56,
                keyframeInterval: keyframeInterval, rateControl: .variable))
        return try (0..<count).map { step in
            let picture = try TestPicture.waves(width: 64, height: 48, step: step)
            return try #require(try encoder.encode(picture.frame(step), forceKeyframe: false))
        }
    }

    @Test func `without a keyframe first nothing is decoded`() throws {
        let frames = try code(3)
        let decoder = try factory.makeDecoder(.vp8)
        #expect(throws: CodecError.self) { try decoder.decode(frames[1]) }
        #expect(try decoder.decode(frames[0]) != nil)
        #expect(try decoder.decode(frames[1]) != nil)
    }

    @Test func `after damage a keyframe makes it whole again, and nothing before does`() throws {
        let frames = try code(12)
        let decoder = try factory.makeDecoder(.vp8)
        #expect(try decoder.decode(frames[0]) != nil)
        var broken = frames[1]
        broken.bytes = Array(broken.bytes.prefix(4))
        #expect(throws: CodecError.self) { try decoder.decode(broken) }
        for frame in frames[2..<8] {
            #expect {
                try decoder.decode(frame)
            } throws: { error in
                guard case CodecError.damagedInput = error else { return false }
                return true
            }
        }
        for frame in frames[8...] { #expect(try decoder.decode(frame) != nil) }
    }

    @Test(
        arguments: [
            [], [0], [0x10, 0, 0], [0x10, 0, 0, 0x9D, 0x01, 0x2A], [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0, 0, 0, 0],
            [0x10, 0, 0, 1, 2, 3, 64, 0, 64, 0], [0x10, 0, 0, 0x9D, 0x01, 0x2A, 64, 0, 64, 0],
            [UInt8](repeating: 255, count: 2_000), [UInt8](repeating: 0, count: 2_000),
        ] as [[UInt8]])
    func `bytes that are no frame are an error`(bytes: [UInt8]) throws {
        let decoder = try factory.makeDecoder(.vp8)
        var frame = try code(1)[0]
        frame.bytes = bytes
        #expect(throws: CodecError.self) { try decoder.decode(frame) }
    }

    @Test func `a picture larger than allowed is refused before room is made for it`() throws {
        var frame = try code(1)[0]
        frame.bytes.replaceSubrange(6..<10, with: [0xFF, 0x3F, 0xFF, 0x3F])
        let decoder = try factory.makeDecoder(.vp8)
        #expect {
            try decoder.decode(frame)
        } throws: { error in
            guard case CodecError.damagedInput(let reason) = error else { return false }
            return reason.contains("16383×16383")
        }
    }

    @Test(arguments: UInt64(1)...8)
    func `mutated streams never crash, and the next whole keyframe shows a picture`(seed: UInt64) throws {
        let frames = try code(16)
        var generator = SeededGenerator(seed: seed)
        let decoder = try factory.makeDecoder(.vp8)
        for _ in 0..<12 {
            for frame in frames {
                var mutated = frame
                Self.mutate(&mutated.bytes, &generator)
                _ = try? decoder.decode(mutated)
            }
            let shown = try #require(try decoder.decode(frames[0]))
            #expect((shown.width, shown.height) == (64, 48))
        }
    }

    /// Flips bits, cuts, repeats or scrambles the header.
    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
        case 1: bytes += bytes
        case 2:
            for index in 0..<min(10, bytes.count) where Bool.random(using: &generator) {
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
        default:
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                guard let index = bytes.indices.randomElement(using: &generator) else { return }
                bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
        }
    }
}
