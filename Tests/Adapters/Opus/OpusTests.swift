// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueOpus
import RevuePorts
import RevueTime
import Testing

@Suite struct `Opus` {
    private let factory = OpusCodecFactory()

    @Test(arguments: [1, 2], [false, true])
    func `a tone survives at its pitch and level`(channels: Int, isMusic: Bool) throws {
        let settings = AudioEncoderSettings(channels: channels, bitrate: 64_000, isMusic: isMusic)
        let encoder = try factory.makeEncoder(settings)
        let decoder = try factory.makeDecoder(channels: channels)
        let packets = try encoder.encodeAll(TestTone.sine(1_000, seconds: 1, channels: channels), channels: channels)
        #expect(packets.count == 50)
        var left: [Float] = []
        for packet in packets {
            #expect((3...1_275).contains(packet.count))
            let buffer = try decoder.decode(.packet(packet))
            #expect(buffer.format == .engine(channels: channels))
            #expect(buffer.frameLength == 960)
            left += buffer.interleaved.enumerated().filter { $0.offset.isMultiple(of: channels) }.map(\.element)
        }
        let settled = Array(left.dropFirst(9_600))
        #expect(TestTone.share(of: 1_000, in: settled) > 0.97)
        #expect((0.3...0.4).contains(TestTone.level(settled)))
    }

    @Test func `stereo keeps its sides apart`() throws {
        let encoder = try factory.makeEncoder(
            AudioEncoderSettings(channels: 2, bitrate: 96_000, isMusic: true, forwardErrorCorrection: false))
        let decoder = try factory.makeDecoder(channels: 2)
        let sides = zip(TestTone.sine(500, seconds: 0.6), TestTone.sine(2_000, seconds: 0.6)).flatMap { [$0, $1] }
        let decoded = try encoder.encodeAll(sides, channels: 2).flatMap { try decoder.decode(.packet($0)).interleaved }
        let left = decoded.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).dropFirst(9_600)
        let right = decoded.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element).dropFirst(9_600)
        #expect(TestTone.share(of: 500, in: Array(left)) > 0.95)
        #expect(TestTone.share(of: 2_000, in: Array(right)) > 0.95)
    }

    @Test func `a decoder gives its own number of channels whatever the packet holds`() throws {
        let stereo = try factory.makeEncoder(AudioEncoderSettings(channels: 2, bitrate: 64_000))
        let packets = try stereo.encodeAll(TestTone.sine(440, seconds: 0.2, channels: 2), channels: 2)
        let decoder = try factory.makeDecoder(channels: 1)
        for packet in packets {
            let buffer = try decoder.decode(.packet(packet))
            #expect(buffer.format.channelCount == 1 && buffer.frameLength == 960)
        }
    }

    @Test(arguments: [0, 1, 959, 961, 1_920])
    func `only 960 samples a channel are a frame`(count: Int) throws {
        let encoder = try factory.makeEncoder(AudioEncoderSettings())
        #expect {
            try [Float](repeating: 0, count: count).withUnsafeBufferPointer { try encoder.encode($0) }
        } throws: { error in
            guard case CodecError.unsupportedInput = error else { return false }
            return true
        }
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity])
    func `a sample that is no number is refused, and the encoder goes on`(sample: Float) throws {
        let encoder = try factory.makeEncoder(AudioEncoderSettings())
        var samples = TestTone.sine(440, seconds: 0.02)
        samples[17] = sample
        #expect(throws: CodecError.self) { try encoder.encodeAll(samples) }
        samples[17] = 0
        #expect(try encoder.encodeAll(samples)[0].count > 2)
    }

    @Test(arguments: [
        ("channels", AudioEncoderSettings(channels: 0)), ("channels", AudioEncoderSettings(channels: 3)),
        ("bitrate", AudioEncoderSettings(bitrate: 5_999)), ("bitrate", AudioEncoderSettings(bitrate: 510_001)),
        ("expectedLossPercent", AudioEncoderSettings(expectedLossPercent: -1)),
        ("expectedLossPercent", AudioEncoderSettings(expectedLossPercent: 101)),
    ])
    func `a setting out of range is refused by name`(name: String, settings: AudioEncoderSettings) throws {
        func isRefusal(_ error: any Error) -> Bool {
            guard case CodecError.invalidSetting(let named, _) = error else { return false }
            return named == name
        }
        #expect {
            _ = try factory.makeEncoder(settings)
        } throws: {
            isRefusal($0)
        }
        let encoder = try factory.makeEncoder(AudioEncoderSettings())
        #expect {
            try encoder.apply(settings)
        } throws: {
            isRefusal($0)
        }
        #expect(try encoder.encodeAll(TestTone.sine(440, seconds: 0.02)).count == 1)
    }

    @Test(arguments: [0, 3]) func `a decoder has one channel or two`(channels: Int) {
        #expect(throws: CodecError.self) { try factory.makeDecoder(channels: channels) }
    }

    @Test func `the number of channels cannot change`() throws {
        let encoder = try factory.makeEncoder(AudioEncoderSettings())
        #expect(throws: CodecError.self) { try encoder.apply(AudioEncoderSettings(channels: 2)) }
    }

    @Test func `bitrate and kind change live, without a click`() throws {
        let encoder = try factory.makeEncoder(AudioEncoderSettings(bitrate: 16_000, isMusic: false))
        let decoder = try factory.makeDecoder(channels: 1)
        let tone = TestTone.sine(1_000, seconds: 3)
        var (sizes, decoded): ([Int], [Float]) = ([], [])
        for (index, settings) in [
            AudioEncoderSettings(bitrate: 16_000), AudioEncoderSettings(bitrate: 128_000),
            AudioEncoderSettings(bitrate: 128_000, isMusic: true),
        ].enumerated() {
            try encoder.apply(settings)
            let packets = try encoder.encodeAll(Array(tone[(index * 48_000)..<((index + 1) * 48_000)]))
            sizes.append(packets.map(\.count).reduce(0, +))
            decoded += try packets.flatMap { try decoder.decode(.packet($0)).interleaved }
        }
        #expect(sizes[1] > 4 * sizes[0])
        #expect(sizes[2] > 4 * sizes[0])
        #expect(decoded.allSatisfy { abs($0) < 0.8 })
    }

    @Test func `silence is hardly sent with DTX, and sound comes back at once`() throws {
        let encoder = try factory.makeEncoder(AudioEncoderSettings(discontinuous: true))
        let voice = TestTone.voice(seconds: 1)
        #expect(try encoder.encodeAll(voice).filter { $0.count <= 2 }.count <= 2)
        let silent = try encoder.encodeAll([Float](repeating: 0, count: 96_000))
        // Ten frames until it trusts the silence, then a refresh each 400 ms.
        #expect(silent.filter { $0.count <= 2 }.count > 75)
        #expect(try encoder.encodeAll(voice).prefix(12).contains { $0.count > 20 })
    }

    @Test func `without DTX every frame is sent`() throws {
        let encoder = try factory.makeEncoder(AudioEncoderSettings(discontinuous: false))
        #expect(try encoder.encodeAll([Float](repeating: 0, count: 96_000)).allSatisfy { $0.count > 2 })
    }
}
