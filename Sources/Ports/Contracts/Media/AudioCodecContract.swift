// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
import RevueTime

/// What the encoders and decoders of every audio codec factory promise.
///
/// ```swift
/// AudioCodecContract { MyCodecFactory() }.promises
/// ```
public struct AudioCodecContract: Contract {
    let make: @Sendable () -> any AudioCodecFactory

    /// The contract of the factories that `make` gives.
    public init(make: @escaping @Sendable () -> any AudioCodecFactory) { self.make = make }

    /// All promises.
    public var promises: [Promise] { settings + sound + loss }

    private var settings: [Promise] {
        [
            Promise("each setting outside of its range is refused, by name") { [self] in
                let changes: [(String, (inout AudioEncoderSettings) -> Void)] = [
                    ("channels", { $0.channels = 0 }), ("channels", { $0.channels = 3 }),
                    ("bitrate", { $0.bitrate = 5_999 }), ("bitrate", { $0.bitrate = 510_001 }),
                    ("expectedLossPercent", { $0.expectedLossPercent = -1 }),
                    ("expectedLossPercent", { $0.expectedLossPercent = 101 }),
                ]
                for (name, change) in changes {
                    var wrong = AudioEncoderSettings()
                    change(&wrong)
                    try expectError("a wrong \(name)") { () throws(CodecError) in
                        try make().makeEncoder(wrong)
                    } where: {
                        if case .invalidSetting(let seen, _) = $0 { seen == name } else { false }
                    }
                }
                for channels in [0, 3] {
                    try expectError("a decoder of \(channels) channels") { () throws(CodecError) in
                        try make().makeDecoder(channels: channels)
                    } where: {
                        if case .invalidSetting = $0 { true } else { false }
                    }
                }
            },
            Promise("an encoder takes a new bitrate, but no other channels") { [self] in
                let stream = try AudioStream(self)
                var settings = AudioEncoderSettings()
                settings.bitrate = 64_000
                try stream.encoder.apply(settings)
                settings.channels = 2
                try expectError("two channels") { () throws(CodecError) in
                    try stream.encoder.apply(settings)
                } where: {
                    if case .invalidSetting(let name, _) = $0 { name == "channels" } else { false }
                }
                _ = try stream.encode()
            },
            Promise("packets are not larger than 1,275 bytes, nor than the bitrate by much") { [self] in
                for (channels, bitrate) in [(1, 6_000), (1, 24_000), (2, 128_000), (2, 510_000)] {
                    let stream = try AudioStream(self, AudioEncoderSettings(channels: channels, bitrate: bitrate))
                    let sizes = try (0..<50).map { _ in try stream.encode().count }
                    try expect((sizes.max() ?? 0) <= 1_275, "\(sizes.max() ?? 0) bytes at \(bitrate) bit/s")
                    let measured = sizes.reduce(0, +) * 8
                    try expect(measured <= bitrate * 3 / 2, "\(measured) bit/s instead of \(bitrate)")
                }
            },
            Promise("anything but 20 ms of samples is refused") { [self] in
                let encoder = try make().makeEncoder(AudioEncoderSettings())
                for count in [0, 1, 959, 961, 1_920] {
                    try expectError("\(count) samples") { () throws(CodecError) in
                        try encode([Float](repeating: 0, count: count), with: encoder)
                    } where: {
                        if case .unsupportedInput = $0 { true } else { false }
                    }
                }
            },
        ]
    }

    private var sound: [Promise] {
        [
            Promise("a tone comes out as it went in, in one channel and in two") { [self] in
                for channels in [1, 2] {
                    let stream = try AudioStream(self, AudioEncoderSettings(channels: channels, bitrate: 64_000))
                    for _ in 0..<5 { _ = try stream.decoder.decode(.packet(try stream.encode())) }
                    let heard = try (0..<10).map { _ in try stream.decoder.decode(.packet(try stream.encode())) }
                    try expect(heard.allSatisfy { $0.format == .engine(channels: channels) }, "\(heard[0].format)")
                    try expect(heard.allSatisfy { $0.frameLength == AudioFrame.samples }, "\(heard[0].frameLength)")
                    for channel in 0..<channels {
                        let tone = Tone(heard, channel: channel)
                        try expect(abs(tone.frequency - 400) < 20, "\(tone.frequency) Hz in channel \(channel)")
                        try expect(abs(tone.level - 0.25) < 0.08, "level \(tone.level) in channel \(channel)")
                    }
                }
            },
            Promise("silence is hardly sent when transmission is discontinuous") { [self] in
                let stream = try AudioStream(self, AudioEncoderSettings(discontinuous: true))
                let sizes = try (0..<100).map { _ in try stream.encode(silent: true).count }
                let quiet = sizes.suffix(50).count { $0 <= 2 }
                try expect(quiet >= 40, "only \(quiet) of 50 frames had at most 2 bytes")
                let loud = try (0..<5).map { _ in try stream.encode().count }
                try expect((loud.max() ?? 0) > 2, "sound after silence was not sent")
            },
        ]
    }

