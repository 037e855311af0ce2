// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import Testing

@testable import RevueCore

struct VideoPublishOptionsTests {
    @Test func `without arguments every frame is a keyframe at 15 fps, balanced`() {
        let options = VideoPublishOptions()
        #expect(options.codec == .vp8(.allKeyframe))
        #expect(options.maxFps == 15)
        #expect(options.degradationPreference == .balanced)
        #expect(throws: Never.self) { try options.validate() }
    }

    @Test(arguments: [
        (Vp8Encoding.allKeyframe, [3_000_000, 16, 30, 40, 1], RcMode.vbr),
        (Vp8Encoding.lowLatency, [3_000_000, 12, 4, 48, 15], RcMode.cbr),
        (Vp8Encoding.highQuality, [8_000_000, 4, 2, 40, 60], RcMode.vbr),
        (Vp8Encoding.lowBandwidth, [1_500_000, 16, 10, 56, 10], RcMode.cq),
    ])
    func `each VP8 preset has its documented values and is in range`(
        preset: Vp8Encoding, values: [Int], mode: RcMode
    ) throws {
        #expect(
            [
                preset.maxBitrate, Int(preset.cpuUsed), Int(preset.quantizerMin), Int(preset.quantizerMax),
                Int(preset.keyframeInterval),
            ] == values)
        #expect(preset.rateControlMode == mode)
        #expect(preset.cqLevel == 30)
        #expect(preset.temporalLayers == 1)
        try preset.validate()
    }

    @Test(arguments: [
        ("maxBitrate", Vp8Encoding(maxBitrate: 0)),
        ("maxBitrate", Vp8Encoding(maxBitrate: -1)),
        ("cpuUsed", Vp8Encoding(cpuUsed: 17)),
        ("cpuUsed", Vp8Encoding(cpuUsed: -17)),
        ("quantizerMin", Vp8Encoding(quantizerMin: 64, quantizerMax: 64)),
        ("quantizerMax", Vp8Encoding(quantizerMax: 64)),
        ("quantizerMax", Vp8Encoding(quantizerMin: 31, quantizerMax: 30)),
        ("keyframeInterval", Vp8Encoding(keyframeInterval: 0)),
        ("cqLevel", Vp8Encoding(cqLevel: 64)),
        ("temporalLayers", Vp8Encoding(temporalLayers: 0)),
        ("temporalLayers", Vp8Encoding(temporalLayers: 4)),
    ])
    func `a VP8 value out of range is named`(name: String, encoding: Vp8Encoding) {
        #expect(throwing(.vp8(encoding)) == name)
    }

    @Test(arguments: [
        Vp8Encoding(maxBitrate: 1), Vp8Encoding(cpuUsed: -16), Vp8Encoding(quantizerMin: 0, quantizerMax: 0),
        Vp8Encoding(quantizerMin: 63, quantizerMax: 63), Vp8Encoding(keyframeInterval: .max), Vp8Encoding(cqLevel: 0),
        Vp8Encoding(cqLevel: 63), Vp8Encoding(temporalLayers: 3),
    ])
    func `the ends of each VP8 range are in range`(encoding: Vp8Encoding) {
        #expect(throwing(.vp8(encoding)) == nil)
    }

    @Test(arguments: [(0, "maxBitrate"), (-5, "maxBitrate"), (1, nil)])
    func `an H264 bitrate must be above 0`(bitrate: Int, name: String?) {
        #expect(throwing(.h264(H264Encoding(maxBitrate: bitrate))) == name)
    }

    @Test(arguments: [(0, false), (1, true), (60, true), (61, false), (-1, false)])
    func `maxFps is 1 to 60`(fps: Int, isInRange: Bool) throws {
        let error = RoomError.invalidParameter(name: "maxFps", reason: "must be 1 to 60")
        let options = VideoPublishOptions(maxFps: fps)
        if isInRange {
            try options.validate()
            #expect(try VideoPublishOptions().with(maxFps: fps) == options)
        } else {
            #expect(throws: error) { try options.validate() }
            #expect(throws: error) { try VideoPublishOptions().with(maxFps: fps) }
        }
    }

    @Test func `changing the codec keeps the rest`() throws {
        let options = VideoPublishOptions(maxFps: 24, degradationPreference: .maintainResolution)
        let changed = try options.with(codec: .h264Default)
        #expect(
            changed
                == VideoPublishOptions(codec: .h264Default, maxFps: 24, degradationPreference: .maintainResolution))
        #expect(throws: RoomError.invalidParameter(name: "maxBitrate", reason: "must be above 0")) {
            try options.with(codec: .h264(H264Encoding(maxBitrate: 0)))
        }
    }

    @Test func `the encoder is told every VP8 value`() {
        let encoding = Vp8Encoding(
            maxBitrate: 1_234_567, cpuUsed: -3, quantizerMin: 5, quantizerMax: 50, keyframeInterval: 77,
            rateControlMode: .cq, cqLevel: 11, temporalLayers: 2)
        let settings = VideoPublishOptions(codec: .vp8(encoding), maxFps: 24).encoderSettings(isScreenContent: true)
        #expect(
            settings
                == VideoEncoderSettings(
                    codec: .vp8, bitrate: 1_234_567, frameRate: 24, cpuUsed: -3, quantizerMin: 5, quantizerMax: 50,
                    keyframeInterval: 77, rateControl: .constrainedQuality, cqLevel: 11, temporalLayers: 2,
                    isScreenContent: true))
    }

    @Test func `an H264 encoder is told the bitrate and the frame rate`() {
        let codec = VideoCodec.h264(H264Encoding(maxBitrate: 2_000_000))
        let settings = VideoPublishOptions(codec: codec, maxFps: 30).encoderSettings(isScreenContent: false)
        #expect(settings.codec == .h264)
        #expect(settings.bitrate == 2_000_000)
        #expect(settings.frameRate == 30)
        #expect(settings.keyframeInterval == 600)
    }

    @Test(arguments: [
        (RcMode.vbr, RateControl.variable), (.cbr, .constant), (.cq, .constrainedQuality),
    ])
    func `each rate control mode has its port value`(mode: RcMode, control: RateControl) {
        #expect(RateControl(mode) == control)
    }

    private func throwing(_ codec: VideoCodec) -> String? {
        do throws(RoomError) {
            try VideoPublishOptions(codec: codec).validate()
            return nil
        } catch {
            if case .invalidParameter(let name, let reason) = error, !reason.isEmpty { return name }
            return "\(error)"
        }
    }
}
