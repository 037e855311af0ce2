// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueVpx
import Testing

@Suite struct `VP8 temporal layers` {
    private let factory = VpxCodecFactory()

    private func settings(_ layers: Int) -> VideoEncoderSettings {
        VideoEncoderSettings(
            bitrate: 1_000_000, frameRate: 30, cpuUsed: 4, quantizerMin: 2, quantizerMax: 56, keyframeInterval: 1_000,
            rateControl: .constant, temporalLayers: layers)
    }

    private struct Coded {
        let picture: PixelBuffer
        let frame: EncodedVideoFrame
    }

    private func code(layers: Int, count: Int = 17) throws -> [Coded] {
        let encoder = try factory.makeEncoder(settings(layers))
        return try (0..<count).map { step in
            let picture = try TestPicture.waves(width: 160, height: 120, step: step)
            let frame = try #require(try encoder.encode(picture.frame(step), forceKeyframe: false))
            return Coded(picture: picture, frame: frame)
        }
    }

    @Test(arguments: [
        (1, [0, 0, 0, 0, 0, 0, 0, 0]), (2, [0, 1, 0, 1, 0, 1, 0, 1]), (3, [0, 2, 1, 2, 0, 2, 1, 2]),
    ])
    func `frames say their layer, in the pattern of that many layers`(layers: Int, pattern: [Int]) throws {
        #expect(try code(layers: layers, count: 8).map(\.frame.temporalLayer) == pattern)
    }

    @Test(arguments: [(2, 0), (3, 0), (3, 1), (3, 2)])
    func `the lower layers decode alone`(layers: Int, highest: Int) throws {
        let decoder = try factory.makeDecoder(.vp8)
        for coded in try code(layers: layers) where coded.frame.temporalLayer <= highest {
            let decoded = try #require(try decoder.decode(coded.frame))
            #expect(TestPicture.psnr(coded.picture, decoded) > 30)
        }
    }

    @Test func `a sync frame is where an upper layer may begin`() throws {
        let all = try code(layers: 3)
        for start in all.indices where all[start].frame.temporalLayer == 2 && all[start].frame.isLayerSync {
            let decoder = try factory.makeDecoder(.vp8)
            for (index, coded) in all.enumerated() where index <= start + 1 {
                guard coded.frame.temporalLayer == 0 || index >= start else { continue }
                let decoded = try #require(try decoder.decode(coded.frame))
                #expect(TestPicture.psnr(coded.picture, decoded) > 30)
            }
        }
        #expect(all.contains { $0.frame.temporalLayer == 2 && $0.frame.isLayerSync })
        #expect(all.contains { $0.frame.temporalLayer == 1 && $0.frame.isLayerSync })
    }

    @Test func `changing their number restarts with a keyframe`() throws {
        let encoder = try factory.makeEncoder(settings(1))
        let decoder = try factory.makeDecoder(.vp8)
        var keyframes: [Int] = []
        for step in 0..<12 {
            if step == 4 { try encoder.apply(settings(3)) }
            if step == 8 { try encoder.apply(settings(2)) }
            let picture = try TestPicture.waves(width: 80, height: 60, step: step)
            let coded = try #require(try encoder.encode(picture.frame(step), forceKeyframe: false))
            if coded.isKeyframe { keyframes.append(step) }
            #expect(try decoder.decode(coded) != nil)
        }
        #expect(keyframes == [0, 4, 8])
    }

    @Test func `a forced keyframe begins the pattern anew`() throws {
        let encoder = try factory.makeEncoder(settings(3))
        let layers = try (0..<8).map { step in
            let picture = try TestPicture.waves(width: 80, height: 60, step: step)
            return try encoder.encode(picture.frame(step), forceKeyframe: step == 3)?.temporalLayer
        }
        #expect(layers == [0, 2, 1, 0, 2, 1, 2, 0])
    }
}
