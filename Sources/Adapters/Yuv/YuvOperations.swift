// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CYuv
import RevuePorts

/// A buffer's planes as libyuv takes them; `v` is meaningless where there are fewer than three, `u` where there is one.
struct YuvPlanes {
    let y: UnsafeMutablePointer<UInt8>
    let yStride: Int32
    let u: UnsafeMutablePointer<UInt8>
    let uStride: Int32
    let v: UnsafeMutablePointer<UInt8>
    let vStride: Int32

    /// Calls `body` with the planes of two buffers, and keeps both until it returns.
    static func with<Result>(
        _ source: PixelBuffer, _ target: PixelBuffer, _ body: (_ from: YuvPlanes, _ to: YuvPlanes) -> Result
    ) -> Result {
        source.withPlanes(and: target) { body(YuvPlanes($0), YuvPlanes($1)) }
    }

    private init(_ planes: PixelMemory) {
        let last = planes.indices.upperBound - 1
        y = planes[0].start
        yStride = Int32(planes[0].stride)
        u = planes[min(1, last)].start
        uStride = Int32(planes[min(1, last)].stride)
        v = planes[last].start
        vStride = Int32(planes[last].stride)
    }
}

extension YuvConverter {
    func check(_ result: Int32) throws(CodecError) {
        guard result == 0 else { throw .failed(reason: "libyuv refused the picture (\(result))") }
    }

    func joinChroma(_ source: PixelBuffer, _ target: PixelBuffer) throws(CodecError) {
        try check(
            YuvPlanes.with(source, target) { from, to in
                I420ToNV12(
                    from.y, from.yStride, from.u, from.uStride, from.v, from.vStride, to.y, to.yStride, to.u,
                    to.uStride, Int32(source.width), Int32(source.height))
            })
    }

    func splitChroma(_ source: PixelBuffer, _ target: PixelBuffer) throws(CodecError) {
        try check(
            YuvPlanes.with(source, target) { from, to in
                NV12ToI420(
                    from.y, from.yStride, from.u, from.uStride, to.y, to.yStride, to.u, to.uStride, to.v, to.vStride,
                    Int32(source.width), Int32(source.height))
            })
    }

    func paint(_ source: PixelBuffer, _ target: PixelBuffer) -> Int32 {
        YuvPlanes.with(source, target) { from, to in
            I420ToARGB(
                from.y, from.yStride, from.u, from.uStride, from.v, from.vStride, to.y, to.yStride,
                Int32(source.width), Int32(source.height))
        }
    }

    func paintInterleaved(_ source: PixelBuffer, _ target: PixelBuffer) -> Int32 {
        YuvPlanes.with(source, target) { from, to in
            revue_yuv_nv12_to_bgra(
                from.y, from.yStride, from.u, from.uStride, to.y, to.yStride,
                source.format == .nv12FullRange ? 1 : 0, Int32(source.width), Int32(source.height))
        }
    }

    func sample(_ source: PixelBuffer, _ target: PixelBuffer) -> Int32 {
        YuvPlanes.with(source, target) { from, to in
            ARGBToI420(
                from.y, from.yStride, to.y, to.yStride, to.u, to.uStride, to.v, to.vStride, Int32(source.width),
                Int32(source.height))
        }
    }

    func sampleInterleaved(_ source: PixelBuffer, _ target: PixelBuffer) -> Int32 {
        YuvPlanes.with(source, target) { from, to in
            ARGBToNV12(
                from.y, from.yStride, to.y, to.yStride, to.u, to.uStride, Int32(source.width), Int32(source.height))
        }
    }

    func copy(_ source: PixelBuffer, _ target: PixelBuffer) {
        source.withPlanes(and: target) { from, to in
            for index in from.indices { _ = to[index].bytes.update(fromContentsOf: from[index].bytes) }
        }
    }

    func apply(_ range: RangeChange, to target: PixelBuffer) throws(CodecError) {
        for index in target.planes.indices {
            // Four neighbouring bytes pass for one pixel; strides are multiples of 4, so whole rows are covered.
            try check(
                target.withPlanes { planes in
                    let plane = planes[index]
                    return ARGBColorTable(
                        plane.start, Int32(plane.stride), index == 0 ? range.luma : range.chroma, 0, 0,
                        Int32(plane.stride / 4), Int32(plane.height))
                })
        }
    }
}

/// Between video range (luma 16…235, chroma 16…240) and full range (0…255), as tables for `ARGBColorTable`.
struct RangeChange {
    let luma: [UInt8]
    let chroma: [UInt8]

    static let narrow = RangeChange(
        luma: { 16 + $0 * 219 / 255 }, chroma: { 128 + ($0 - 128) * 224 / 255 })
    static let widen = RangeChange(
        luma: { ($0 - 16) * 255 / 219 }, chroma: { 128 + ($0 - 128) * 255 / 224 })

    private init(luma: (Double) -> Double, chroma: (Double) -> Double) {
        self.luma = Self.table(luma)
        self.chroma = Self.table(chroma)
    }

    private static func table(_ map: (Double) -> Double) -> [UInt8] {
        (0...255).flatMap { value in
            [UInt8](repeating: UInt8(min(max(map(Double(value)).rounded(), 0), 255)), count: 4)
        }
    }
}
