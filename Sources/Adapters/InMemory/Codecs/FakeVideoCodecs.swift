// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
import RevueTime

/// Video codecs without a codec: deterministic, fast, and honest about what depends on what.
///
/// A frame carries the picture at 16×16 samples (chroma 8×8), as numbers in a keyframe and as differences from an earlier
/// frame in all others, padded to the size that bitrate and frame rate give. So decoded pixels can be asserted, a missing
/// reference cannot be decoded, and damage of any kind is seen.
public struct FakeVideoCodecFactory: VideoCodecFactory {
    /// What it makes: the bytes are the same whatever the codec's name.
    public let codecs: Set<VideoCodecKind>

    /// A factory of these codecs.
    public init(codecs: Set<VideoCodecKind> = [.vp8]) { self.codecs = codecs }

    /// A new encoder, which begins with a keyframe.
    public func makeEncoder(_ settings: VideoEncoderSettings) throws(CodecError) -> any VideoEncoder {
        guard codecs.contains(settings.codec) else { throw .notAvailable(codec: "\(settings.codec)") }
        try settings.check()
        return FakeVideoEncoder(settings)
    }

    /// A new decoder, which waits for a keyframe.
    public func makeDecoder(_ codec: VideoCodecKind) throws(CodecError) -> any VideoDecoder {
        guard codecs.contains(codec) else { throw .notAvailable(codec: "\(codec)") }
        return FakeVideoDecoder()
    }
}

extension VideoEncoderSettings {
    /// Throws for the first value outside of its documented range.
    func check() throws(CodecError) {
        let ranges: [(name: String, value: Int, range: ClosedRange<Int>)] = [
            ("bitrate", bitrate, 1...Int(Int32.max)), ("frameRate", frameRate, 1...60), ("cpuUsed", cpuUsed, -16...16),
            ("quantizerMin", quantizerMin, 0...63), ("quantizerMax", quantizerMax, 0...63),
            ("keyframeInterval", keyframeInterval, 1...Int(Int32.max)), ("cqLevel", cqLevel, 0...63),
            ("temporalLayers", temporalLayers, 1...3),
        ]
        for entry in ranges where !entry.range.contains(entry.value) {
            throw .invalidSetting(
                name: entry.name,
                reason: "\(entry.value) is outside \(entry.range.lowerBound)…\(entry.range.upperBound)")
        }
        if quantizerMax < quantizerMin { throw .invalidSetting(name: "quantizerMax", reason: "below quantizerMin") }
    }
}

final class FakeVideoEncoder: VideoEncoder {
    private struct State {
        var settings: VideoEncoderSettings
        var size: (width: Int, height: Int)?
        var counter: UInt32 = 0
        var sinceKeyframe = 0
        /// The last frame of each temporal layer.
        var references = FakeReferences()
    }
    private let state: Locked<State>

    init(_ settings: VideoEncoderSettings) { state = Locked(State(settings: settings)) }

    func apply(_ settings: VideoEncoderSettings) throws(CodecError) {
        try settings.check()
        try state.withLock { state throws(CodecError) in
            guard settings.codec == state.settings.codec else {
                throw .invalidSetting(name: "codec", reason: "an encoder keeps its codec")
            }
            // Frames of the new pattern may refer to what the old one never sent: begin again.
            if settings.temporalLayers != state.settings.temporalLayers { state.size = nil }
            state.settings = settings
        }
    }

    func encode(_ frame: VideoFrame, forceKeyframe: Bool) throws(CodecError) -> EncodedVideoFrame? {
        let buffer = frame.buffer
        guard buffer.width <= FakePicture.maximumSide, buffer.height <= FakePicture.maximumSide else {
            throw .unsupportedInput(reason: "larger than \(FakePicture.maximumSide) pixels")
        }
        let thumbnail = try FakePicture.thumbnail(of: buffer)
        return state.withLock { state in
            let isKeyframe =
                forceKeyframe || state.size.map { $0 != (buffer.width, buffer.height) } ?? true
                || state.sinceKeyframe >= state.settings.keyframeInterval
            if isKeyframe { state.sinceKeyframe = 0 }
            let layer = FakeReferences.layer(of: state.sinceKeyframe, layers: state.settings.temporalLayers)
            state.counter &+= 1
            let reference = isKeyframe ? nil : state.references.reference(for: layer)
            let picture = FakePicture(
                width: buffer.width, height: buffer.height, counter: state.counter, layer: layer,
                reference: reference?.counter, samples: thumbnail.difference(from: reference?.samples))
            let target = state.settings.bitrate / 8 / state.settings.frameRate
            let entry = FakeReferences.Entry(counter: state.counter, layer: layer, samples: thumbnail)
            if isKeyframe { state.references = FakeReferences() }
            state.references.store(entry)
            state.size = (buffer.width, buffer.height)
            state.sinceKeyframe += 1
            return EncodedVideoFrame(
                codec: state.settings.codec, bytes: picture.bytes(paddedTo: target), isKeyframe: isKeyframe,
                width: buffer.width, height: buffer.height, captureTime: frame.captureTime, temporalLayer: layer,
                isLayerSync: layer > 0 && reference?.layer == 0)
        }
    }
}

final class FakeVideoDecoder: VideoDecoder {
    private let references = Locked(FakeReferences())

    func decode(_ frame: EncodedVideoFrame) throws(CodecError) -> PixelBuffer? {
        guard let picture = FakePicture(frame.bytes) else { throw .damagedInput(reason: "not a whole frame") }
        let samples = try references.withLock { references throws(CodecError) -> FakePicture.Samples in
            guard let counter = picture.reference else {
                references = FakeReferences()
                references.store(.init(counter: picture.counter, layer: picture.layer, samples: picture.samples))
                return picture.samples
            }
            guard let reference = references.entry(counter: counter) else {
                throw .damagedInput(reason: "frame \(counter), which this one builds on, is not there")
            }
            let samples = picture.samples.sum(with: reference.samples)
            references.store(.init(counter: picture.counter, layer: picture.layer, samples: samples))
            return samples
        }
        guard let buffer = samples.enlarged(width: picture.width, height: picture.height) else {
            throw .damagedInput(reason: "a size that no picture has")
        }
        return buffer
    }
}

/// The frames that later ones may build on: the last of each temporal layer.
struct FakeReferences {
    struct Entry {
        var counter: UInt32
        var layer: Int
        var samples: FakePicture.Samples
    }
    private var last: [Entry?] = [nil, nil, nil]

    mutating func store(_ entry: Entry) { last[entry.layer] = entry }

    func entry(counter: UInt32) -> Entry? { last.lazy.compactMap { $0 }.first { $0.counter == counter } }

    /// The newest frame of a lower layer, or of the base layer itself: a dropped layer never hurts a lower one.
    func reference(for layer: Int) -> Entry? {
        let usable = layer == 0 ? last[0...0] : last[0..<layer]
        return usable.compactMap { $0 }.max { $0.counter < $1.counter }
    }

    /// VP8's usual patterns: 0 · 0 1 · 0 2 1 2.
    static func layer(of position: Int, layers: Int) -> Int {
        switch layers {
        case 2: position % 2
        case 3: [0, 2, 1, 2][position % 4]
        default: 0
        }
    }
}
