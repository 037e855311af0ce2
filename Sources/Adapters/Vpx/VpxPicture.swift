// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CVpx
import RevuePorts

/// Shows a picture to libvpx, which reads I420: in place where the picture is that already, else through a scratch copy.
final class VpxPicture {
    private var scratch: PixelBuffer?

    /// The largest side that VP8's frame header can carry (RFC 6386 section 9.1: 14 bits).
    static let maximumSide = 16_383

    /// Calls `body` with an image of the buffer's pixels, which libvpx may read until `body` returns.
    func withImage<Result>(
        of buffer: PixelBuffer, _ body: (inout vpx_image_t) throws(CodecError) -> Result
    ) throws(CodecError) -> Result {
        guard buffer.width <= Self.maximumSide, buffer.height <= Self.maximumSide else {
            throw .unsupportedInput(reason: "VP8 pictures are at most 16,383 pixels wide and high")
        }
        let planar = try planar(buffer)
        return try buffer.withPlanes(and: planar) { own, planar throws(CodecError) in
            var image = vpx_image_t()
            guard
                vpx_img_wrap(
                    &image, VPX_IMG_FMT_I420, UInt32(buffer.width), UInt32(buffer.height), 1, own[0].start) != nil
            else { throw .failed(reason: "libvpx does not take a picture of \(buffer.width)×\(buffer.height)") }
            let luma = buffer.format == .nv12 ? own[0] : planar[0]
            image.planes.0 = luma.start
            image.planes.1 = planar[1].start
            image.planes.2 = planar[2].start
            image.stride.0 = Int32(luma.stride)
            image.stride.1 = Int32(planar[1].stride)
            image.stride.2 = Int32(planar[2].stride)
            return try body(&image)
        }
    }

    /// The picture in three planes; of NV12 the chroma alone, for the luma is read where it lies.
    private func planar(_ buffer: PixelBuffer) throws(CodecError) -> PixelBuffer {
        switch buffer.format {
        case .i420:
            scratch = nil
            return buffer
        case .nv12:
            let planar = makeScratch(buffer)
            splitChroma(buffer, into: planar) { $0 }
            return planar
        case .nv12FullRange:
            let planar = makeScratch(buffer)
            splitChroma(buffer, into: planar) { Self.videoChroma[Int($0)] }
            narrowLuma(buffer, into: planar)
            return planar
        case .bgra:
            throw .unsupportedInput(reason: "VP8 takes I420 or NV12: convert the BGRA picture first")
        }
    }

    private func makeScratch(_ buffer: PixelBuffer) -> PixelBuffer {
        if let scratch, scratch.width == buffer.width, scratch.height == buffer.height { return scratch }
        guard let made = PixelBuffer(width: buffer.width, height: buffer.height, format: .i420) else {
            preconditionFailure("a size that one buffer has, another can have")
        }
        scratch = made
        return made
    }

    private func splitChroma(_ source: PixelBuffer, into planar: PixelBuffer, _ map: (UInt8) -> UInt8) {
        source.withPlanes(and: planar) { source, planar in
            for row in 0..<source[1].height {
                let (pairs, u, v) = (source[1].row(row), planar[1].row(row), planar[2].row(row))
                for column in 0..<source[1].width {
                    u[column] = map(pairs[2 * column])
                    v[column] = map(pairs[2 * column + 1])
                }
            }
        }
    }

    private func narrowLuma(_ source: PixelBuffer, into planar: PixelBuffer) {
        source.withPlanes(and: planar) { source, planar in
            Self.videoLuma.withUnsafeBufferPointer { table in
                for row in 0..<source[0].height {
                    let (from, to) = (source[0].row(row), planar[0].row(row))
                    for column in 0..<source[0].width { to[column] = table[Int(from[column])] }
                }
            }
        }
    }

    /// Full range to video range (ITU-R BT.601): luma 0…255 to 16…235, chroma to 16…240 around 128.
    private static let videoLuma: [UInt8] = (0...255).map { UInt8((Double($0) * 219 / 255 + 16).rounded()) }
    private static let videoChroma: [UInt8] = (0...255).map { UInt8((Double($0 - 128) * 224 / 255 + 128).rounded()) }
}
