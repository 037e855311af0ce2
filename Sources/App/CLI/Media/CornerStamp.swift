// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTestPattern

/// A `FrameStamp` in the upper right corner, so that most of the picture stays what it was.
///
/// It takes 7/20 of the width and 8/45 of the height: 224×64 of a picture of 640×360, where a bit is two blocks of 8×8
/// pixels, as VP8 codes them.
enum CornerStamp {
    /// Draws a stamp into a picture that nobody else sees yet.
    ///
    /// - Returns: false, with nothing drawn, for a picture in BGRA or smaller than 320×180.
    static func draw(_ stamp: FrameStamp, into picture: PixelBuffer) -> Bool {
        guard let corner = Corner(picture), let canvas = corner.canvas(), stamp.draw(into: canvas) else { return false }
        for index in picture.planes.indices {
            corner.copy(plane: index, between: picture, and: canvas, isDrawing: true)
        }
        return true
    }

    /// The stamp in a picture; nil when there is none that can be read.
    static func read(from picture: PixelBuffer) -> FrameStamp? {
        guard let corner = Corner(picture), let canvas = corner.canvas() else { return nil }
        corner.copy(plane: 0, between: picture, and: canvas, isDrawing: false)
        return FrameStamp.read(from: canvas)
    }
}

/// Where the corner lies. A stamp covers the upper two fifths of its canvas; no more than that is copied.
private struct Corner {
    let left: Int
    let width: Int
    let height: Int
    let format: PixelFormat

    init?(_ picture: PixelBuffer) {
        guard picture.format != .bgra, picture.width >= 320, picture.height >= 180 else { return nil }
        width = picture.width * 7 / 20 / 2 * 2
        height = picture.height * 8 / 45 / 2 * 2
        left = (picture.width - width) / 2 * 2
        format = picture.format
    }

    func canvas() -> PixelBuffer? { PixelBuffer(width: width, height: height * 5 / 2, format: format) }

    func copy(plane index: Int, between picture: PixelBuffer, and canvas: PixelBuffer, isDrawing: Bool) {
        // A pair of chroma samples in NV12 is as wide as the two pixels of brightness that it stands for.
        let isHalved = index > 0
        let bytesPerPixelPair = isHalved && format == .i420 ? 1 : 2
        let (offset, count) = (left / 2 * bytesPerPixelPair, width / 2 * bytesPerPixelPair)
        picture.withPlanes(and: canvas) { picture, canvas in
            for row in 0..<(isHalved ? height / 2 : height) {
                let (outside, inside) = (picture[index].row(row) + offset, canvas[index].row(row))
                if isDrawing {
                    outside.update(from: inside, count: count)
                } else {
                    inside.update(from: outside, count: count)
                }
            }
        }
    }
}
