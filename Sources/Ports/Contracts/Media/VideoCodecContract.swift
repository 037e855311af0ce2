// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
import RevueTime

/// What the encoders and decoders of every video codec factory promise.
///
/// ```swift
/// VideoCodecContract(codec: .vp8) { MyCodecFactory() }.promises
/// ```
public struct VideoCodecContract: Contract {
    let codec: VideoCodecKind
    let make: @Sendable () -> any VideoCodecFactory

    /// The contract of the factories that `make` gives, for one of their codecs.
    public init(codec: VideoCodecKind, make: @escaping @Sendable () -> any VideoCodecFactory) {
        self.codec = codec
        self.make = make
    }

    /// All promises.
    public var promises: [Promise] { settings + pictures + damage }

    /// Settings that leave room: a keyframe only when asked for, and enough bits.
    func calm(_ change: (inout VideoEncoderSettings) -> Void = { _ in }) -> VideoEncoderSettings {
        var settings = VideoEncoderSettings(
            codec: codec, bitrate: 1_000_000, quantizerMin: 4, quantizerMax: 40, keyframeInterval: 1_000)
        change(&settings)
        return settings
    }

    private var settings: [Promise] {
        [
            Promise("each setting outside of its range is refused, by name") { [self] in
                let changes: [(String, (inout VideoEncoderSettings) -> Void)] = [
                    ("bitrate", { $0.bitrate = 0 }), ("frameRate", { $0.frameRate = 0 }),
                    ("frameRate", { $0.frameRate = 61 }), ("keyframeInterval", { $0.keyframeInterval = 0 }),
                    ("temporalLayers", { $0.temporalLayers = 0 }), ("temporalLayers", { $0.temporalLayers = 4 }),
                    ("cpuUsed", { $0.cpuUsed = 17 }), ("cpuUsed", { $0.cpuUsed = -17 }),
                    ("quantizerMin", { $0.quantizerMin = -1 }), ("quantizerMax", { $0.quantizerMax = 64 }),
                    (
                        "quantizerMax",
                        {
                            $0.quantizerMin = 30; $0.quantizerMax = 29
                        }
                    ), ("cqLevel", { $0.cqLevel = 64 }),
                ]
                let encoder = try make().makeEncoder(calm())
                for (name, change) in changes {
                    let wrong = calm(change)
                    func isRefusal(_ error: CodecError) -> Bool {
                        if case .invalidSetting(let seen, _) = error { seen == name } else { false }
                    }
                    try expectError(
                        "making with a wrong \(name)", from: { () throws(CodecError) in try make().makeEncoder(wrong) },
                        where: isRefusal)
                    try expectError(
                        "applying a wrong \(name)", from: { () throws(CodecError) in try encoder.apply(wrong) },
                        where: isRefusal)
                }
            },
            Promise("the factory says which codecs it has, and makes no others") { [self] in
                let factory = make()
                try expect(factory.codecs.contains(codec), "\(factory.codecs)")
                for other in VideoCodecKind.allCases where !factory.codecs.contains(other) {
                    try expectError("a decoder for \(other)") { () throws(CodecError) in
                        try factory.makeDecoder(other)
                    } where: {
                        if case .notAvailable = $0 { true } else { false }
                    }
                }
            },
            Promise("a keyframe comes after every keyframe interval, and when it is forced") { [self] in
                let stream = try VideoStream(self, calm { $0.keyframeInterval = 5 })
                var keyframes: [Int] = []
                for number in 0..<14 {
                    if try stream.encode(number, force: number == 7).isKeyframe { keyframes.append(number) }
                }
                try expect(keyframes == [0, 5, 7, 12], "keyframes at \(keyframes)")
            },
            Promise("a new bitrate is taken without a keyframe") { [self] in
                let stream = try VideoStream(self, calm())
                for number in 0..<5 { _ = try stream.encode(number) }
                try stream.encoder.apply(calm { $0.bitrate = 200_000 })
                for number in 5..<10 {
                    try expect(!(try stream.encode(number).isKeyframe), "frame \(number) is a keyframe")
                }
            },
            Promise("frames of higher temporal layers can be dropped, and what is left still decodes") { [self] in
                let stream = try VideoStream(self, calm { $0.temporalLayers = 3 })
                var (layers, shown) = (Set<Int>(), 0)
                for number in 0..<16 {
                    let frame = try stream.encode(number)
                    layers.insert(frame.temporalLayer)
                    guard frame.temporalLayer == 0 else { continue }
                    try stream.show(frame, number)
                    shown += 1
                }
                try expect(layers == [0, 1, 2], "layers \(layers.sorted())")
                try expect(shown == 4, "\(shown) of 16 frames in the base layer")
            },
        ]
    }

