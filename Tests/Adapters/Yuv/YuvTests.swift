// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueYuv
import Testing

@Suite struct `Pixel conversion` {
    private let converter = YuvConverter()
    static let sizes = [(1, 1), (2, 2), (1, 7), (7, 1), (17, 31), (64, 48), (641, 479)]

    @Test(arguments: PixelFormat.allCases, PixelFormat.allCases)
    func `every format turns into every other and back, at any size`(from: PixelFormat, to: PixelFormat) throws {
        for (width, height) in Self.sizes {
            let source = try converter.convert(Self.gentle(width: width, height: height), to: from)
            let there = try converter.convert(source, to: to)
            #expect((there.width, there.height, there.format) == (width, height, to))
            let back = try converter.convert(there, to: from)
            #expect((back.width, back.height, back.format) == (width, height, from))
            #expect(TestPicture.psnr(source, back) > 38, "\(width)×\(height)")
        }
    }

    @Test func `planar and paired chroma carry the same samples`() throws {
        for (width, height) in Self.sizes {
            let source = try TestPicture.noise(width: width, height: height, seed: 5)
            let back = try converter.convert(try converter.convert(source, to: .nv12), to: .i420)
            #expect(TestPicture.psnr(source, back) == 100)
        }
    }

    struct Colour: Sendable {
        let bgr: [UInt8]
        let yuv: [UInt8]
        let full: [UInt8]
    }

    /// ITU-R BT.601 by its definition.
    static let colours = [
        Colour(bgr: [0, 0, 0], yuv: [16, 128, 128], full: [0, 128, 128]),
        Colour(bgr: [255, 255, 255], yuv: [235, 128, 128], full: [255, 128, 128]),
        Colour(bgr: [0, 0, 255], yuv: [81, 90, 240], full: [76, 85, 255]),
        Colour(bgr: [0, 255, 0], yuv: [145, 54, 34], full: [150, 44, 21]),
        Colour(bgr: [255, 0, 0], yuv: [41, 240, 110], full: [29, 255, 107]),
    ]

