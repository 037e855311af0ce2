// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// What to give up first when bandwidth runs short. No effect until there is congestion control.
public enum DegradationPreference: String, Sendable {
    /// Both: the frame rate to half, then the size.
    case balanced
    /// Keep the size: lower the frame rate.
    case maintainResolution
    /// Keep the frame rate: lower the size.
    case maintainFramerate
    /// Nothing: frames only wait their turn.
    case disabled
}

/// How a video track is published to one participant. What the camera captures is set apart, by its capture options.
public struct VideoPublishOptions: Sendable, Hashable {
    /// The codec and its settings.
    public let codec: VideoCodec
    /// The most frames per second that are sent, 1…60. A source that gives fewer is sent as it is.
    public let maxFps: Int
    /// What to give up first when bandwidth runs short.
    public let degradationPreference: DegradationPreference

    /// Options. The ranges are checked when the track is published.
    public init(
        codec: VideoCodec = .vp8AllKeyframe, maxFps: Int = 15,
        degradationPreference: DegradationPreference = .balanced
    ) {
        self.codec = codec
        self.maxFps = maxFps
        self.degradationPreference = degradationPreference
    }
}

extension VideoPublishOptions {
    /// Throws for the first value outside its documented range.
    func validate() throws(RoomError) {
        try codec.validate()
        try require((1...60).contains(maxFps), "maxFps", "must be 1 to 60")
    }

    /// The same options with another codec; throws when its values are out of range.
    func with(codec: VideoCodec) throws(RoomError) -> VideoPublishOptions {
        let options = VideoPublishOptions(
            codec: codec, maxFps: maxFps, degradationPreference: degradationPreference)
        try options.validate()
        return options
    }

    /// The same options with another frame rate; throws when it is out of range.
    func with(maxFps: Int) throws(RoomError) -> VideoPublishOptions {
        let options = VideoPublishOptions(
            codec: codec, maxFps: maxFps, degradationPreference: degradationPreference)
        try options.validate()
        return options
    }

    /// What the encoder is told.
    func encoderSettings(isScreenContent: Bool) -> VideoEncoderSettings {
        switch codec {
        case .vp8(let encoding):
            VideoEncoderSettings(
                codec: .vp8, bitrate: encoding.maxBitrate, frameRate: maxFps, cpuUsed: Int(encoding.cpuUsed),
                quantizerMin: Int(encoding.quantizerMin), quantizerMax: Int(encoding.quantizerMax),
                keyframeInterval: Int(encoding.keyframeInterval),
                rateControl: RateControl(encoding.rateControlMode), cqLevel: Int(encoding.cqLevel),
                temporalLayers: Int(encoding.temporalLayers), isScreenContent: isScreenContent)
        case .h264(let encoding):
            VideoEncoderSettings(
                codec: .h264, bitrate: encoding.maxBitrate, frameRate: maxFps,
                keyframeInterval: H264Encoding.keyframeInterval, isScreenContent: isScreenContent)
        }
    }
}

extension VideoCodecKind {
    init(_ type: VideoCodecType) {
        switch type {
        case .vp8: self = .vp8
        case .h264: self = .h264
        }
    }
}

extension RateControl {
    init(_ mode: RcMode) {
        switch mode {
        case .vbr: self = .variable
        case .cbr: self = .constant
        case .cq: self = .constrainedQuality
        }
    }
}
