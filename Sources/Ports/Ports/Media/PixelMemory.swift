// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The memory of a picture's planes, during `PixelBuffer.withPlanes(_:)` alone.
public struct PixelMemory {
    /// The memory of one plane.
    public struct Plane {
        /// The first byte.
        public let start: UnsafeMutablePointer<UInt8>
        /// Bytes from one row to the next.
        public let stride: Int
        /// Samples across, as `PixelBuffer.Plane.width`.
        public let width: Int
        /// Rows.
        public let height: Int

        /// All bytes, rows and padding.
        public var bytes: UnsafeMutableBufferPointer<UInt8> {
            UnsafeMutableBufferPointer(start: start, count: stride * height)
        }

        /// The first byte of a row.
        public func row(_ index: Int) -> UnsafeMutablePointer<UInt8> { start + index * stride }
    }

    private let start: UnsafeMutableRawPointer
    private let planes: [PixelBuffer.Plane]

    init(start: UnsafeMutableRawPointer, planes: [PixelBuffer.Plane]) {
        self.start = start
        self.planes = planes
    }

    /// The planes' indices.
    public var indices: Range<Int> { planes.indices }

    /// A plane, in the format's order.
    public subscript(index: Int) -> Plane {
        let plane = planes[index]
        return Plane(
            start: (start + plane.offset).assumingMemoryBound(to: UInt8.self), stride: plane.stride,
            width: plane.width, height: plane.height)
    }
}
