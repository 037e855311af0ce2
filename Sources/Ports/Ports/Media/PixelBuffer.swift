// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// How a picture lies in memory.
public enum PixelFormat: UInt8, Sendable, Hashable, CaseIterable {
    /// Three planes: Y, U, V; chroma halved both ways, rounded up. Video range.
    case i420
    /// Two planes: Y, then U and V interleaved. Video range (16…235).
    case nv12
    /// As `nv12`, full range (0…255).
    case nv12FullRange
    /// One plane, four bytes a pixel: blue, green, red, alpha.
    case bgra

    /// Planes in this format.
    public var planeCount: Int {
        switch self {
        case .i420: 3
        case .nv12, .nv12FullRange: 2
        case .bgra: 1
        }
    }
}

/// A picture: reference-counted planes of pixels.
///
/// Whoever makes a buffer fills it before anyone else sees it; from then on nobody writes into it, so it may be read on
/// any thread without a copy. A size from a pool comes back to it when the last reference goes.
public final class PixelBuffer: @unchecked Sendable {
    // SAFETY: the geometry is immutable and the pixels are written by the maker alone, before the buffer is shared.

    /// Where a plane lies.
    public struct Plane: Sendable, Hashable {
        /// Offset of its first byte.
        public let offset: Int
        /// Bytes from one row to the next; at least the row's own bytes.
        public let stride: Int
        /// Samples across (pairs of samples in the second plane of NV12, pixels in BGRA).
        public let width: Int
        /// Rows.
        public let height: Int
    }

    /// The largest width and height that a buffer has.
    public static let maximumSide = 16_384

    /// How the picture lies in memory.
    public let format: PixelFormat
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int
    /// The planes, in the format's order.
    public let planes: [Plane]

    private let storage: UnsafeMutableRawBufferPointer
    private let pool: PixelBufferPool?

    /// A buffer with undefined pixels; nil unless both sides are 1…`maximumSide`.
    public convenience init?(width: Int, height: Int, format: PixelFormat) {
        guard let layout = PixelBuffer.layout(width: width, height: height, format: format) else { return nil }
        self.init(width: width, height: height, format: format, layout: layout, storage: nil, pool: nil)
    }

    init(
        width: Int, height: Int, format: PixelFormat, layout: (planes: [Plane], byteCount: Int),
        storage: UnsafeMutableRawBufferPointer?, pool: PixelBufferPool?
    ) {
        self.width = width
        self.height = height
        self.format = format
        planes = layout.planes
        self.storage = storage ?? .allocate(byteCount: layout.byteCount, alignment: PixelBuffer.alignment)
        self.pool = pool
    }

    deinit {
        if let pool { pool.takeBack(storage) } else { storage.deallocate() }
    }

    /// Calls `body` with the planes' memory, which is valid until `body` returns: keep no address of it. Reading is
    /// allowed always, writing only before the buffer is shared.
    ///
    /// The one way to the pixels, because an address does not keep its buffer alive: after the buffer's last use the
    /// optimizer may let go of it, and a pool give the memory to the next picture.
    public func withPlanes<Result, Failure: Error>(
        _ body: (PixelMemory) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(PixelMemory(start: start, planes: planes))
    }

    /// Calls `body` with the memory of this buffer and of `other`, on the terms of `withPlanes(_:)`.
    public func withPlanes<Result, Failure: Error>(
        and other: PixelBuffer, _ body: (PixelMemory, PixelMemory) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime((self, other)) {} }
        return try body(
            PixelMemory(start: start, planes: planes), PixelMemory(start: other.start, planes: other.planes))
    }

    /// The first byte of a plane, for an interface that hands out addresses: whoever asks must keep the buffer alive by
    /// `withExtendedLifetime` for as long as it uses the address.
    package func unscopedAddress(ofPlane index: Int) -> UnsafeMutablePointer<UInt8> {
        PixelMemory(start: start, planes: planes)[index].start
    }

    private var start: UnsafeMutableRawPointer {
        storage.baseAddress.unsafelyUnwrapped  // never empty: both sides are at least 1
    }

    static let alignment = 64

    static func layout(width: Int, height: Int, format: PixelFormat) -> (planes: [Plane], byteCount: Int)? {
        guard (1...maximumSide).contains(width), (1...maximumSide).contains(height) else { return nil }
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        let shapes: [(width: Int, height: Int, rowBytes: Int)] =
            switch format {
            case .i420:
                [(width, height, width), (halfWidth, halfHeight, halfWidth), (halfWidth, halfHeight, halfWidth)]
            case .nv12, .nv12FullRange: [(width, height, width), (halfWidth, halfHeight, 2 * halfWidth)]
            case .bgra: [(width, height, 4 * width)]
            }
        var offset = 0
        var planes: [Plane] = []
        for shape in shapes {
            let stride = (shape.rowBytes + alignment - 1) / alignment * alignment
            planes.append(Plane(offset: offset, stride: stride, width: shape.width, height: shape.height))
            offset += stride * shape.height
        }
        return (planes, offset)
    }
}

/// Buffers of one size and format that are used again instead of being allocated.
public final class PixelBufferPool: Sendable {
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int
    /// The format.
    public let format: PixelFormat

    private let layout: (planes: [PixelBuffer.Plane], byteCount: Int)
    private let keep: Int
    private let free = Locked<[FreeStorage]>([])

    private struct FreeStorage: @unchecked Sendable {
        // SAFETY: memory that no buffer refers to; whoever takes it out of the list owns it.
        let bytes: UnsafeMutableRawBufferPointer
    }

    /// A pool that keeps at most `keep` unused buffers; nil for a size that no buffer has.
    public init?(width: Int, height: Int, format: PixelFormat, keep: Int = 8) {
        guard let layout = PixelBuffer.layout(width: width, height: height, format: format) else { return nil }
        self.width = width
        self.height = height
        self.format = format
        self.layout = layout
        self.keep = keep
    }

    deinit {
        free.withLock { list in for storage in list { storage.bytes.deallocate() } }
    }

    /// A buffer with undefined pixels.
    public func make() -> PixelBuffer {
        let storage = free.withLock { $0.popLast() }
        return PixelBuffer(
            width: width, height: height, format: format, layout: layout, storage: storage?.bytes, pool: self)
    }

    func takeBack(_ storage: UnsafeMutableRawBufferPointer) {
        let box = FreeStorage(bytes: storage)
        let kept = free.withLock { list in
            guard list.count < keep else { return false }
            list.append(box)
            return true
        }
        if !kept { storage.deallocate() }
    }
}