    private var pictures: [Promise] {
        [
            Promise("the first frame is a keyframe, and each frame says what it is") { [self] in
                let stream = try VideoStream(self, calm())
                for number in 0..<4 {
                    let frame = try stream.encode(number)
                    try expect(frame.isKeyframe == (number == 0), "frame \(number): keyframe \(frame.isKeyframe)")
                    try expect(frame.codec == codec && frame.width == 160 && frame.height == 96, "\(frame)")
                    try expect(frame.captureTime == stream.time(number), "captured at \(frame.captureTime)")
                    try expect(frame.temporalLayer == 0 && !frame.bytes.isEmpty, "layer \(frame.temporalLayer)")
                }
            },
            Promise("a moving picture comes out as it went in") { [self] in
                let stream = try VideoStream(self, calm())
                for number in 0..<20 { try stream.show(try stream.encode(number), number) }
            },
            Promise("any size from 1×1 on can be coded, odd ones too") { [self] in
                for (width, height) in [(1, 1), (2, 2), (16, 16), (17, 31), (175, 143), (320, 180)] {
                    let stream = try VideoStream(self, calm(), width: width, height: height)
                    let picture = try stream.decode(try stream.encode(0))
                    try expect(picture.width == width && picture.height == height, "\(picture.width)×\(picture.height)")
                }
            },
            Promise("a new size begins with a keyframe of that size") { [self] in
                let stream = try VideoStream(self, calm())
                for number in 0..<3 { try stream.show(try stream.encode(number), number) }
                stream.resize(128, 128)
                let frame = try stream.encode(3)
                try expect(frame.isKeyframe, "no keyframe")
                try stream.show(frame, 3)
                stream.resize(160, 96)
                try stream.show(try stream.encode(4), 4)
            },
        ]
    }

    private var damage: [Promise] {
        [
            Promise("a decoder that has seen nothing cannot decode an inter frame, and a keyframe makes it whole") {
                [self] in
                let stream = try VideoStream(self, calm())
                _ = try stream.encode(0)
                let orphan = try stream.encode(1)
                try expectError("the orphan") { () throws(CodecError) in
                    try stream.decoder.decode(orphan)
                } where: {
                    if case .damagedInput = $0 { true } else { false }
                }
                try stream.show(try stream.encode(2, force: true), 2)
            },
            Promise("any bytes are safe, and a keyframe makes a decoder whole again") { [self] in
                let stream = try VideoStream(self, calm())
                let (key, inter) = (try stream.encode(0), try stream.encode(1))
                var generator = SeededGenerator(seed: 11)
                for round in 0..<300 {
                    var frame = round % 2 == 0 ? key : inter
                    switch round % 3 {
                    case 0: frame.bytes = Array(frame.bytes.prefix(Int(generator.next() % UInt64(frame.bytes.count))))
                    case 1:
                        for _ in 0..<3 {
                            let index = Int(generator.next() % UInt64(frame.bytes.count))
                            frame.bytes[index] ^= UInt8(truncatingIfNeeded: generator.next() | 1)
                        }
                    default: frame.bytes = (0..<round).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
                    }
                    _ = try? stream.decoder.decode(frame)
                }
                try stream.show(try stream.encode(2, force: true), 2)
            },
            Promise("a frame of no bytes is damaged") { [self] in
                let stream = try VideoStream(self, calm())
                var empty = try stream.encode(0)
                empty.bytes = []
                try expectError("no bytes") { () throws(CodecError) in
                    try stream.decoder.decode(empty)
                } where: {
                    if case .damagedInput = $0 { true } else { false }
                }
            },
        ]
    }
}

/// An encoder, a decoder, and numbered pictures to send through them.
private final class VideoStream {
    let encoder: any VideoEncoder
    let decoder: any VideoDecoder
    private var width: Int
    private var height: Int

    init(
        _ contract: VideoCodecContract, _ settings: VideoEncoderSettings, width: Int = 160, height: Int = 96
    ) throws {
        let factory = contract.make()
        encoder = try factory.makeEncoder(settings)
        decoder = try factory.makeDecoder(contract.codec)
        (self.width, self.height) = (width, height)
    }

    func resize(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }
    func time(_ number: Int) -> Instant { .zero + .milliseconds(66) * Int64(number) }

    func encode(_ number: Int, force: Bool = false) throws -> EncodedVideoFrame {
        let picture = try Quarters.numbered(number / 4).buffer(width: width, height: height)
        let frame = VideoFrame(buffer: picture, captureTime: time(number))
        guard let encoded = try encoder.encode(frame, forceKeyframe: force) else {
            throw Unkept(seen: "frame \(number) was dropped although there is bitrate enough")
        }
        return encoded
    }

    func decode(_ frame: EncodedVideoFrame) throws -> PixelBuffer {
        guard let picture = try decoder.decode(frame) else { throw Unkept(seen: "nothing to show") }
        return picture
    }

    /// Decodes a frame and compares it with what was encoded under its number.
    func show(_ frame: EncodedVideoFrame, _ number: Int) throws {
        let picture = try decode(frame)
        try expect(picture.width == width && picture.height == height, "\(picture.width)×\(picture.height)")
        let wanted = Quarters.numbered(number / 4)
        guard let seen = Quarters.read(picture) else { throw Unkept(seen: "format \(picture.format)") }
        try expect(seen.distance(to: wanted) <= 12, "frame \(number): \(seen) instead of \(wanted)")
    }
}
