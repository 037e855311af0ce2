// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// Pictures whose pixels are known: four flat quarters.
struct Quarters: Equatable {
    /// Luma: upper left, upper right, lower left, lower right.
    var luma: [Int]
    var u: Int
    var v: Int

    static let plain = Quarters(luma: [60, 110, 160, 210], u: 110, v: 150)

    /// Another picture for each number.
    static func numbered(_ number: Int) -> Quarters {
        Quarters(luma: (0..<4).map { 50 + (number * 23 + $0 * 41) % 160 }, u: 110, v: 150)
    }

    func buffer(width: Int, height: Int) throws -> PixelBuffer {
        guard let buffer = PixelBuffer(width: width, height: height, format: .i420) else {
            throw Unkept(seen: "no buffer of \(width)×\(height)")
        }
        buffer.withPlanes { planes in
            for y in 0..<height {
                for x in 0..<width {
                    planes[0].row(y)[x] = UInt8(luma[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)])
                }
            }
            planes[1].bytes.update(repeating: UInt8(u))
            planes[2].bytes.update(repeating: UInt8(v))
        }
        return buffer
    }

    /// The means of the inner parts of the quarters; nil for a format that is not planar or paired.
    static func read(_ buffer: PixelBuffer) -> Quarters? {
        func mean(_ index: Int, _ columns: Range<Int>, _ rows: Range<Int>, offset: Int = 0, step: Int = 1) -> Int {
            buffer.withPlanes { planes in
                var sum = 0
                for y in rows { for x in columns { sum += Int(planes[index].row(y)[x * step + offset]) } }
                return sum / max(1, rows.count * columns.count)
            }
        }
        func inner(_ length: Int, _ half: Int) -> Range<Int> {
            let (start, end) = (half * length / 2, (half + 1) * length / 2)
            let margin = (end - start) / 4
            return (start + margin)..<max(start + margin + 1, end - margin)
        }
        let (width, height) = (buffer.width, buffer.height)
        let luma = (0..<4).map { mean(0, inner(width, $0 % 2), inner(height, $0 / 2)) }
        let chroma = buffer.planes.count > 1 ? buffer.planes[1] : nil
        guard let chroma else { return nil }
        let (columns, rows) = (0..<chroma.width, 0..<chroma.height)
        if buffer.format == .i420 {
            return Quarters(luma: luma, u: mean(1, columns, rows), v: mean(2, columns, rows))
        }
        return Quarters(
            luma: luma, u: mean(1, columns, rows, step: 2), v: mean(1, columns, rows, offset: 1, step: 2))
    }

    /// The largest difference of any value.
    func distance(to other: Quarters) -> Int {
        zip(luma + [u, v], other.luma + [other.u, other.v]).map { abs($0 - $1) }.max() ?? 0
    }
}
