// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Pictures to code, and how much of them is left.
enum TestPicture {
    /// Slanted colour waves that move with `step`: smooth, so that a good codec keeps them.
    static func waves(width: Int, height: Int, step: Int = 0) throws -> PixelBuffer {
        let buffer = try #require(PixelBuffer(width: width, height: height, format: .i420))
        let wave = (0..<256).map { UInt8(128 + 80 * sin(Double($0) * .pi / 128)) }
        buffer.withPlanes { planes in
            wave.withUnsafeBufferPointer { wave in
                for index in planes.indices {
                    let (plane, (dx, dy)) = (planes[index], [(3, 2), (2, -1), (-1, 3)][index])
                    for row in 0..<plane.height {
                        for column in 0..<plane.width {
                            plane.row(row)[column] = wave[(column * dx + row * dy + step * 5) & 255]
                        }
                    }
                }
            }
        }
        return buffer
    }

    /// Noise: as many bits as the encoder will spend.
    static func noise(width: Int, height: Int, seed: UInt64) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: seed)
        let buffer = try #require(PixelBuffer(width: width, height: height, format: .i420))
        buffer.withPlanes { planes in
            for index in planes.indices {
                planes[index].bytes.withMemoryRebound(to: UInt64.self) { words in
                    for word in words.indices { words[word] = generator.next() }
                }
            }
        }
        return buffer
    }

    /// Every pixel alike.
    static func flat(
        width: Int, height: Int, format: PixelFormat = .i420, y: UInt8, u: UInt8, v: UInt8
    ) throws -> PixelBuffer {
        let buffer = try #require(PixelBuffer(width: width, height: height, format: format))
        buffer.withPlanes { planes in
            planes[0].bytes.update(repeating: y)
            if format == .i420 {
                planes[1].bytes.update(repeating: u)
                planes[2].bytes.update(repeating: v)
            } else {
                let pairs = planes[1].bytes
                for index in pairs.indices { pairs[index] = index.isMultiple(of: 2) ? u : v }
            }
        }
        return buffer
    }

    /// Peak signal-to-noise ratio in dB over all planes of two pictures of one shape; 100 when they are equal.
    static func psnr(_ a: PixelBuffer, _ b: PixelBuffer) -> Double {
        guard a.width == b.width, a.height == b.height, a.format == b.format else { return 0 }
        var (sum, count) = (0, 0)
        a.withPlanes(and: b) { left, right in
            for index in left.indices {
                let (plane, isPaired) = (left[index], a.planeCountIsTwo && index == 1)
                let bytes = a.format == .bgra ? 4 * plane.width : isPaired ? 2 * plane.width : plane.width
                for row in 0..<plane.height {
                    let (p, q) = (plane.row(row), right[index].row(row))
                    for column in 0..<bytes {
                        let difference = Int(p[column]) - Int(q[column])
                        sum += difference * difference
                    }
                }
                count += bytes * plane.height
            }
        }
        return sum == 0 ? 100 : 10 * log10(255 * 255 * Double(count) / Double(sum))
    }
}

extension PixelBuffer {
    fileprivate var planeCountIsTwo: Bool { format.planeCount == 2 }

    /// The frame that shows this picture.
    func frame(_ index: Int, rate: Int = 30) -> VideoFrame {
        VideoFrame(buffer: self, captureTime: .zero + .seconds(Double(index) / Double(rate)))
    }
}
