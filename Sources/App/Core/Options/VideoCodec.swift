// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A video codec without its settings: to compare codecs, or as a key.
public enum VideoCodecType: String, Sendable {
    /// H.264.
    case h264
    /// VP8.
    case vp8
}

/// A video codec together with its settings.
public enum VideoCodec: Sendable, Hashable {
    /// H.264 with its settings.
    case h264(H264Encoding)
    /// VP8 with its settings.
    case vp8(Vp8Encoding)

    /// The codec without its settings.
    public var type: VideoCodecType {
        switch self {
        case .h264: .h264
        case .vp8: .vp8
        }
    }

    /// H.264 at 3 Mbit/s.
    public static let h264Default = VideoCodec.h264(H264Encoding())
    /// VP8 where every frame is a keyframe: a lost packet never leaves a broken picture, at the cost of bandwidth.
    public static let vp8AllKeyframe = VideoCodec.vp8(.allKeyframe)
    /// VP8 with `Vp8Encoding.lowLatency`.
    public static let vp8LowLatency = VideoCodec.vp8(.lowLatency)
    /// VP8 with `Vp8Encoding.highQuality`.
    public static let vp8HighQuality = VideoCodec.vp8(.highQuality)
    /// VP8 with `Vp8Encoding.lowBandwidth`.
    public static let vp8LowBandwidth = VideoCodec.vp8(.lowBandwidth)
}

extension VideoCodec {
    /// Throws when a value is outside its documented range.
    func validate() throws(RoomError) {
        switch self {
        case .h264(let encoding): try encoding.validate()
        case .vp8(let encoding): try encoding.validate()
        }
    }
}
