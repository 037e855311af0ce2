// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// Turns and mirrors pictures where no instance, and so no `PixelConverter`, is at hand: a buffer track belongs to nobody yet.
enum PictureRotation {
    /// The picture turned clockwise, in its own format; nil only when there is no memory.
    static func turn(_ picture: PixelBuffer, _ rotation: VideoRotation) -> PixelBuffer? {
        let swaps = rotation == ._90 || rotation == ._270
        guard
            let turned = PixelBuffer(
                width: swaps ? picture.height : picture.width, height: swaps ? picture.width : picture.height,
                format: picture.format)
        else { return nil }
        let sampleBytes = picture.format.sampleBytes
        picture.withPlanes(and: turned) { from, to in
            for index in from.indices { turnPlane(from: from[index], to: to[index], sampleBytes[index], rotation) }
        }
        return turned
    }

    /// The picture with left and right exchanged, in its own format; nil only when there is no memory.
    static func mirror(_ picture: PixelBuffer) -> PixelBuffer? {
        guard
            let mirrored = PixelBuffer(width: picture.width, height: picture.height, format: picture.format)
        else { return nil }
        let sampleBytes = picture.format.sampleBytes
        picture.withPlanes(and: mirrored) { source, target in
            for index in source.indices {
                for y in 0..<source[index].height {
                    let row = (from: source[index].row(y), to: target[index].row(y))
                    mirrorRow(row, width: source[index].width, sampleBytes[index])
                }
            }
        }
        return mirrored
    }

    private static func mirrorRow(
        _ row: (from: UnsafeMutablePointer<UInt8>, to: UnsafeMutablePointer<UInt8>), width: Int, _ sampleBytes: Int
    ) {
        for x in 0..<width {
            let (from, to) = (row.from + x * sampleBytes, row.to + (width - 1 - x) * sampleBytes)
            for byte in 0..<sampleBytes { to[byte] = from[byte] }
        }
    }

    private static func turnPlane(
        from source: PixelMemory.Plane, to target: PixelMemory.Plane, _ sampleBytes: Int, _ rotation: VideoRotation
    ) {
        let (lastX, lastY) = (source.width - 1, source.height - 1)
        for y in 0..<target.height {
            for x in 0..<target.width {
                let (fromX, fromY) =
                    switch rotation {
                    case ._0: (x, y)
                    case ._90: (y, lastY - x)
                    case ._180: (lastX - x, lastY - y)
                    case ._270: (lastX - y, x)
                    }
                let from = source.row(fromY) + fromX * sampleBytes
                let to = target.row(y) + x * sampleBytes
                for byte in 0..<sampleBytes { to[byte] = from[byte] }
            }
        }
    }
}

extension PixelFormat {
    /// Bytes of one sample in each plane.
    fileprivate var sampleBytes: [Int] {
        switch self {
        case .i420: [1, 1, 1]
        case .nv12, .nv12FullRange: [1, 2]
        case .bgra: [4]
        }
    }
}
