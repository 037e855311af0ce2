// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime
import RevueVpx
import Testing

@Suite struct `VP8 round trip` {
    private let factory = VpxCodecFactory()
    private let lowLatency = VideoEncoderSettings(
        bitrate: 2_000_000, frameRate: 30, cpuUsed: 4, quantizerMin: 2, quantizerMax: 56, keyframeInterval: 60,
        rateControl: .constant)

    @Test(arguments: [(1, 1), (2, 2), (17, 31), (16, 16), (320, 180), (641, 479), (640, 480)])
    func `a picture of any size comes back at its exact size and looks the same`(width: Int, height: Int) throws {
        let encoder = try factory.makeEncoder(lowLatency)
        let decoder = try factory.makeDecoder(.vp8)
        for step in 0..<4 {
            let picture = try TestPicture.waves(width: width, height: height, step: step)
            let coded = try #require(try encoder.encode(picture.frame(step), forceKeyframe: false))
            #expect(coded.isKeyframe == (step == 0))
            #expect((coded.width, coded.height) == (width, height))
            let decoded = try #require(try decoder.decode(coded))
            #expect((decoded.width, decoded.height, decoded.format) == (width, height, .i420))
            #expect(TestPicture.psnr(picture, decoded) > 30)
        }
    }

    @Test func `the default settings make every frame a keyframe`() throws {
        let encoder = try factory.makeEncoder(VideoEncoderSettings())
        for step in 0..<6 {
            let picture = try TestPicture.waves(width: 160, height: 120, step: step)
            let coded = try #require(try encoder.encode(picture.frame(step, rate: 15), forceKeyframe: false))
            #expect(coded.isKeyframe)
            // Each decodes on its own.
            let decoded = try #require(try factory.makeDecoder(.vp8).decode(coded))
            #expect(TestPicture.psnr(picture, decoded) > 28)
        }
    }

    @Test func `NV12 is coded like the same picture in I420`() throws {
        let planar = try TestPicture.waves(width: 97, height: 61)
        let pairs = try interleaved(planar, .nv12)
        let coded = try [planar, pairs].map {
            try #require(try factory.makeEncoder(lowLatency).encode($0.frame(0), forceKeyframe: false)).bytes
        }
        #expect(coded[0] == coded[1])
    }

    @Test func `full-range NV12 is narrowed to video range`() throws {
        let white = try TestPicture.flat(width: 64, height: 64, format: .nv12FullRange, y: 255, u: 255, v: 0)
        let coded = try #require(try factory.makeEncoder(lowLatency).encode(white.frame(0), forceKeyframe: false))
        let decoded = try #require(try factory.makeDecoder(.vp8).decode(coded))
        let expected = try TestPicture.flat(width: 64, height: 64, y: 235, u: 240, v: 16)
        #expect(TestPicture.psnr(decoded, expected) > 40)
    }

    @Test func `BGRA is refused with the way out`() throws {
        let buffer = try #require(PixelBuffer(width: 16, height: 16, format: .bgra))
        let encoder = try factory.makeEncoder(lowLatency)
        #expect {
            try encoder.encode(buffer.frame(0), forceKeyframe: false)
        } throws: { error in
            guard case CodecError.unsupportedInput(let reason) = error else { return false }
            return reason.contains("convert")
        }
    }

    @Test func `a side that VP8 cannot carry is refused`() throws {
        let buffer = try #require(PixelBuffer(width: 16_384, height: 2, format: .i420))
        let encoder = try factory.makeEncoder(lowLatency)
        #expect(throws: CodecError.self) { try encoder.encode(buffer.frame(0), forceKeyframe: false) }
    }

    @Test func `a new size restarts with a keyframe, and the decoder follows`() throws {
        let encoder = try factory.makeEncoder(lowLatency)
        let decoder = try factory.makeDecoder(.vp8)
        let sizes = [(160, 120), (160, 120), (320, 240), (320, 240), (81, 33), (320, 240)]
        var last: (Int, Int) = (0, 0)
        for (step, size) in sizes.enumerated() {
            let picture = try TestPicture.waves(width: size.0, height: size.1, step: step)
            let coded = try #require(try encoder.encode(picture.frame(step), forceKeyframe: false))
            #expect(coded.isKeyframe == (size != last))
            let decoded = try #require(try decoder.decode(coded))
            #expect((decoded.width, decoded.height) == size)
            #expect(TestPicture.psnr(picture, decoded) > 30)
            last = size
        }
    }

    @Test func `a keyframe comes when it is asked for and at the interval, no earlier`() throws {
        var settings = lowLatency
        settings.keyframeInterval = 5
        let encoder = try factory.makeEncoder(settings)
        var keyframes: [Int] = []
        for step in 0..<16 {
            let picture = try TestPicture.waves(width: 96, height: 64, step: step)
            let coded = try #require(try encoder.encode(picture.frame(step), forceKeyframe: step == 7))
            if coded.isKeyframe { keyframes.append(step) }
        }
        #expect(keyframes == [0, 5, 7, 12])
    }

    @Test func `the capture time comes out as it went in`() throws {
        let encoder = try factory.makeEncoder(lowLatency)
        let time = Instant(nanoseconds: 123_456_789_012_345)
        let frame = VideoFrame(buffer: try TestPicture.waves(width: 32, height: 32), captureTime: time)
        #expect(try encoder.encode(frame, forceKeyframe: false)?.captureTime == time)
    }

    @Test func `capture times that repeat, go back or leap are coded all the same`() throws {
        let encoder = try factory.makeEncoder(lowLatency)
        let decoder = try factory.makeDecoder(.vp8)
        let times: [Int64] = [0, 0, -5_000_000, .max, .min, 33_000_000, 3_600_000_000_000, 3_600_033_000_000]
        for (step, time) in times.enumerated() {
            let picture = try TestPicture.waves(width: 64, height: 48, step: step)
            let frame = VideoFrame(buffer: picture, captureTime: Instant(nanoseconds: time))
            let coded = try #require(try encoder.encode(frame, forceKeyframe: false))
            #expect(TestPicture.psnr(picture, try #require(try decoder.decode(coded))) > 28)
        }
    }

    @Test func `H.264 is not to be had here`() {
        #expect(throws: CodecError.notAvailable(codec: "h264")) { try factory.makeDecoder(.h264) }
        #expect(throws: CodecError.notAvailable(codec: "h264")) {
            try factory.makeEncoder(VideoEncoderSettings(codec: .h264))
        }
    }

    private func interleaved(_ planar: PixelBuffer, _ format: PixelFormat) throws -> PixelBuffer {
        let result = try #require(PixelBuffer(width: planar.width, height: planar.height, format: format))
        planar.withPlanes(and: result) { from, to in
            for row in 0..<from[0].height { to[0].row(row).update(from: from[0].row(row), count: from[0].width) }
            for row in 0..<to[1].height {
                for column in 0..<to[1].width {
                    to[1].row(row)[2 * column] = from[1].row(row)[column]
                    to[1].row(row)[2 * column + 1] = from[2].row(row)[column]
                }
            }
        }
        return result
    }
}
