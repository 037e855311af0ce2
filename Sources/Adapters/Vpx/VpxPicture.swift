// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CVpx
import RevuePorts

/// Shows a picture to libvpx, which reads I420: in place where the picture is that already, else through a scratch copy.
final class VpxPicture {
    /// What libvpx is given; points into the buffer that was wrapped last, and into the scratch.
    var image = vpx_image_t()

    private var scratch: PixelBuffer?

    /// The largest side that VP8's frame header can carry (RFC 6386 section 9.1: 14 bits).
    static let maximumSide = 16_383

    /// Points `image` at the buffer's pixels; they must live until libvpx has coded the image.
    func wrap(_ buffer: PixelBuffer) throws(CodecError) {
        let (width, height) = (buffer.width, buffer.height)
        guard width <= Self.maximumSide, height <= Self.maximumSide else {
            throw .unsupportedInput(reason: "VP8 pictures are at most 16,383 pixels wide and high")
        }
        guard
            vpx_img_wrap(
                &image, VPX_IMG_FMT_I420, UInt32(width), UInt32(height), 1, buffer.baseAddress(ofPlane: 0)) != nil
        else { throw .failed(reason: "libvpx does not take a picture of \(width)×\(height)") }
        switch buffer.format {
        case .i420:
            scratch = nil
            point(at: buffer, planes: 0...2)
        case .nv12:
            let planar = makeScratch(buffer)
            splitChroma(buffer, into: planar) { $0 }
            point(at: planar, planes: 1...2)
            point(at: buffer, planes: 0...0)
        case .nv12FullRange:
            let planar = makeScratch(buffer)
            splitChroma(buffer, into: planar) { Self.videoChroma[Int($0)] }
            narrowLuma(buffer, into: planar)
            point(at: planar, planes: 0...2)
        case .bgra:
            throw .unsupportedInput(reason: "VP8 takes I420 or NV12: convert the BGRA picture first")
        }
    }

    private func point(at buffer: PixelBuffer, planes: ClosedRange<Int>) {
        for index in planes {
            let (start, stride) = (buffer.baseAddress(ofPlane: index), Int32(buffer.planes[index].stride))
            switch index {
            case 0: (image.planes.0, image.stride.0) = (start, stride)
            case 1: (image.planes.1, image.stride.1) = (start, stride)
            default: (image.planes.2, image.stride.2) = (start, stride)
            }
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
        let plane = source.planes[1]
        for row in 0..<plane.height {
            let pairs = source.baseAddress(ofPlane: 1) + row * plane.stride
            let u = planar.baseAddress(ofPlane: 1) + row * planar.planes[1].stride
            let v = planar.baseAddress(ofPlane: 2) + row * planar.planes[2].stride
            for column in 0..<plane.width {
                u[column] = map(pairs[2 * column])
                v[column] = map(pairs[2 * column + 1])
            }
        }
    }

    private func narrowLuma(_ source: PixelBuffer, into planar: PixelBuffer) {
        Self.videoLuma.withUnsafeBufferPointer { table in
            for row in 0..<source.height {
                let from = source.baseAddress(ofPlane: 0) + row * source.planes[0].stride
                let to = planar.baseAddress(ofPlane: 0) + row * planar.planes[0].stride
                for column in 0..<source.width { to[column] = table[Int(from[column])] }
            }
        }
    }

    /// Full range to video range (ITU-R BT.601): luma 0…255 to 16…235, chroma to 16…240 around 128.
    private static let videoLuma: [UInt8] = (0...255).map { UInt8((Double($0) * 219 / 255 + 16).rounded()) }
    private static let videoChroma: [UInt8] = (0...255).map { UInt8((Double($0 - 128) * 224 / 255 + 128).rounded()) }
}
