// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CVpx
import RevuePorts
import RevueTime

/// libvpx's encoder at one size and number of layers, from one keyframe to its end.
final class VpxEncoderContext {
    let width: Int
    let height: Int

    private let handle: UnsafeMutablePointer<vpx_codec_ctx_t>
    private var raw = vpx_codec_enc_cfg_t()
    private var settings: VideoEncoderSettings
    private var clock: VpxClock
    /// Frames since the last keyframe; nil until there is one.
    private var sinceKeyframe: Int?
    private var droppedInARow = 0

    init(_ settings: VideoEncoderSettings, width: Int, height: Int) throws(CodecError) {
        self.settings = settings
        self.width = width
        self.height = height
        clock = VpxClock(frameRate: settings.frameRate)
        guard vpx_codec_enc_config_default(vpx_codec_vp8_cx(), &raw, 0) == VPX_CODEC_OK else {
            throw .notAvailable(codec: "vp8")
        }
        settings.fill(&raw, width: width, height: height)
        let handle = UnsafeMutablePointer<vpx_codec_ctx_t>.allocate(capacity: 1)
        handle.initialize(to: vpx_codec_ctx_t())
        let result = revue_vpx_encoder_init(handle, &raw)
        guard result == VPX_CODEC_OK else {
            let error = vpxFailure(result, handle)
            handle.deallocate()
            throw error
        }
        self.handle = handle
        try check(settings.control(handle))
    }

    deinit {
        vpx_codec_destroy(handle)
        handle.deallocate()
    }

    /// New settings with the same number of layers.
    func apply(_ settings: VideoEncoderSettings) throws(CodecError) {
        var raw = raw
        settings.fill(&raw, width: width, height: height)
        try check(vpx_codec_enc_config_set(handle, &raw))
        self.raw = raw
        try check(settings.control(handle))
        self.settings = settings
    }

    func encode(
        _ image: inout vpx_image_t, at captureTime: Instant, forceKeyframe: Bool
    ) throws(CodecError) -> EncodedVideoFrame? {
        let index = (sinceKeyframe ?? -1) + 1
        let isKeyframe = forceKeyframe || sinceKeyframe == nil || index >= settings.keyframeInterval
        let place = TemporalPattern(layers: settings.temporalLayers, index: isKeyframe ? 0 : index)
        if settings.temporalLayers > 1 {
            try check(
                vpx_codec_control_VP8E_SET_TEMPORAL_LAYER_ID(
                    handle, Int32(VP8E_SET_TEMPORAL_LAYER_ID.rawValue), Int32(place.layer)))
        }
        clock.advance(to: captureTime.nanoseconds, frameRate: settings.frameRate)
        try withoutLongDrought { () throws(CodecError) in
            try check(
                vpx_codec_encode(
                    handle, &image, clock.ticks, clock.duration, isKeyframe ? revue_vpx_force_keyframe : place.flags,
                    UInt(VPX_DL_REALTIME)))
        }
        guard let packet = nextFrame() else {
            droppedInARow += 1
            if let sinceKeyframe { self.sinceKeyframe = sinceKeyframe + 1 }
            return nil
        }
        droppedInARow = 0
        sinceKeyframe = packet.isKeyframe ? 0 : index
        return EncodedVideoFrame(
            codec: .vp8, bytes: packet.bytes, isKeyframe: packet.isKeyframe, width: width, height: height,
            captureTime: captureTime, temporalLayer: packet.isKeyframe ? 0 : place.layer,
            isLayerSync: packet.isKeyframe || place.isSync)
    }

    /// After two seconds of dropped pictures one is coded whatever the rate control says (as libwebrtc does).
    private func withoutLongDrought(_ body: () throws(CodecError) -> Void) throws(CodecError) {
        guard droppedInARow >= 2 * settings.frameRate else { return try body() }
        var patient = raw
        patient.rc_dropframe_thresh = 0
        try check(vpx_codec_enc_config_set(handle, &patient))
        try body()
        try check(vpx_codec_enc_config_set(handle, &raw))
    }

    private func nextFrame() -> (bytes: [UInt8], isKeyframe: Bool)? {
        var position: vpx_codec_iter_t?
        while let packet = vpx_codec_get_cx_data(handle, &position) {
            guard packet.pointee.kind == VPX_CODEC_CX_FRAME_PKT else { continue }
            let frame = packet.pointee.data.frame
            guard let start = frame.buf, frame.sz > 0 else { continue }
            let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: frame.sz))
            return (bytes, frame.flags & revue_vpx_frame_is_key != 0)
        }
        return nil
    }

    private func check(_ result: vpx_codec_err_t) throws(CodecError) {
        guard result == VPX_CODEC_OK else { throw vpxFailure(result, handle) }
    }
}

/// An error in libvpx's own words.
func vpxFailure(_ result: vpx_codec_err_t, _ handle: UnsafeMutablePointer<vpx_codec_ctx_t>) -> CodecError {
    .failed(reason: vpxWords(result, handle))
}

func vpxWords(_ result: vpx_codec_err_t, _ handle: UnsafeMutablePointer<vpx_codec_ctx_t>) -> String {
    var words = vpx_codec_err_to_string(result).map { String(cString: $0) } ?? "error \(result.rawValue)"
    if let detail = vpx_codec_error_detail(handle) { words += ": " + String(cString: detail) }
    return words
}
