// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// The video codecs.
public enum VideoCodecKind: UInt8, Sendable, Hashable, CaseIterable {
    /// VP8.
    case vp8
    /// H.264.
    case h264
}

/// How VP8 trades bitrate for quality.
public enum RateControl: UInt8, Sendable, Hashable, CaseIterable {
    /// Variable bitrate.
    case variable
    /// Constant bitrate.
    case constant
    /// Constrained quality.
    case constrainedQuality
}

/// All that an encoder can be told. Ranges as documented; an encoder throws for what lies outside.
public struct VideoEncoderSettings: Sendable, Hashable {
    /// The codec.
    public var codec: VideoCodecKind
    /// Target bitrate in bits per second; above 0.
    public var bitrate: Int
    /// Frames per second that the encoder should expect; 1…60.
    public var frameRate: Int
    /// VP8 effort, -16…16; lower is slower and better.
    public var cpuUsed: Int
    /// VP8 best quality, 0…63.
    public var quantizerMin: Int
    /// VP8 worst quality, 0…63, not below `quantizerMin`.
    public var quantizerMax: Int
    /// A keyframe every so many frames; at least 1.
    public var keyframeInterval: Int
    /// VP8 rate control.
    public var rateControl: RateControl
    /// Quality aimed at in `.constrainedQuality`, 0…63.
    public var cqLevel: Int
    /// 1…3.
    public var temporalLayers: Int
    /// Whether the picture is a screen rather than a camera.
    public var isScreenContent: Bool

    /// Settings; the defaults are those of `Vp8Encoding.allKeyframe`.
    public init(
        codec: VideoCodecKind = .vp8, bitrate: Int = 3_000_000, frameRate: Int = 15, cpuUsed: Int = 16,
        quantizerMin: Int = 30, quantizerMax: Int = 40, keyframeInterval: Int = 1,
        rateControl: RateControl = .variable, cqLevel: Int = 30, temporalLayers: Int = 1,
        isScreenContent: Bool = false
    ) {
        self.codec = codec
        self.bitrate = bitrate
        self.frameRate = frameRate
        self.cpuUsed = cpuUsed
        self.quantizerMin = quantizerMin
        self.quantizerMax = quantizerMax
        self.keyframeInterval = keyframeInterval
        self.rateControl = rateControl
        self.cqLevel = cqLevel
        self.temporalLayers = temporalLayers
        self.isScreenContent = isScreenContent
    }
}

/// An encoded picture.
public struct EncodedVideoFrame: Sendable {
    /// The codec.
    public var codec: VideoCodecKind
    /// The codec's own bytes.
    public var bytes: [UInt8]
    /// Whether it needs no other frame.
    public var isKeyframe: Bool
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int
    /// When the picture was captured.
    public var captureTime: Instant
    /// 0 = base layer.
    public var temporalLayer: Int
    /// Whether frames of higher layers may start after this one.
    public var isLayerSync: Bool

    /// An encoded picture.
    public init(
        codec: VideoCodecKind, bytes: [UInt8], isKeyframe: Bool, width: Int, height: Int, captureTime: Instant,
        temporalLayer: Int = 0, isLayerSync: Bool = false
    ) {
        self.codec = codec
        self.bytes = bytes
        self.isKeyframe = isKeyframe
        self.width = width
        self.height = height
        self.captureTime = captureTime
        self.temporalLayer = temporalLayer
        self.isLayerSync = isLayerSync
    }
}

/// Turns pictures into encoded frames. Calls must not overlap; which thread makes them does not matter.
public protocol VideoEncoder: AnyObject, Sendable {
    /// Encodes a picture of any size ≥ 1×1; a new size restarts the codec with a keyframe.
    ///
    /// - Returns: nil when the codec's rate control dropped the picture.
    func encode(_ frame: VideoFrame, forceKeyframe: Bool) throws(CodecError) -> EncodedVideoFrame?
    /// Takes new settings for the next picture; restarts the codec only where it must.
    func apply(_ settings: VideoEncoderSettings) throws(CodecError)
}

/// Turns encoded frames into pictures. Calls must not overlap.
public protocol VideoDecoder: AnyObject, Sendable {
    /// Decodes a frame. Any bytes are safe.
    ///
    /// - Returns: nil when the frame shows nothing.
    /// - Throws: `CodecError.damagedInput` for what cannot be decoded; a keyframe then makes it whole again.
    func decode(_ frame: EncodedVideoFrame) throws(CodecError) -> PixelBuffer?
}

/// What can go wrong in a codec.
public enum CodecError: Error, Sendable, Hashable {
    /// A setting is out of range.
    case invalidSetting(name: String, reason: String)
    /// The picture or sound has a shape that the codec does not take.
    case unsupportedInput(reason: String)
    /// The encoded bytes are damaged, or refer to frames that are not there.
    case damagedInput(reason: String)
    /// This codec is not to be had here.
    case notAvailable(codec: String)
    /// Anything else, with the library's own words.
    case failed(reason: String)
}

/// Makes codecs.
public protocol VideoCodecFactory: Sendable {
    /// The codecs that this factory makes.
    var codecs: Set<VideoCodecKind> { get }
    /// A new encoder.
    func makeEncoder(_ settings: VideoEncoderSettings) throws(CodecError) -> any VideoEncoder
    /// A new decoder.
    func makeDecoder(_ codec: VideoCodecKind) throws(CodecError) -> any VideoDecoder
}
