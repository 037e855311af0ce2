// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueVpx
import Testing

@Suite struct `VP8 settings` {
    private let factory = VpxCodecFactory()
    private let base = VideoEncoderSettings(
        bitrate: 400_000, frameRate: 30, cpuUsed: 8, quantizerMin: 2, quantizerMax: 63, keyframeInterval: 10_000,
        rateControl: .constant)

    struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        let value: Int

        init(_ name: String, _ value: Int) {
            self.name = name
            self.value = value
        }

        var testDescription: String { "\(name) = \(value)" }

        func make(_ settings: inout VideoEncoderSettings) {
            switch name {
            case "bitrate": settings.bitrate = value
            case "frameRate": settings.frameRate = value
            case "cpuUsed": settings.cpuUsed = value
            case "quantizerMin": settings.quantizerMin = value
            case "quantizerMax": settings.quantizerMax = value
            case "keyframeInterval": settings.keyframeInterval = value
            case "cqLevel": settings.cqLevel = value
            case "temporalLayers": settings.temporalLayers = value
            default: Issue.record("no setting \(name)")
            }
        }
    }

    static let wrong = [
        Change("bitrate", 0), Change("bitrate", -1), Change("frameRate", 0),
        Change("frameRate", 61), Change("cpuUsed", -17), Change("cpuUsed", 17),
        Change("quantizerMin", -1), Change("quantizerMin", 64),
        Change("quantizerMax", 64), Change("quantizerMax", 1),
        Change("keyframeInterval", 0), Change("cqLevel", -1),
        Change("cqLevel", 64), Change("temporalLayers", 0),
        Change("temporalLayers", 4),
    ]

    @Test(arguments: wrong)
    func `a value out of range is refused by name, and what was set before stays`(change: Change) throws {
        var settings = base
        change.make(&settings)
        func refuses(_ body: () throws -> Void) {
            #expect {
                try body()
            } throws: { error in
                guard case CodecError.invalidSetting(let name, _) = error else { return false }
                return name == change.name
            }
        }
        refuses { _ = try factory.makeEncoder(settings) }
        let encoder = try factory.makeEncoder(base)
        let first = try TestPicture.waves(width: 64, height: 64)
        #expect(try encoder.encode(first.frame(0), forceKeyframe: false) != nil)
        refuses { try encoder.apply(settings) }
        let second = try TestPicture.waves(width: 64, height: 64, step: 1)
        #expect(try encoder.encode(second.frame(1), forceKeyframe: false)?.isKeyframe == false)
    }

    static let extremes = [
        Change("bitrate", 1), Change("bitrate", .max), Change("frameRate", 1),
        Change("frameRate", 60), Change("cpuUsed", -16), Change("cpuUsed", 16),
        Change("quantizerMin", 0), Change("quantizerMin", 63),
        Change("quantizerMax", 2), Change("keyframeInterval", .max),
        Change("cqLevel", 0), Change("cqLevel", 63),
    ]

    @Test(arguments: extremes, RateControl.allCases)
    func `the ends of every range work, live and without a restart`(change: Change, control: RateControl) throws {
        let encoder = try factory.makeEncoder(base)
        let decoder = try factory.makeDecoder(.vp8)
        var settings = base
        settings.rateControl = control
        change.make(&settings)
        for step in 0..<6 {
            if step == 3 { try encoder.apply(settings) }
            let picture = try TestPicture.waves(width: 80, height: 48, step: step)
            guard let coded = try encoder.encode(picture.frame(step), forceKeyframe: false) else { continue }
            #expect(coded.isKeyframe == (step == 0))
            #expect(try decoder.decode(coded) != nil)
        }
    }

    @Test func `a bitrate changed live changes the size without a keyframe`() throws {
        let encoder = try factory.makeEncoder(base)
        var settings = base
        // The second after a change lets the old rate's buffer run out, so it does not count.
        _ = try bytes(encoder, frames: 0..<30)
        let low = try bytes(encoder, frames: 30..<90)
        settings.bitrate = 1_600_000
        try encoder.apply(settings)
        var keyframes = try bytes(encoder, frames: 90..<120).keyframes
        let high = try bytes(encoder, frames: 120..<180)
        try encoder.apply(base)
        keyframes += try bytes(encoder, frames: 180..<210).keyframes
        let lowAgain = try bytes(encoder, frames: 210..<270)
        #expect(keyframes + high.keyframes + lowAgain.keyframes == 0)
        #expect((3...5).contains(Double(high.count) / Double(low.count)))
        #expect((3...5).contains(Double(high.count) / Double(lowAgain.count)))
    }

    @Test func `constant bitrate keeps to its rate`() throws {
        let encoder = try factory.makeEncoder(base)
        _ = try bytes(encoder, frames: 0..<30)
        let bits = try bytes(encoder, frames: 30..<120).count * 8
        #expect((0.7...1.3).contains(Double(bits) / (3 * 400_000)))
    }

    @Test func `the quantizer bounds the quality, live`() throws {
        let encoder = try factory.makeEncoder(base)
        var settings = base
        settings.rateControl = .variable
        var sizes: [Int] = []
        for quantizer in [10, 60] {
            (settings.quantizerMin, settings.quantizerMax) = (quantizer, quantizer)
            try encoder.apply(settings)
            let picture = try TestPicture.noise(width: 160, height: 120, seed: 3)
            sizes.append(
                try #require(try encoder.encode(picture.frame(sizes.count), forceKeyframe: true)).bytes.count)
        }
        #expect(sizes[0] > 2 * sizes[1])
    }

    @Test func `constrained quality follows its level, live`() throws {
        var settings = base
        settings.rateControl = .constrainedQuality
        settings.bitrate = 20_000_000
        var sizes: [Int] = []
        for level in [4, 60] {
            settings.cqLevel = level
            let encoder = try factory.makeEncoder(settings)
            sizes.append(try bytes(encoder, frames: 0..<10).count)
        }
        #expect(sizes[0] > 2 * sizes[1])
    }

    @Test func `pictures that the bitrate cannot carry are dropped, but never for longer than two seconds`() throws {
        var settings = base
        settings.bitrate = 10_000
        settings.quantizerMax = 10
        let encoder = try factory.makeEncoder(settings)
        var (dropped, inARow, longest) = (0, 0, 0)
        for step in 0..<150 {
            let picture = try TestPicture.noise(width: 96, height: 96, seed: UInt64(step))
            if try encoder.encode(picture.frame(step), forceKeyframe: false) == nil {
                dropped += 1
                inARow += 1
                longest = max(longest, inARow)
            } else {
                inARow = 0
            }
        }
        #expect(dropped > 30)
        #expect(longest <= 60)
    }

    @Test func `a forced keyframe is never dropped`() throws {
        var settings = base
        settings.bitrate = 10_000
        let encoder = try factory.makeEncoder(settings)
        for step in 0..<40 {
            let picture = try TestPicture.noise(width: 96, height: 96, seed: UInt64(step))
            let coded = try encoder.encode(picture.frame(step), forceKeyframe: step.isMultiple(of: 4))
            if step.isMultiple(of: 4) { #expect(coded?.isKeyframe == true) }
        }
    }

    @Test func `screen content is coded, live`() throws {
        var settings = base
        settings.isScreenContent = true
        for control in RateControl.allCases {
            settings.rateControl = control
            let encoder = try factory.makeEncoder(base)
            let decoder = try factory.makeDecoder(.vp8)
            for step in 0..<6 {
                if step == 2 { try encoder.apply(settings) }
                let picture = try TestPicture.waves(width: 160, height: 90, step: step)
                let coded = try #require(try encoder.encode(picture.frame(step), forceKeyframe: false))
                #expect(TestPicture.psnr(picture, try #require(try decoder.decode(coded))) > 27)
            }
        }
    }

    private func bytes(
        _ encoder: any VideoEncoder, frames: Range<Int>
    ) throws -> (count: Int, keyframes: Int) {
        var (count, keyframes) = (0, 0)
        for step in frames {
            let picture = try TestPicture.noise(width: 160, height: 120, seed: UInt64(step))
            guard let coded = try encoder.encode(picture.frame(step), forceKeyframe: false) else { continue }
            count += coded.bytes.count
            keyframes += coded.isKeyframe ? 1 : 0
        }
        return (count, keyframes)
    }
}
