// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// VP8 by libvpx.
public struct VpxCodecFactory: VideoCodecFactory {
    /// The most pixels that a picture may have which a peer asks a decoder to make room for.
    public let maximumPixels: Int

    /// A factory.
    ///
    /// - Parameter maximumPixels: a decoder refuses a larger picture before it allocates anything; the default is
    ///   4096×4096, about 100 MB of reference pictures.
    public init(maximumPixels: Int = 4_096 * 4_096) { self.maximumPixels = maximumPixels }

    /// VP8 alone.
    public var codecs: Set<VideoCodecKind> { [.vp8] }

    /// A new VP8 encoder.
    ///
    /// - Throws: `CodecError.invalidSetting` for a value out of range, `.notAvailable` for another codec.
    public func makeEncoder(_ settings: VideoEncoderSettings) throws(CodecError) -> any VideoEncoder {
        try VpxEncoder(settings)
    }

    /// A new VP8 decoder.
    ///
    /// - Throws: `CodecError.notAvailable` for another codec.
    public func makeDecoder(_ codec: VideoCodecKind) throws(CodecError) -> any VideoDecoder {
        guard codec == .vp8 else { throw .notAvailable(codec: "\(codec)") }
        return VpxDecoder(maximumPixels: maximumPixels)
    }
}
