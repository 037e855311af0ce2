// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime
import Testing

@testable import revue

@Suite struct PictureQualityTests {
    private func picture(_ width: Int, _ height: Int, _ value: (Int, Int) -> Int) throws -> Luma {
        let values = (0..<(width * height)).map { UInt8(clamping: value($0 % width, $0 / width)) }
        return try #require(Luma(width: width, height: height, values: values))
    }

    private func waves(_ x: Int, _ y: Int) -> Int { 128 + (x * 7 + y * 13) % 90 - 45 }

    @Test func `identical pictures have 100 dB and a similarity of 1`() throws {
        let source = try picture(64, 48, waves)
        let quality = try #require(PictureQuality(of: source, against: source))
        #expect(quality.psnr == 100)
        #expect(abs(quality.ssim - 1) < 1e-12)
    }

    @Test(arguments: [(1, 48.1308), (2, 42.1102), (16, 24.0484)])
    func `a constant difference has the noise ratio that the formula gives`(offset: Int, decibel: Double) throws {
        let source = try picture(64, 48) { _, _ in 100 }
        let shifted = try picture(64, 48) { _, _ in 100 + offset }
        let quality = try #require(PictureQuality(of: shifted, against: source))
        #expect(abs(quality.psnr - decibel) < 0.0001)
    }

    @Test func `a flat pair has the similarity that the formula gives`() throws {
        let source = try picture(16, 16) { _, _ in 100 }
        let shifted = try picture(16, 16) { _, _ in 120 }
        let expected = (2.0 * 100 * 120 + 6.5025) / (100.0 * 100 + 120 * 120 + 6.5025)
        let quality = try #require(PictureQuality(of: shifted, against: source))
        #expect(abs(quality.ssim - expected) < 1e-12)
    }

    @Test func `an inverted picture is unlike its source`() throws {
        let source = try picture(64, 48, waves)
        let inverted = try picture(64, 48) { 255 - waves($0, $1) }
        #expect(try #require(PictureQuality(of: inverted, against: source)).ssim < 0)
    }

    @Test func `more noise means less of both`() throws {
        let source = try picture(64, 48, waves)
        var generator = SeededGenerator(seed: 7)
        func noisy(_ amount: Int) throws -> PictureQuality {
            let copy = try picture(64, 48) { waves($0, $1) + Int.random(in: -amount...amount, using: &generator) }
            return try #require(PictureQuality(of: copy, against: source))
        }
        let (little, much) = (try noisy(4), try noisy(40))
        #expect(little.psnr > much.psnr + 10)
        #expect(little.ssim > much.ssim)
    }

    @Test func `pictures of different or tiny size are not compared`() throws {
        let small = try picture(4, 4, waves)
        #expect(PictureQuality(of: small, against: small) == nil)
        #expect(PictureQuality(of: try picture(16, 16, waves), against: try picture(16, 24, waves)) == nil)
    }

    @Test(arguments: [PixelFormat.i420, .nv12])
    func `brightness is read without the padding of its rows`(format: PixelFormat) throws {
        let buffer = try #require(PixelBuffer(width: 10, height: 6, format: format))
        buffer.withPlanes { planes in
            for row in 0..<6 { for column in 0..<10 { planes[0].row(row)[column] = UInt8(row * 10 + column) } }
        }
        #expect(try #require(Luma(buffer)).values == (0..<60).map(UInt8.init))
    }

    @Test func `a picture without a plane of brightness has none`() throws {
        #expect(Luma(try #require(PixelBuffer(width: 8, height: 8, format: .bgra))) == nil)
    }
}
