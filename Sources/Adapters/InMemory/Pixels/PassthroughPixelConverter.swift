// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// Conversions in plain Swift: slow, but right, and the same everywhere.
///
/// Colours follow BT.601 in video range with the usual 8-bit coefficients.
public struct PassthroughPixelConverter: PixelConverter {
    /// A converter.
    public init() {}

    /// The picture in another format; the buffer itself when it has that format.
    public func convert(_ buffer: PixelBuffer, to format: PixelFormat) throws(CodecError) -> PixelBuffer {
        if buffer.format == format { return buffer }
        let planar = buffer.format == .i420 ? buffer : try i420(from: buffer)
        guard format != .i420 else { return planar }
        let result = try make(buffer.width, buffer.height, format)
        switch format {
        case .i420: return planar
        case .nv12: PlaneCopy.interleave(planar, into: result)
        case .nv12FullRange:
            PlaneCopy.interleave(planar, into: result)
            PlaneCopy.map(result, luma: ColourRange.expandLuma, chroma: ColourRange.expandChroma)
        case .bgra: BGRA.fill(result, from: planar)
        }
        return result
    }

    /// The picture at another size: each pixel the mean of the area that it covers.
    public func scale(_ buffer: PixelBuffer, width: Int, height: Int) throws(CodecError) -> PixelBuffer {
        let source = try convert(buffer, to: .i420)
        if source.width == width, source.height == height { return source }
        let result = try make(width, height, .i420)
        source.withPlanes(and: result) { source, result in
            for index in source.indices { scalePlane(source[index], into: result[index]) }
        }
        return result
    }

    /// The picture turned clockwise.
    public func rotate(_ buffer: PixelBuffer, degrees: Int) throws(CodecError) -> PixelBuffer {
        guard [0, 90, 180, 270].contains(degrees) else {
            throw .invalidSetting(name: "degrees", reason: "\(degrees) is not 0, 90, 180 or 270")
        }
        let source = try convert(buffer, to: .i420)
        if degrees == 0 { return source }
        let isUpright = degrees == 180
        let result = try make(
            isUpright ? source.width : source.height, isUpright ? source.height : source.width, .i420)
        source.withPlanes(and: result) { source, result in
            for index in source.indices { turnPlane(source[index], into: result[index], degrees: degrees) }
        }
        return result
    }

    private func scalePlane(_ from: PixelMemory.Plane, into to: PixelMemory.Plane) {
        for y in 0..<to.height {
            let rows = area(y, of: to.height, in: from.height)
            for x in 0..<to.width {
                let columns = area(x, of: to.width, in: from.width)
                var sum = 0
                for row in rows { for column in columns { sum += Int(from.row(row)[column]) } }
                let count = rows.count * columns.count
                to.row(y)[x] = UInt8((sum + count / 2) / count)
            }
        }
    }

    private func turnPlane(_ from: PixelMemory.Plane, into to: PixelMemory.Plane, degrees: Int) {
        for y in 0..<to.height {
            for x in 0..<to.width {
                let (column, row) =
                    switch degrees {
                    case 90: (y, from.height - 1 - x)
                    case 180: (from.width - 1 - x, from.height - 1 - y)
                    default: (from.width - 1 - y, x)
                    }
                to.row(y)[x] = from.row(row)[column]
            }
        }
    }

    private func i420(from buffer: PixelBuffer) throws(CodecError) -> PixelBuffer {
        let result = try make(buffer.width, buffer.height, .i420)
        switch buffer.format {
        case .i420: return buffer
        case .nv12: PlaneCopy.separate(buffer, into: result)
        case .nv12FullRange:
            PlaneCopy.separate(buffer, into: result)
            PlaneCopy.map(result, luma: ColourRange.compressLuma, chroma: ColourRange.compressChroma)
        case .bgra: BGRA.read(buffer, into: result)
        }
        return result
    }

    private func make(_ width: Int, _ height: Int, _ format: PixelFormat) throws(CodecError) -> PixelBuffer {
        guard let buffer = PixelBuffer(width: width, height: height, format: format) else {
            throw .unsupportedInput(reason: "\(width)×\(height) is no size of a picture")
        }
        return buffer
    }

    private func area(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
        let start = min(index * length / count, length - 1)
        return start..<max(start + 1, (index + 1) * length / count)
    }
}