    private var loss: [Promise] {
        [
            Promise("what is lost is made up: 20 ms that do not end in a bang") { [self] in
                let stream = try AudioStream(self)
                for _ in 0..<5 { _ = try stream.decoder.decode(.packet(try stream.encode())) }
                for _ in 0..<20 {
                    let made = try stream.decoder.decode(.lost)
                    try expect(made.frameLength == AudioFrame.samples, "\(made.frameLength) samples")
                    try expect(made.interleaved.allSatisfy { abs($0) <= 1 }, "beyond full level")
                }
                _ = try stream.decoder.decode(.packet(try stream.encode()))
            },
            Promise("a decoder that has heard nothing makes up 20 ms of silence") { [self] in
                let made = try make().makeDecoder(channels: 1).decode(.lost)
                try expect(made.frameLength == AudioFrame.samples, "\(made.frameLength) samples")
                try expect(made.interleaved.allSatisfy { abs($0) < 0.001 }, "not silent")
            },
            Promise("a packet with forward error correction brings back the frame before it") { [self] in
                let settings = AudioEncoderSettings(
                    bitrate: 32_000, forwardErrorCorrection: true, expectedLossPercent: 30)
                let stream = try AudioStream(self, settings)
                for _ in 0..<10 { _ = try stream.decoder.decode(.packet(try stream.encode())) }
                _ = try stream.encode()
                let next = try stream.encode()
                let recovered = try stream.decoder.decode(.lostBefore(next))
                try expect(recovered.frameLength == AudioFrame.samples, "\(recovered.frameLength) samples")
                let level = Tone([recovered], channel: 0).level
                try expect(abs(level - 0.25) < 0.15, "level \(level)")
                _ = try stream.decoder.decode(.packet(next))
            },
            Promise("any bytes are safe, and the next packet is heard") { [self] in
                let stream = try AudioStream(self)
                let packet = try stream.encode()
                var generator = SeededGenerator(seed: 5)
                for round in 0..<300 {
                    var bytes = packet
                    switch round % 3 {
                    case 0: bytes = Array(bytes.prefix(Int(generator.next() % UInt64(bytes.count))))
                    case 1:
                        bytes[Int(generator.next() % UInt64(bytes.count))] ^= UInt8(
                            truncatingIfNeeded: generator.next() | 1)
                    default: bytes = (0..<(round * 5)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
                    }
                    let damaged = bytes
                    _ = try? stream.decoder.decode(round % 2 == 0 ? .packet(damaged) : .lostBefore(damaged))
                }
                for _ in 0..<5 { _ = try stream.decoder.decode(.packet(try stream.encode())) }
                let level = Tone([try stream.decoder.decode(.packet(try stream.encode()))], channel: 0).level
                try expect(abs(level - 0.25) < 0.1, "level \(level)")
            },
        ]
    }
}

private func encode(_ samples: [Float], with encoder: any AudioEncoder) throws(CodecError) -> [UInt8] {
    var result: Result<[UInt8], CodecError> = .success([])
    samples.withUnsafeBufferPointer { buffer in
        do throws(CodecError) { result = .success(try encoder.encode(buffer)) } catch { result = .failure(error) }
    }
    return try result.get()
}

/// An encoder, a decoder, and a triangle of 400 Hz that goes through them.
private final class AudioStream {
    let encoder: any AudioEncoder
    let decoder: any AudioDecoder
    private let channels: Int
    private var position = 0

    init(_ contract: AudioCodecContract, _ settings: AudioEncoderSettings = AudioEncoderSettings()) throws {
        encoder = try contract.make().makeEncoder(settings)
        decoder = try contract.make().makeDecoder(channels: settings.channels)
        channels = settings.channels
    }

    func encode(silent: Bool = false) throws -> [UInt8] {
        var samples: [Float] = []
        for _ in 0..<AudioFrame.samples {
            let sample = silent ? 0 : Tone.sample(position)
            position += 1
            for _ in 0..<channels { samples.append(sample) }
        }
        return try RevueContracts.encode(samples, with: encoder)
    }
}

/// How sound looks to someone who expects a tone.
struct Tone {
    /// Half of the rising and falling crossings of zero a second.
    let frequency: Double
    /// The mean of the samples' magnitudes.
    let level: Double

    /// A triangle of 400 Hz between −0.5 and 0.5: its level is 0.25.
    static func sample(_ position: Int) -> Float {
        let phase = Float(position % 120) / 120
        return phase < 0.5 ? 2 * phase - 0.5 : 1.5 - 2 * phase
    }

    init(_ buffers: [AudioBuffer], channel: Int) {
        var (crossings, sum, count, previous) = (0, 0.0, 0, Float(0))
        for buffer in buffers {
            let samples = buffer.withChannel(channel) { start, step in
                (0..<buffer.frameLength).map { start[$0 * step] }
            }
            for sample in samples {
                if (sample < 0) != (previous < 0) { crossings += 1 }
                (previous, sum, count) = (sample, sum + Double(abs(sample)), count + 1)
            }
        }
        let duration = Double(max(1, count)) / (buffers.first?.format.sampleRate ?? 48_000)
        frequency = Double(crossings) / 2 / duration
        level = sum / Double(max(1, count))
    }
}
