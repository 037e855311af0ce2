// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// Who looks at what enters and leaves the codecs. Called on the codecs' own lanes; must be quick.
struct CodecTaps: Sendable {
    /// A picture left an encoder, and how long the encoder took.
    var encodedVideo: @Sendable (EncodedVideoFrame, Interval) -> Void = { _, _ in }
    /// A packet of sound left an encoder.
    var encodedAudio: @Sendable ([UInt8]) -> Void = { _ in }
    /// An encoded picture goes into a decoder.
    var receivedVideo: @Sendable (EncodedVideoFrame) -> Void = { _ in }
    /// A packet of sound, or the lack of one, goes into a decoder of so many channels.
    var receivedAudio: @Sendable (AudioDecoderInput, Int) -> Void = { _, _ in }
}

/// Video codecs that let somebody look on.
struct TappedVideoCodecs: VideoCodecFactory {
    var base: any VideoCodecFactory
    var taps: CodecTaps
    var scheduler: any Scheduler

    var codecs: Set<VideoCodecKind> { base.codecs }

    func makeEncoder(_ settings: VideoEncoderSettings) throws(CodecError) -> any VideoEncoder {
        TappedVideoEncoder(base: try base.makeEncoder(settings), taps: taps, scheduler: scheduler)
    }

    func makeDecoder(_ codec: VideoCodecKind) throws(CodecError) -> any VideoDecoder {
        TappedVideoDecoder(base: try base.makeDecoder(codec), taps: taps)
    }
}

/// Audio codecs that let somebody look on.
struct TappedAudioCodecs: AudioCodecFactory {
    var base: any AudioCodecFactory
    var taps: CodecTaps

    func makeEncoder(_ settings: AudioEncoderSettings) throws(CodecError) -> any AudioEncoder {
        TappedAudioEncoder(base: try base.makeEncoder(settings), taps: taps)
    }

    func makeDecoder(channels: Int) throws(CodecError) -> any AudioDecoder {
        TappedAudioDecoder(base: try base.makeDecoder(channels: channels), taps: taps, channels: channels)
    }
}

private final class TappedVideoEncoder: VideoEncoder {
    let base: any VideoEncoder
    let taps: CodecTaps
    let scheduler: any Scheduler

    init(base: any VideoEncoder, taps: CodecTaps, scheduler: any Scheduler) {
        self.base = base
        self.taps = taps
        self.scheduler = scheduler
    }

    func encode(_ frame: VideoFrame, forceKeyframe: Bool) throws(CodecError) -> EncodedVideoFrame? {
        let start = scheduler.now
        guard let encoded = try base.encode(frame, forceKeyframe: forceKeyframe) else { return nil }
        taps.encodedVideo(encoded, scheduler.now - start)
        return encoded
    }

    func apply(_ settings: VideoEncoderSettings) throws(CodecError) { try base.apply(settings) }
}

private final class TappedVideoDecoder: VideoDecoder {
    let base: any VideoDecoder
    let taps: CodecTaps

    init(base: any VideoDecoder, taps: CodecTaps) {
        self.base = base
        self.taps = taps
    }

    func decode(_ frame: EncodedVideoFrame) throws(CodecError) -> PixelBuffer? {
        taps.receivedVideo(frame)
        return try base.decode(frame)
    }
}

private final class TappedAudioEncoder: AudioEncoder {
    let base: any AudioEncoder
    let taps: CodecTaps

    init(base: any AudioEncoder, taps: CodecTaps) {
        self.base = base
        self.taps = taps
    }

    func encode(_ samples: UnsafeBufferPointer<Float>) throws(CodecError) -> [UInt8] {
        let packet = try base.encode(samples)
        taps.encodedAudio(packet)
        return packet
    }

    func apply(_ settings: AudioEncoderSettings) throws(CodecError) { try base.apply(settings) }
}

private final class TappedAudioDecoder: AudioDecoder {
    let base: any AudioDecoder
    let taps: CodecTaps
    let channels: Int

    init(base: any AudioDecoder, taps: CodecTaps, channels: Int) {
        self.base = base
        self.taps = taps
        self.channels = channels
    }

    func decode(_ input: AudioDecoderInput) throws(CodecError) -> AudioBuffer {
        taps.receivedAudio(input, channels)
        return try base.decode(input)
    }
}
