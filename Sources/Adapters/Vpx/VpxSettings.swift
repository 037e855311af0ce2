// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CVpx
import RevuePorts

#if canImport(Glibc)
    import Glibc
#endif

extension VideoEncoderSettings {
    /// Throws for the first value that libvpx or the port does not allow.
    func checkForVP8() throws(CodecError) {
        guard codec == .vp8 else { throw .notAvailable(codec: "\(codec)") }
        guard bitrate > 0 else { throw .invalidSetting(name: "bitrate", reason: "\(bitrate) is not above 0") }
        try check("frameRate", frameRate, 1...60)
        try check("cpuUsed", cpuUsed, -16...16)
        try check("quantizerMin", quantizerMin, 0...63)
        try check("quantizerMax", quantizerMax, 0...63)
        guard quantizerMin <= quantizerMax else {
            throw .invalidSetting(
                name: "quantizerMax", reason: "\(quantizerMax) is below quantizerMin, \(quantizerMin)")
        }
        guard keyframeInterval >= 1 else {
            throw .invalidSetting(name: "keyframeInterval", reason: "\(keyframeInterval) is below 1")
        }
        try check("cqLevel", cqLevel, 0...63)
        try check("temporalLayers", temporalLayers, 1...3)
    }

    private func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(CodecError) {
        guard range.contains(value) else {
            throw .invalidSetting(
                name: name, reason: "\(value) is not in \(range.lowerBound)…\(range.upperBound)")
        }
    }

    /// Kilobits a second as libvpx counts them; more than 1 Gbit/s would overflow its buffer arithmetic.
    var vpxKilobits: UInt32 { UInt32(min(max(1, bitrate / 1_000), 1_000_000)) }

    /// The quality for `.constrainedQuality`: libvpx refuses one outside the quantizer's range.
    var vpxQualityLevel: UInt32 { UInt32(min(max(cqLevel, quantizerMin), quantizerMax)) }

    /// Writes these settings into libvpx's structure, which holds its defaults.
    ///
    /// One pass, no lag; buffers, undershoot and overshoot as libwebrtc's `libvpx_vp8_encoder.cc` chooses for real time.
    func fill(_ raw: inout vpx_codec_enc_cfg_t, width: Int, height: Int) {
        raw.g_w = UInt32(width)
        raw.g_h = UInt32(height)
        raw.g_timebase = vpx_rational_t(num: 1, den: Int32(VpxClock.ticksPerSecond))
        raw.g_threads = Self.threads(width: width, height: height)
        raw.g_pass = VPX_RC_ONE_PASS
        raw.g_lag_in_frames = 0
        raw.g_error_resilient = temporalLayers > 1 ? vpx_codec_er_flags_t(VPX_ERROR_RESILIENT_DEFAULT) : 0
        raw.rc_resize_allowed = 0
        raw.rc_dropframe_thresh = rateControl == .constant && !isScreenContent ? 30 : 0
        raw.rc_end_usage =
            switch rateControl {
            case .variable: VPX_VBR
            case .constant: VPX_CBR
            case .constrainedQuality: VPX_CQ
            }
        raw.rc_target_bitrate = vpxKilobits
        raw.rc_min_quantizer = UInt32(quantizerMin)
        raw.rc_max_quantizer = UInt32(quantizerMax)
        raw.rc_undershoot_pct = 100
        raw.rc_overshoot_pct = 15
        raw.rc_buf_initial_sz = 500
        raw.rc_buf_optimal_sz = 600
        raw.rc_buf_sz = 1_000
        raw.kf_mode = VPX_KF_DISABLED  // the encoder counts its keyframes itself, so that their distance is exact
        fillLayers(&raw)
    }

