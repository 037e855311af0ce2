// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What was measured on a track or a publication in the last second. A part that does not apply is nil.
public struct TrackStatistics: Sendable, Equatable {
    /// The codec in use.
    public let codec: CodecStatistics?
    /// What is captured, before encoding; local video tracks alone.
    public let videoSource: VideoSourceStatistics?
    /// The connection to the participant; remote tracks alone.
    public let iceCandidatePair: IceCandidatePairStatistics?
    /// What arrives; remote tracks alone.
    public let inboundRtp: InboundStatistics?
    /// What is sent to one participant; local publications alone.
    public let outboundRtp: OutboundStatistics?

    init(
        codec: CodecStatistics? = nil, videoSource: VideoSourceStatistics? = nil,
        iceCandidatePair: IceCandidatePairStatistics? = nil, inboundRtp: InboundStatistics? = nil,
        outboundRtp: OutboundStatistics? = nil
    ) {
        self.codec = codec
        self.videoSource = videoSource
        self.iceCandidatePair = iceCandidatePair
        self.inboundRtp = inboundRtp
        self.outboundRtp = outboundRtp
    }
}

/// The codec in use.
public struct CodecStatistics: Sendable, Equatable {
    /// Its media type: `video/VP8` or `video/H264`.
    public let mimeType: String

    init(mimeType: String) { self.mimeType = mimeType }
}

/// What a local video track captures.
public struct VideoSourceStatistics: Sendable, Equatable {
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int
    /// Frames per second, measured.
    public let fps: Double

    init(width: Int, height: Int, fps: Double) {
        self.width = width
        self.height = height
        self.fps = fps
    }
}

/// What is sent to one participant. What does not apply to the kind of track is nil, never 0.
public struct OutboundStatistics: Sendable, Equatable {
    /// Pixels across; nil for sound.
    public let width: Int?
    /// Pixels down; nil for sound.
    public let height: Int?
    /// Frames per second; nil for sound.
    public let fps: Double?
    /// Audio frames per second; nil for pictures.
    public let audioFrameRate: Double?

    init(width: Int? = nil, height: Int? = nil, fps: Double? = nil, audioFrameRate: Double? = nil) {
        self.width = width
        self.height = height
        self.fps = fps
        self.audioFrameRate = audioFrameRate
    }
}
