// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTestPattern
import RevueTime
import RevueVpx
import RevueYuv
import Testing

@Suite struct `Frame stamp` {
    private static let stamps = [
        FrameStamp(number: 0, captureTime: 0), FrameStamp(number: .max, captureTime: .max),
        FrameStamp(number: 1, captureTime: .min), FrameStamp(number: 0xDEAD_BEEF, captureTime: -1),
        FrameStamp(number: 123_456, captureTime: 1_790_000_000_123_456),
    ]
    private let converter = YuvConverter()

    @Test(arguments: [(112, 80), (113, 81), (160, 120), (641, 479), (1_280, 720), (90 * 9, 1_440)])
    func `what is drawn is read back, at any size and in I420 and NV12`(width: Int, height: Int) throws {
        for stamp in Self.stamps {
            for format in [PixelFormat.i420, .nv12, .nv12FullRange] {
                let picture = try converter.convert(try TestPicture.waves(width: width, height: height), to: format)
                let own = try copy(picture)
                #expect(stamp.draw(into: own))
                #expect(FrameStamp.read(from: own) == stamp)
            }
        }
    }

    @Test(arguments: [(640, 360), (320, 240), (160, 120)])
    func `it survives scaling and VP8 at its worst quality`(width: Int, height: Int) throws {
        let encoder = try VpxCodecFactory().makeEncoder(
            VideoEncoderSettings(
                bitrate: 50_000, frameRate: 30, cpuUsed: 16, quantizerMin: 63, quantizerMax: 63, keyframeInterval: 30,
                rateControl: .variable))
        let decoder = try VpxCodecFactory().makeDecoder(.vp8)
        for step in 0..<40 {
            let stamp = FrameStamp(number: UInt32(step), captureTime: 1_790_000_000_000_000 + Int64(step) * 33_333)
            let picture = try TestPicture.waves(width: 640, height: 480, step: step)
            stamp.draw(into: picture)
            let sent = try converter.scale(picture, width: width, height: height)
            let coded = try #require(try encoder.encode(sent.frame(step), forceKeyframe: false))
            let decoded = try #require(try decoder.decode(coded))
            #expect(FrameStamp.read(from: decoded) == stamp)
            for (shownWidth, shownHeight) in [(160, 120), (801, 333)] {
                let shown = try converter.scale(decoded, width: shownWidth, height: shownHeight)
                #expect(FrameStamp.read(from: shown) == stamp, "shown at \(shownWidth)×\(shownHeight)")
            }
        }
    }

    @Test func `pictures without one give nothing`() throws {
        for step in 0..<20 {
            #expect(FrameStamp.read(from: try TestPicture.waves(width: 320, height: 240, step: step)) == nil)
            #expect(FrameStamp.read(from: try TestPicture.noise(width: 320, height: 240, seed: UInt64(step))) == nil)
        }
        for level in [UInt8(0), 16, 128, 255] {
            #expect(
                FrameStamp.read(from: try TestPicture.flat(width: 320, height: 240, y: level, u: 128, v: 128)) == nil)
        }
    }

    @Test func `a damaged one gives nothing rather than a wrong number`() throws {
        let stamp = FrameStamp(number: 77, captureTime: 123_456_789)
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<200 {
            let picture = try TestPicture.waves(width: 280, height: 200)
            stamp.draw(into: picture)
            // One or a few cells of 10×20 turned upside down, so that every comparison stays clear.
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let (column, row) = (
                    Int.random(in: 0..<28, using: &generator), Int.random(in: 0..<4, using: &generator)
                )
                picture.withPlanes { planes in
                    for y in (row * 20)..<(row * 20 + 20) {
                        let line = planes[0].row(y)
                        for x in (column * 10)..<(column * 10 + 10) { line[x] = 251 &- line[x] }
                    }
                }
            }
            let read = FrameStamp.read(from: picture)
            #expect(read == nil || read == stamp)
        }
    }

    @Test func `low contrast is read, too low is not`() throws {
        let stamp = FrameStamp(number: 9, captureTime: 9)
        for (contrast, isReadable) in [(0.5, true), (0.1, false)] {
            let picture = try TestPicture.waves(width: 320, height: 240)
            stamp.draw(into: picture)
            picture.withPlanes { planes in
                let luma = planes[0].bytes
                for index in luma.indices { luma[index] = UInt8(100 + contrast * Double(luma[index]) / 2) }
            }
            #expect((FrameStamp.read(from: picture) == stamp) == isReadable)
        }
    }

    @Test func `a picture without room or in BGRA is left alone`() throws {
        let stamp = FrameStamp(number: 1, captureTime: 1)
        #expect(!stamp.draw(into: try TestPicture.waves(width: 111, height: 80)))
        #expect(!stamp.draw(into: try TestPicture.waves(width: 112, height: 79)))
        let painted = try #require(PixelBuffer(width: 320, height: 240, format: .bgra))
        #expect(!stamp.draw(into: painted))
        #expect(FrameStamp.read(from: painted) == nil)
    }

    private func copy(_ picture: PixelBuffer) throws -> PixelBuffer {
        let made = try #require(PixelBuffer(width: picture.width, height: picture.height, format: picture.format))
        picture.withPlanes(and: made) { from, to in
            for index in from.indices { _ = to[index].bytes.update(fromContentsOf: from[index].bytes) }
        }
        return made
    }
}