    /// Layers' shares are cumulative: 1/2 for the base of two, 2/5 and 3/5 for the lower ones of three.
    private func fillLayers(_ raw: inout vpx_codec_enc_cfg_t) {
        raw.ts_number_layers = UInt32(temporalLayers)
        let kilobits = vpxKilobits
        switch temporalLayers {
        case 2:
            raw.ts_periodicity = 2
            (raw.ts_target_bitrate.0, raw.ts_target_bitrate.1) = (max(1, kilobits / 2), kilobits)
            (raw.ts_rate_decimator.0, raw.ts_rate_decimator.1) = (2, 1)
            (raw.ts_layer_id.0, raw.ts_layer_id.1) = (0, 1)
        case 3:
            raw.ts_periodicity = 4
            raw.ts_target_bitrate.0 = max(1, kilobits * 2 / 5)
            raw.ts_target_bitrate.1 = max(1, kilobits * 3 / 5)
            raw.ts_target_bitrate.2 = kilobits
            (raw.ts_rate_decimator.0, raw.ts_rate_decimator.1, raw.ts_rate_decimator.2) = (4, 2, 1)
            (raw.ts_layer_id.0, raw.ts_layer_id.1, raw.ts_layer_id.2, raw.ts_layer_id.3) = (0, 2, 1, 2)
        default:
            raw.ts_periodicity = 0
        }
    }

    /// What libvpx takes by `vpx_codec_control` instead of its structure.
    func control(_ context: UnsafeMutablePointer<vpx_codec_ctx_t>) -> vpx_codec_err_t {
        // Keyframes up to half the optimal buffer, at least three frames' worth (libwebrtc's MaxIntraTarget).
        let intra = UInt32(max(300, 600 * frameRate / 20))
        let screenMode: UInt32 = isScreenContent ? (rateControl == .constant ? 2 : 1) : 0
        let results = [
            vpx_codec_control_VP8E_SET_CPUUSED(context, Int32(VP8E_SET_CPUUSED.rawValue), Int32(cpuUsed)),
            vpx_codec_control_VP8E_SET_STATIC_THRESHOLD(
                context, Int32(VP8E_SET_STATIC_THRESHOLD.rawValue), isScreenContent ? 100 : 1),
            vpx_codec_control_VP8E_SET_TOKEN_PARTITIONS(context, Int32(VP8E_SET_TOKEN_PARTITIONS.rawValue), 0),
            vpx_codec_control_VP8E_SET_CQ_LEVEL(context, Int32(VP8E_SET_CQ_LEVEL.rawValue), vpxQualityLevel),
            vpx_codec_control_VP8E_SET_MAX_INTRA_BITRATE_PCT(
                context, Int32(VP8E_SET_MAX_INTRA_BITRATE_PCT.rawValue), intra),
            vpx_codec_control_VP8E_SET_SCREEN_CONTENT_MODE(
                context, Int32(VP8E_SET_SCREEN_CONTENT_MODE.rawValue), screenMode),
        ]
        return results.first { $0 != VPX_CODEC_OK } ?? VPX_CODEC_OK
    }

    /// One thread up to VGA and on small machines, two at HD, more for the largest (libwebrtc's `NumberOfThreads`).
    private static func threads(width: Int, height: Int) -> UInt32 {
        let cores = processors
        let pixels = width * height
        if pixels >= 1_920 * 1_080 && cores > 8 { return 8 }
        if pixels > 1_280 * 960 && cores >= 6 { return 3 }
        return pixels > 640 * 480 && cores >= 3 ? 2 : 1
    }

    private static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}

/// Times as libvpx's rate control sees them: steady, in the mean what the pictures' capture times say.
///
/// libvpx derives the frame rate from single distances, so that jitter in capture times would become jitter in size.
struct VpxClock {
    static let ticksPerSecond: Int64 = 90_000

    private(set) var ticks: Int64 = 0
    private(set) var duration: UInt
    private var mean: Double
    private var lastNanoseconds: Int64?

    init(frameRate: Int) {
        mean = Double(Self.ticksPerSecond) / Double(frameRate)
        duration = UInt(mean)
    }

    mutating func advance(to nanoseconds: Int64, frameRate: Int) {
        defer { lastNanoseconds = nanoseconds }
        guard let lastNanoseconds else { return }
        let nominal = Double(Self.ticksPerSecond) / Double(frameRate)
        let distance = (Double(nanoseconds) - Double(lastNanoseconds)) * Double(Self.ticksPerSecond) / 1e9
        mean += (min(max(distance, nominal / 2), nominal * 4) - mean) / 8
        ticks += Int64(duration)
        duration = UInt(max(1, mean))
    }
}
