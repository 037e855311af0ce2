// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation

/// How near a decoded picture is to its source.
struct PictureQuality: Equatable, Sendable {
    /// Peak signal-to-noise ratio of the brightness in dB; 100 for identical pictures.
    var psnr: Double
    /// Structural similarity of the brightness, 1 for identical pictures.
    var ssim: Double

    /// Compares two pictures of one size; nil when the sizes differ or are below 8×8.
    init?(of picture: Luma, against source: Luma) {
        guard picture.width == source.width, picture.height == source.height, picture.width >= 8, picture.height >= 8
        else { return nil }
        psnr = Self.psnr(picture.values, source.values)
        ssim = Self.ssim(picture, source)
    }

    /// 10 · log10(255² / mean squared error), capped at 100 dB.
    static func psnr(_ left: [UInt8], _ right: [UInt8]) -> Double {
        var sum: UInt64 = 0
        left.withUnsafeBufferPointer { a in
            right.withUnsafeBufferPointer { b in
                for index in 0..<min(a.count, b.count) {
                    let difference = Int32(a[index]) &- Int32(b[index])
                    sum &+= UInt64(truncatingIfNeeded: difference &* difference)
                }
            }
        }
        guard sum > 0 else { return 100 }
        let meanSquaredError = Double(sum) / Double(left.count)
        return min(100, 10 * log10(255 * 255 / meanSquaredError))
    }

    /// Wang, Bovik, Sheikh and Simoncelli 2004 with uniform 8×8 windows every 4 pixels, as x264 and libvpx use them;
    /// C1 = (0.01 · 255)², C2 = (0.03 · 255)².
    static func ssim(_ left: Luma, _ right: Luma) -> Double {
        let columns = left.width / 4
        let rows = left.height / 4
        let cells = Cell.grid(left, right, columns: columns, rows: rows)
        var sum = 0.0
        for row in 0..<(rows - 1) {
            for column in 0..<(columns - 1) {
                let first = row * columns + column
                let window = cells[first] + cells[first + 1] + cells[first + columns] + cells[first + columns + 1]
                sum += window.similarity
            }
        }
        return sum / Double((rows - 1) * (columns - 1))
    }
}

/// The sums of a 4×4 square in both pictures, which make up the windows.
private struct Cell {
    var a = 0
    var b = 0
    var squares = 0
    var products = 0

    static func + (left: Cell, right: Cell) -> Cell {
        Cell(
            a: left.a &+ right.a, b: left.b &+ right.b, squares: left.squares &+ right.squares,
            products: left.products &+ right.products)
    }

    static func grid(_ left: Luma, _ right: Luma, columns: Int, rows: Int) -> [Cell] {
        var cells = [Cell](repeating: Cell(), count: columns * rows)
        left.values.withUnsafeBufferPointer { a in
            right.values.withUnsafeBufferPointer { b in
                for y in 0..<(rows * 4) {
                    for x in 0..<(columns * 4) {
                        let (p, q) = (Int(a[y &* left.width &+ x]), Int(b[y &* left.width &+ x]))
                        let index = (y >> 2) &* columns &+ (x >> 2)
                        cells[index].a &+= p
                        cells[index].b &+= q
                        cells[index].squares &+= p &* p &+ q &* q
                        cells[index].products &+= p &* q
                    }
                }
            }
        }
        return cells
    }

    /// SSIM of a window of 64 values.
    var similarity: Double {
        let count = 64.0
        let (meanA, meanB) = (Double(a) / count, Double(b) / count)
        let variances = Double(squares) / count - meanA * meanA - meanB * meanB
        let covariance = Double(products) / count - meanA * meanB
        let (c1, c2) = (6.5025, 58.5225)
        return ((2 * meanA * meanB + c1) * (2 * covariance + c2))
            / ((meanA * meanA + meanB * meanB + c1) * (variances + c2))
    }
}
