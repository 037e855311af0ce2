// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// How VP8 trades bitrate for quality.
public enum RcMode: String, Sendable {
    /// Variable bitrate: aims for quality.
    case vbr
    /// Constant bitrate: the quality varies.
    case cbr
    /// Constrained quality: aims for `Vp8Encoding.cqLevel`, the bitrate being a second limit.
    case cq
}

/// VP8 settings. The ranges are checked when they are used, never silently corrected.
public struct Vp8Encoding: Sendable, Hashable {
    /// Target bitrate in bits per second; above 0.
    public let maxBitrate: Int
    /// How much the encoder saves effort, -16…16: lower compresses better and takes more CPU.
    public let cpuUsed: Int8
    /// The best quality the encoder may use, 0…63; lower is sharper and larger.
    public let quantizerMin: UInt8
    /// The worst quality the encoder may use, `quantizerMin`…63.
    public let quantizerMax: UInt8
    /// A keyframe every so many frames; at least 1. A new value restarts the encoder.
    public let keyframeInterval: UInt16
    /// How bitrate is traded for quality. A new value restarts the encoder.
    public let rateControlMode: RcMode
    /// The quality aimed at in `RcMode.cq`, 0…63; the other modes ignore it.
    public let cqLevel: UInt8
    /// Temporal layers, 1…3: the sender drops the upper ones when bandwidth runs short. A new value restarts the encoder.
    public let temporalLayers: UInt32

    /// Settings; without arguments those of `allKeyframe`.
    public init(
        maxBitrate: Int = 3_000_000, cpuUsed: Int8 = 16, quantizerMin: UInt8 = 30, quantizerMax: UInt8 = 40,
        keyframeInterval: UInt16 = 1, rateControlMode: RcMode = .vbr, cqLevel: UInt8 = 30, temporalLayers: UInt32 = 1
    ) {
        self.maxBitrate = maxBitrate
        self.cpuUsed = cpuUsed
        self.quantizerMin = quantizerMin
        self.quantizerMax = quantizerMax
        self.keyframeInterval = keyframeInterval
        self.rateControlMode = rateControlMode
        self.cqLevel = cqLevel
        self.temporalLayers = temporalLayers
    }

    /// Every frame a keyframe: 3 Mbit/s, effort 16, quantizer 30…40, `vbr`.
    public static let allKeyframe = Vp8Encoding()
    /// Little delay: 3 Mbit/s, effort 12, quantizer 4…48, a keyframe every 15 frames, `cbr`.
    public static let lowLatency = Vp8Encoding(
        maxBitrate: 3_000_000, cpuUsed: 12, quantizerMin: 4, quantizerMax: 48, keyframeInterval: 15,
        rateControlMode: .cbr)
    /// A sharp picture: 8 Mbit/s, effort 4, quantizer 2…40, a keyframe every 60 frames, `vbr`.
    public static let highQuality = Vp8Encoding(
        maxBitrate: 8_000_000, cpuUsed: 4, quantizerMin: 2, quantizerMax: 40, keyframeInterval: 60,
        rateControlMode: .vbr)
    /// A weak network: 1.5 Mbit/s, effort 16, quantizer 10…56, a keyframe every 10 frames, `cq`.
    public static let lowBandwidth = Vp8Encoding(
        maxBitrate: 1_500_000, cpuUsed: 16, quantizerMin: 10, quantizerMax: 56, keyframeInterval: 10,
        rateControlMode: .cq)
}

extension Vp8Encoding {
    /// Throws for the first value outside its documented range.
    func validate() throws(RoomError) {
        try require(maxBitrate > 0, "maxBitrate", "must be above 0")
        try require((-16...16).contains(cpuUsed), "cpuUsed", "must be -16 to 16")
        try require(quantizerMin <= 63, "quantizerMin", "must be 0 to 63")
        try require(quantizerMax <= 63, "quantizerMax", "must be 0 to 63")
        try require(quantizerMin <= quantizerMax, "quantizerMax", "must not be below quantizerMin")
        try require(keyframeInterval >= 1, "keyframeInterval", "must be at least 1")
        try require(cqLevel <= 63, "cqLevel", "must be 0 to 63")
        try require((1...3).contains(temporalLayers), "temporalLayers", "must be 1 to 3")
    }
}

/// Throws `RoomError.invalidParameter` unless a value is in range.
func require(_ isInRange: Bool, _ name: String, _ reason: String) throws(RoomError) {
    guard isInRange else { throw .invalidParameter(name: name, reason: reason) }
}
