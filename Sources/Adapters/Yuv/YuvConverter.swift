// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CYuv
public import RevuePorts

/// Formats, sizes and quarter turns by libyuv, with the colours of ITU-R BT.601. Any thread; calls may overlap.
///
/// What needs no change comes back as it is. Results come from pools of the sizes that were asked for last.
public final class YuvConverter: PixelConverter {
    private let pools = Locked<[PixelBufferPool]>([])

    /// A converter.
    public init() {}

    /// The picture in another format, at its own size; alpha becomes 255.
    public func convert(_ buffer: PixelBuffer, to format: PixelFormat) throws(CodecError) -> PixelBuffer {
        guard buffer.format != format else { return buffer }
        let target = try make(width: buffer.width, height: buffer.height, format)
        switch (buffer.format, format) {
        case (.i420, .nv12): try joinChroma(buffer, target)
        case (.i420, .nv12FullRange):
            try joinChroma(buffer, target)
            try apply(.widen, to: target)
        case (.i420, _): try check(paint(buffer, target))
        case (.nv12, .i420): try splitChroma(buffer, target)
        case (.nv12, .nv12FullRange):
            copy(buffer, target)
            try apply(.widen, to: target)
        case (.nv12, _), (.nv12FullRange, .bgra): try check(paintInterleaved(buffer, target))
        case (.nv12FullRange, .i420):
            try splitChroma(buffer, target)
            try apply(.narrow, to: target)
        case (.nv12FullRange, _):
            copy(buffer, target)
            try apply(.narrow, to: target)
        case (.bgra, .i420): try check(sample(buffer, target))
        case (.bgra, _):
            try check(sampleInterleaved(buffer, target))
            if format == .nv12FullRange { try apply(.widen, to: target) }
        }
        return target
    }

    /// The picture at another size, as I420; what shrinks is averaged (libyuv's box filter).
    ///
    /// - Throws: `CodecError.invalidSetting` for a size that no buffer has.
    public func scale(_ buffer: PixelBuffer, width: Int, height: Int) throws(CodecError) -> PixelBuffer {
        guard (1...PixelBuffer.maximumSide).contains(width), (1...PixelBuffer.maximumSide).contains(height) else {
            throw Self.wrongSize(width, height)
        }
        var source = try convert(buffer, to: .i420)
        while source.width != width || source.height != height {
            // libyuv divides a box's sum by multiplying with 65,536 / area, cut off: large boxes come out too dark.
            source = try step(
                source, width: max(width, (source.width + 7) / 8), height: max(height, (source.height + 7) / 8))
        }
        return source
    }

    private func step(_ source: PixelBuffer, width: Int, height: Int) throws(CodecError) -> PixelBuffer {
        let target = try make(width: width, height: height, .i420)
        try check(
            YuvPlanes.with(source, target) { from, to in
                I420Scale(
                    from.y, from.yStride, from.u, from.uStride, from.v, from.vStride, Int32(source.width),
                    Int32(source.height), to.y, to.yStride, to.u, to.uStride, to.v, to.vStride, Int32(width),
                    Int32(height), kFilterBox)
            })
        return target
    }

    /// The picture turned clockwise, as I420.
    ///
    /// - Throws: `CodecError.invalidSetting` unless `degrees` is 0, 90, 180 or 270.
    public func rotate(_ buffer: PixelBuffer, degrees: Int) throws(CodecError) -> PixelBuffer {
        guard let mode = Self.turns[degrees] else {
            throw .invalidSetting(name: "degrees", reason: "\(degrees) is none of 0, 90, 180 and 270")
        }
        let source = try convert(buffer, to: .i420)
        guard degrees != 0 else { return source }
        let onItsSide = degrees != 180
        let target = try make(
            width: onItsSide ? source.height : source.width, height: onItsSide ? source.width : source.height, .i420)
        try check(
            YuvPlanes.with(source, target) { from, to in
                I420Rotate(
                    from.y, from.yStride, from.u, from.uStride, from.v, from.vStride, to.y, to.yStride, to.u,
                    to.uStride, to.v, to.vStride, Int32(source.width), Int32(source.height), mode)
            })
        return target
    }

    private static let turns: [Int: RotationMode] = [0: kRotate0, 90: kRotate90, 180: kRotate180, 270: kRotate270]

    /// How many sizes and formats keep a pool: those of a few tracks at once.
    private static let poolCount = 8

    private func make(width: Int, height: Int, _ format: PixelFormat) throws(CodecError) -> PixelBuffer {
        let pool = pools.withLock { list -> PixelBufferPool? in
            if let index = list.firstIndex(where: { $0.width == width && $0.height == height && $0.format == format }) {
                let found = list.remove(at: index)
                list.append(found)
                return found
            }
            guard let made = PixelBufferPool(width: width, height: height, format: format, keep: 4) else { return nil }
            if list.count >= Self.poolCount { list.removeFirst() }
            list.append(made)
            return made
        }
        guard let pool else { throw Self.wrongSize(width, height) }
        return pool.make()
    }

    private static func wrongSize(_ width: Int, _ height: Int) -> CodecError {
        .invalidSetting(
            name: "size", reason: "\(width)×\(height): each side must be in 1…\(PixelBuffer.maximumSide)")
    }
}
