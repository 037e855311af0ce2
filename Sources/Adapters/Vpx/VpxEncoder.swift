// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CVpx
import RevuePorts

/// A VP8 encoder in libvpx's real-time mode.
final class VpxEncoder: VideoEncoder, @unchecked Sendable {
    // SAFETY: the port forbids overlapping calls, and nothing else reaches the state.

    private var settings: VideoEncoderSettings
    private var context: VpxEncoderContext?
    private let picture = VpxPicture()

    init(_ settings: VideoEncoderSettings) throws(CodecError) {
        try settings.checkForVP8()
        self.settings = settings
    }

    func apply(_ settings: VideoEncoderSettings) throws(CodecError) {
        try settings.checkForVP8()
        guard settings != self.settings else { return }
        if settings.temporalLayers != self.settings.temporalLayers {
            context = nil  // libvpx fixes layers and error resilience when it starts
        }
        try context?.apply(settings)
        self.settings = settings
    }

    func encode(_ frame: VideoFrame, forceKeyframe: Bool) throws(CodecError) -> EncodedVideoFrame? {
        try picture.withImage(of: frame.buffer) { image throws(CodecError) in
            try context(width: frame.buffer.width, height: frame.buffer.height)
                .encode(&image, at: frame.captureTime, forceKeyframe: forceKeyframe)
        }
    }

    /// libvpx's encoder for this size; another size starts another.
    private func context(width: Int, height: Int) throws(CodecError) -> VpxEncoderContext {
        if let context, context.width == width, context.height == height { return context }
        context = nil
        let made = try VpxEncoderContext(settings, width: width, height: height)
        context = made
        return made
    }
}