    @Test(arguments: colours) func `colours are those of BT.601, in both ranges`(colour: Colour) throws {
        let bgra = try #require(PixelBuffer(width: 5, height: 3, format: .bgra))
        bgra.withPlanes { planes in
            let bytes = planes[0].bytes
            for index in bytes.indices { bytes[index] = index % 4 < 3 ? colour.bgr[index % 4] : 0 }
        }
        for (format, expected) in [(PixelFormat.i420, colour.yuv), (.nv12, colour.yuv), (.nv12FullRange, colour.full)] {
            let converted = try converter.convert(bgra, to: format)
            let seen = converted.withPlanes { planes in
                [planes[0].start[0], planes[1].start[0], format == .i420 ? planes[2].start[0] : planes[1].start[1]]
            }
            for (got, wanted) in zip(seen, expected) { #expect(abs(Int(got) - Int(wanted)) <= 2, "\(format)") }
            let back = try converter.convert(converted, to: .bgra)
            for channel in 0..<3 {
                let got = back.withPlanes { $0[0].start[channel] }
                #expect(abs(Int(got) - Int(colour.bgr[channel])) <= 5, "\(format)")
            }
        }
    }

    @Test(arguments: [PixelFormat.i420, .nv12, .nv12FullRange])
    func `alpha is 255 whatever the picture came from`(format: PixelFormat) throws {
        let source = try converter.convert(try TestPicture.waves(width: 33, height: 17), to: format)
        let painted = try converter.convert(source, to: .bgra)
        let isOpaque = painted.withPlanes { planes in
            (0..<17).allSatisfy { row in (0..<33).allSatisfy { planes[0].row(row)[4 * $0 + 3] == 255 } }
        }
        #expect(isOpaque)
    }

    @Test func `what needs no change comes back as it is`() throws {
        let source = try TestPicture.waves(width: 16, height: 16)
        #expect(try converter.convert(source, to: .i420) === source)
        #expect(try converter.scale(source, width: 16, height: 16) === source)
        #expect(try converter.rotate(source, degrees: 0) === source)
    }

    @Test(arguments: [(1, 1), (3, 5), (160, 120), (640, 480), (1_001, 33)])
    func `a flat picture keeps its colour at any size`(width: Int, height: Int) throws {
        for (fromWidth, fromHeight) in [(1, 1), (17, 31), (320, 240)] {
            let source = try TestPicture.flat(width: fromWidth, height: fromHeight, y: 90, u: 60, v: 200)
            let scaled = try converter.scale(source, width: width, height: height)
            #expect((scaled.width, scaled.height, scaled.format) == (width, height, .i420))
            let expected = try TestPicture.flat(width: width, height: height, y: 90, u: 60, v: 200)
            #expect(TestPicture.psnr(scaled, expected) > 45)
        }
    }

    @Test func `a picture scaled down and up again is still the picture`() throws {
        for format in PixelFormat.allCases {
            let source = try Self.gentle(width: 320, height: 240)
            let small = try converter.scale(try converter.convert(source, to: format), width: 161, height: 119)
            #expect(TestPicture.psnr(source, try converter.scale(small, width: 320, height: 240)) > 30)
        }
    }

    @Test func `shrinking averages instead of picking`() throws {
        let source = try TestPicture.flat(width: 64, height: 64, y: 0, u: 128, v: 128)
        source.withPlanes { planes in
            for row in 0..<64 {
                for column in 0..<64 where (row + column).isMultiple(of: 2) { planes[0].row(row)[column] = 200 }
            }
        }
        let small = try converter.scale(source, width: 16, height: 16)
        #expect(TestPicture.psnr(small, try TestPicture.flat(width: 16, height: 16, y: 100, u: 128, v: 128)) > 45)
    }

    @Test(arguments: [90, 180, 270], sizes)
    func `a turn puts every pixel where it belongs`(degrees: Int, size: (Int, Int)) throws {
        let (width, height) = size
        let source = try TestPicture.noise(width: width, height: height, seed: 9)
        let turned = try converter.rotate(source, degrees: degrees)
        #expect((turned.width, turned.height) == (degrees == 180 ? (width, height) : (height, width)))
        source.withPlanes(and: turned) { from, to in
            for index in from.indices {
                #expect(misplaced(from[index], to[index], degrees: degrees) == nil, "plane \(index)")
            }
        }
    }

    /// The first row and column whose sample is not where it should be after the turn.
    private func misplaced(_ from: PixelMemory.Plane, _ to: PixelMemory.Plane, degrees: Int) -> String? {
        for row in 0..<from.height {
            for column in 0..<from.width {
                let (newRow, newColumn) =
                    switch degrees {
                    case 90: (column, from.height - 1 - row)
                    case 180: (from.height - 1 - row, from.width - 1 - column)
                    default: (from.width - 1 - column, row)
                    }
                if from.row(row)[column] != to.row(newRow)[newColumn] { return "row \(row), column \(column)" }
            }
        }
        return nil
    }

    @Test(arguments: [45, -90, 360, .max]) func `other angles are refused`(degrees: Int) throws {
        let source = try TestPicture.waves(width: 4, height: 4)
        #expect(throws: CodecError.self) { try converter.rotate(source, degrees: degrees) }
    }

    @Test(arguments: [(0, 10), (10, -1), (16_385, 1), (.max, .max)])
    func `a size that no buffer has is refused`(width: Int, height: Int) throws {
        let source = try TestPicture.waves(width: 4, height: 4)
        #expect(throws: CodecError.self) { try converter.scale(source, width: width, height: height) }
    }

    /// Slow gradients of moderate colours, so that halved chroma and 8-bit rounding lose next to nothing.
    private static func gentle(width: Int, height: Int) throws -> PixelBuffer {
        let buffer = try TestPicture.flat(width: width, height: height, y: 0, u: 0, v: 0)
        buffer.withPlanes { planes in
            for index in planes.indices {
                let (plane, base) = (planes[index], [90, 118, 132][index])
                for row in 0..<plane.height {
                    for column in 0..<plane.width {
                        let slope = 40 * column / max(32, plane.width) + 20 * row / max(32, plane.height)
                        plane.row(row)[column] = UInt8(base + (index == 0 ? slope : slope / 4))
                    }
                }
            }
        }
        return buffer
    }
}
