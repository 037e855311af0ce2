// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// Planes between I420 and NV12.
enum PlaneCopy {
    static func interleave(_ planar: PixelBuffer, into result: PixelBuffer) {
        copyLuma(planar, into: result)
        let (u, v, pair) = (planar.planes[1], planar.planes[2], result.planes[1])
        let (uBytes, vBytes, pairs) = (
            planar.baseAddress(ofPlane: 1), planar.baseAddress(ofPlane: 2), result.baseAddress(ofPlane: 1)
        )
        for y in 0..<pair.height {
            for x in 0..<pair.width {
                pairs[y * pair.stride + 2 * x] = uBytes[y * u.stride + x]
                pairs[y * pair.stride + 2 * x + 1] = vBytes[y * v.stride + x]
            }
        }
    }

    static func separate(_ paired: PixelBuffer, into result: PixelBuffer) {
        copyLuma(paired, into: result)
        let (u, v, pair) = (result.planes[1], result.planes[2], paired.planes[1])
        let (uBytes, vBytes, pairs) = (
            result.baseAddress(ofPlane: 1), result.baseAddress(ofPlane: 2), paired.baseAddress(ofPlane: 1)
        )
        for y in 0..<pair.height {
            for x in 0..<pair.width {
                uBytes[y * u.stride + x] = pairs[y * pair.stride + 2 * x]
                vBytes[y * v.stride + x] = pairs[y * pair.stride + 2 * x + 1]
            }
        }
    }

    /// Changes every sample, luma and chroma each in its own way.
    static func map(_ buffer: PixelBuffer, luma: (Int) -> UInt8, chroma: (Int) -> UInt8) {
        let lumaTable = (0...255).map(luma)
        let chromaTable = (0...255).map(chroma)
        for index in buffer.planes.indices {
            let bytes = buffer.bytes(ofPlane: index)
            let table = index == 0 ? lumaTable : chromaTable
            let plane = buffer.planes[index]
            let rowBytes = buffer.format == .i420 || index == 0 ? plane.width : 2 * plane.width
            for y in 0..<plane.height {
                for x in 0..<rowBytes { bytes[y * plane.stride + x] = table[Int(bytes[y * plane.stride + x])] }
            }
        }
    }

    private static func copyLuma(_ source: PixelBuffer, into result: PixelBuffer) {
        let (from, to) = (source.planes[0], result.planes[0])
        for y in 0..<from.height {
            (result.baseAddress(ofPlane: 0) + y * to.stride)
                .update(from: source.baseAddress(ofPlane: 0) + y * from.stride, count: from.width)
        }
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
        let (y, u, v, to) = (planar.planes[0], planar.planes[1], planar.planes[2], result.planes[0])
        let (luma, blue, red) = (
            planar.baseAddress(ofPlane: 0), planar.baseAddress(ofPlane: 1), planar.baseAddress(ofPlane: 2)
        )
        let target = result.baseAddress(ofPlane: 0)
        for row in 0..<to.height {
            for column in 0..<to.width {
                let c = 298 * (Int(luma[row * y.stride + column]) - 16)
                let d = Int(blue[row / 2 * u.stride + column / 2]) - 128
                let e = Int(red[row / 2 * v.stride + column / 2]) - 128
                let pixel = target + row * to.stride + 4 * column
                pixel[0] = UInt8(clamping: (c + 516 * d + 128) >> 8)
                pixel[1] = UInt8(clamping: (c - 100 * d - 208 * e + 128) >> 8)
                pixel[2] = UInt8(clamping: (c + 409 * e + 128) >> 8)
                pixel[3] = 255
            }
        }
    }

    static func read(_ buffer: PixelBuffer, into result: PixelBuffer) {
        let (from, y, u, v) = (buffer.planes[0], result.planes[0], result.planes[1], result.planes[2])
        let pixels = buffer.baseAddress(ofPlane: 0)
        let (luma, blue, red) = (
            result.baseAddress(ofPlane: 0), result.baseAddress(ofPlane: 1), result.baseAddress(ofPlane: 2)
        )
        for row in 0..<from.height {
            for column in 0..<from.width {
                let pixel = pixels + row * from.stride + 4 * column
                let sum = 66 * Int(pixel[2]) + 129 * Int(pixel[1]) + 25 * Int(pixel[0])
                luma[row * y.stride + column] = UInt8(clamping: (sum + 128) >> 8 + 16)
            }
        }
        for row in 0..<u.height {
            for column in 0..<u.width {
                let (b, g, r) = mean(pixels, from, rows: 2 * row, columns: 2 * column)
                blue[row * u.stride + column] = UInt8(clamping: (-38 * r - 74 * g + 112 * b + 128) >> 8 + 128)
                red[row * v.stride + column] = UInt8(clamping: (112 * r - 94 * g - 18 * b + 128) >> 8 + 128)
            }
        }
    }

    /// The mean colour of 2×2 pixels, fewer at an odd edge.
    private static func mean(
        _ pixels: UnsafeMutablePointer<UInt8>, _ plane: PixelBuffer.Plane, rows: Int, columns: Int
    ) -> (b: Int, g: Int, r: Int) {
        var (b, g, r, count) = (0, 0, 0, 0)
        for row in rows..<min(rows + 2, plane.height) {
            for column in columns..<min(columns + 2, plane.width) {
                let pixel = pixels + row * plane.stride + 4 * column
                b += Int(pixel[0])
                g += Int(pixel[1])
                r += Int(pixel[2])
                count += 1
            }
        }
        return ((b + count / 2) / count, (g + count / 2) / count, (r + count / 2) / count)
    }
}
