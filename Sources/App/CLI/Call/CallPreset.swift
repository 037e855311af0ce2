// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueSDK

/// The ways to publish a camera that the command line offers.
enum CallPreset: String, CaseIterable, Sendable {
    /// `VideoPublishOptions()`.
    case standard = "default"
    case lowLatency = "low-latency"
    case highQuality = "high-quality"
    case lowBandwidth = "low-bandwidth"

    var encoding: Vp8Encoding {
        switch self {
        case .standard: .allKeyframe
        case .lowLatency: .lowLatency
        case .highQuality: .highQuality
        case .lowBandwidth: .lowBandwidth
        }
    }

    /// What is published with; nil for the documented defaults.
    var publishOptions: VideoPublishOptions? {
        switch self {
        case .standard: nil
        case .lowLatency: VideoPublishOptions(codec: .vp8LowLatency, maxFps: 30)
        case .highQuality: VideoPublishOptions(codec: .vp8HighQuality, maxFps: 30)
        case .lowBandwidth: VideoPublishOptions(codec: .vp8LowBandwidth, maxFps: 15)
        }
    }

    /// The same for an encoder of its own.
    var encoderSettings: VideoEncoderSettings {
        let encoding = encoding
        let control: RateControl =
            switch encoding.rateControlMode {
            case .vbr: .variable
            case .cbr: .constant
            case .cq: .constrainedQuality
            }
        return VideoEncoderSettings(
            bitrate: Int(encoding.maxBitrate), frameRate: publishOptions?.maxFps ?? VideoPublishOptions().maxFps,
            cpuUsed: Int(encoding.cpuUsed), quantizerMin: Int(encoding.quantizerMin),
            quantizerMax: Int(encoding.quantizerMax),
            keyframeInterval: Int(encoding.keyframeInterval), rateControl: control, cqLevel: Int(encoding.cqLevel),
            temporalLayers: Int(encoding.temporalLayers))
    }
}
