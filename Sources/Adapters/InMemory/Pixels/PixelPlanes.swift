// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// Planes between I420 and NV12.
enum PlaneCopy {
    static func interleave(_ planar: PixelBuffer, into result: PixelBuffer) {
        planar.withPlanes(and: result) { planar, result in
            copyLuma(planar, into: result)
            for y in 0..<result[1].height {
                let (u, v, pairs) = (planar[1].row(y), planar[2].row(y), result[1].row(y))
                for x in 0..<result[1].width {
                    pairs[2 * x] = u[x]
                    pairs[2 * x + 1] = v[x]
                }
            }
        }
    }

    static func separate(_ paired: PixelBuffer, into result: PixelBuffer) {
        paired.withPlanes(and: result) { paired, result in
            copyLuma(paired, into: result)
            for y in 0..<paired[1].height {
                let (u, v, pairs) = (result[1].row(y), result[2].row(y), paired[1].row(y))
                for x in 0..<paired[1].width {
                    u[x] = pairs[2 * x]
                    v[x] = pairs[2 * x + 1]
                }
            }
        }
    }

    /// Changes every sample, luma and chroma each in its own way.
    static func map(_ buffer: PixelBuffer, luma: (Int) -> UInt8, chroma: (Int) -> UInt8) {
        let lumaTable = (0...255).map(luma)
        let chromaTable = (0...255).map(chroma)
        buffer.withPlanes { planes in
            for index in planes.indices {
                let (plane, table) = (planes[index], index == 0 ? lumaTable : chromaTable)
                let rowBytes = buffer.format == .i420 || index == 0 ? plane.width : 2 * plane.width
                for y in 0..<plane.height {
                    let row = plane.row(y)
                    for x in 0..<rowBytes { row[x] = table[Int(row[x])] }
                }
            }
        }
    }

    private static func copyLuma(_ source: PixelMemory, into result: PixelMemory) {
        for y in 0..<source[0].height { result[0].row(y).update(from: source[0].row(y), count: source[0].width) }
    }
}

/// Video range (16…235, chroma 16…240) and full range.
enum ColourRange {
    static func expandLuma(_ value: Int) -> UInt8 { rounded((value - 16) * 255, 219) }
    static func compressLuma(_ value: Int) -> UInt8 { rounded(value * 219 + 16 * 255, 255) }
    static func expandChroma(_ value: Int) -> UInt8 { rounded((value - 128) * 255 + 128 * 224, 224) }
    static func compressChroma(_ value: Int) -> UInt8 { rounded((value - 128) * 224 + 128 * 255, 255) }

    private static func rounded(_ numerator: Int, _ denominator: Int) -> UInt8 {
        UInt8(clamping: (max(0, numerator) + denominator / 2) / denominator)
    }
}

/// BGRA ↔ I420 by BT.601, video range.
enum BGRA {
    static func fill(_ result: PixelBuffer, from planar: PixelBuffer) {
        planar.withPlanes(and: result) { planar, result in
            for row in 0..<result[0].height {
                let (luma, blue, red) = (planar[0].row(row), planar[1].row(row / 2), planar[2].row(row / 2))
                for column in 0..<result[0].width {
                    let c = 298 * (Int(luma[column]) - 16)
                    let d = Int(blue[column / 2]) - 128
                    let e = Int(red[column / 2]) - 128
                    let pixel = result[0].row(row) + 4 * column
                    pixel[0] = UInt8(clamping: (c + 516 * d + 128) >> 8)
                    pixel[1] = UInt8(clamping: (c - 100 * d - 208 * e + 128) >> 8)
                    pixel[2] = UInt8(clamping: (c + 409 * e + 128) >> 8)
                    pixel[3] = 255
                }
            }
        }
    }

    static func read(_ buffer: PixelBuffer, into result: PixelBuffer) {
        buffer.withPlanes(and: result) { painted, result in
            let (pixels, luma, blue, red) = (painted[0], result[0], result[1], result[2])
            for row in 0..<pixels.height {
                for column in 0..<pixels.width {
                    let pixel = pixels.row(row) + 4 * column
                    let sum = 66 * Int(pixel[2]) + 129 * Int(pixel[1]) + 25 * Int(pixel[0])
                    luma.row(row)[column] = UInt8(clamping: (sum + 128) >> 8 + 16)
                }
            }
            for row in 0..<blue.height {
                for column in 0..<blue.width {
                    let (b, g, r) = mean(pixels, rows: 2 * row, columns: 2 * column)
                    blue.row(row)[column] = UInt8(clamping: (-38 * r - 74 * g + 112 * b + 128) >> 8 + 128)
                    red.row(row)[column] = UInt8(clamping: (112 * r - 94 * g - 18 * b + 128) >> 8 + 128)
                }
            }
        }
    }

    /// The mean colour of 2×2 pixels, fewer at an odd edge.
    private static func mean(_ plane: PixelMemory.Plane, rows: Int, columns: Int) -> (b: Int, g: Int, r: Int) {
        var (b, g, r, count) = (0, 0, 0, 0)
        for row in rows..<min(rows + 2, plane.height) {
            for column in columns..<min(columns + 2, plane.width) {
                let pixel = plane.row(row) + 4 * column
                b += Int(pixel[0])
                g += Int(pixel[1])
                r += Int(pixel[2])
                count += 1
            }
        }
        return ((b + count / 2) / count, (g + count / 2) / count, (r + count / 2) / count)
    }
}
