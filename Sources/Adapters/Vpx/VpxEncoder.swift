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
        let buffer = frame.buffer
        try picture.wrap(buffer)
        if context?.width != buffer.width || context?.height != buffer.height {
            context = nil
            context = try VpxEncoderContext(settings, width: buffer.width, height: buffer.height)
        }
        guard let context else { throw .failed(reason: "libvpx did not start") }
        return try context.encode(&picture.image, at: frame.captureTime, forceKeyframe: forceKeyframe)
    }
}
