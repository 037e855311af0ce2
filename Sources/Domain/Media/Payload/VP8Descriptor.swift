// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The VP8 payload descriptor that comes before each packet's share of a frame (RFC 7741 §4.2).
public struct VP8Descriptor: Hashable, Sendable {
    /// A picture id and its width on the wire.
    public struct PictureID: Hashable, Sendable {
        /// The id.
        public var value: UInt16
        /// 7 or 15 bits.
        public var width: PictureIDUnwrapper.Width
        /// An id; bits beyond the width are cut off.
        public init(_ value: UInt16, _ width: PictureIDUnwrapper.Width) {
            self.value = value & (width == .long ? 0x7FFF : 0x7F)
            self.width = width
        }
    }

    /// Where a frame stands among temporal layers.
    public struct Layer: Hashable, Sendable {
        /// TID: 0 = base layer, …3.
        public var temporal: UInt8
        /// Y: the frame depends on the base layer alone.
        public var isSync: Bool
        /// A place among layers.
        public init(temporal: UInt8, isSync: Bool) {
            self.temporal = temporal & 3
            self.isSync = isSync
        }
    }

    /// N: no other frame depends on this one.
    public var isNonReference = false
    /// S: a partition starts with this packet.
    public var isPartitionStart: Bool
    /// PID: 0…7.
    public var partition: UInt8 = 0
    /// The picture's id.
    public var pictureID: PictureID?
    /// TL0PICIDX: the id of the base-layer frame that this one builds on, or is.
    public var baseIndex: UInt8?
    /// TID and Y.
    public var layer: Layer?
    /// KEYIDX: 0…31.
    public var keyIndex: UInt8?

    /// A descriptor for a packet that starts a partition or does not.
    public init(isPartitionStart: Bool) { self.isPartitionStart = isPartitionStart }

    /// Whether the packet is a frame's first.
    public var isFrameStart: Bool { isPartitionStart && partition == 0 }

    /// Bytes on the wire.
    public var byteCount: Int {
        guard hasExtension else { return 1 }
        let picture =
            switch pictureID?.width {
            case .long: 2
            case .short: 1
            case nil: 0
            }
        return 2 + picture + (baseIndex == nil ? 0 : 1) + (layer == nil && keyIndex == nil ? 0 : 1)
    }

    private var hasExtension: Bool { pictureID != nil || baseIndex != nil || layer != nil || keyIndex != nil }

    /// Reads a descriptor. Any bytes are safe.
    ///
    /// - Returns: nil when the payload ends inside the descriptor, or right after it.
    public static func parse(_ payload: UnsafeRawBufferPointer) -> VP8Descriptor? { read(payload)?.descriptor }

    /// A descriptor and its length on the wire, which may be more than `byteCount`: X may be set over no field at all.
    static func read(_ payload: UnsafeRawBufferPointer) -> (descriptor: VP8Descriptor, length: Int)? {
        var reader = ByteReader(payload)
        guard let first = reader.u8() else { return nil }
        var descriptor = VP8Descriptor(isPartitionStart: first & 0x10 != 0)
        descriptor.isNonReference = first & 0x20 != 0
        descriptor.partition = first & 0x07
        if first & 0x80 != 0, !descriptor.readExtension(from: &reader) { return nil }
        return reader.remaining > 0 ? (descriptor, reader.offset) : nil
    }

    private mutating func readExtension(from reader: inout ByteReader) -> Bool {
        guard let flags = reader.u8() else { return false }
        if flags & 0x80 != 0 {
            guard let high = reader.u8() else { return false }
            if high & 0x80 != 0 {
                guard let low = reader.u8() else { return false }
                pictureID = PictureID(UInt16(high & 0x7F) << 8 | UInt16(low), .long)
            } else {
                pictureID = PictureID(UInt16(high), .short)
            }
        }
        if flags & 0x40 != 0 {
            guard let index = reader.u8() else { return false }
            baseIndex = index
        }
        if flags & 0x30 != 0 {
            guard let byte = reader.u8() else { return false }
            if flags & 0x20 != 0 { layer = Layer(temporal: byte >> 6, isSync: byte & 0x20 != 0) }
            if flags & 0x10 != 0 { keyIndex = byte & 0x1F }
        }
        return true
    }

    func write(to writer: inout ByteWriter) {
        writer.u8(
            (hasExtension ? 0x80 : 0) | (isNonReference ? 0x20 : 0) | (isPartitionStart ? 0x10 : 0) | (partition & 7))
        guard hasExtension else { return }
        writer.u8(
            (pictureID == nil ? 0 : 0x80) | (baseIndex == nil ? 0 : 0x40) | (layer == nil ? 0 : 0x20)
                | (keyIndex == nil ? 0 : 0x10))
        switch pictureID?.width {
        case .long: writer.u16(0x8000 | (pictureID?.value ?? 0))
        case .short: writer.u8(UInt8(truncatingIfNeeded: pictureID?.value ?? 0) & 0x7F)
        case nil: break
        }
        if let baseIndex { writer.u8(baseIndex) }
        if layer != nil || keyIndex != nil {
            let place = layer.map { $0.temporal << 6 | ($0.isSync ? 0x20 : 0) } ?? 0
            writer.u8(place | ((keyIndex ?? 0) & 0x1F))
        }
    }

    /// Writes the descriptor.
    ///
    /// - Returns: its length; nil when the slot is too small.
    public func write(into slot: UnsafeMutableRawBufferPointer) -> Int? {
        var writer = ByteWriter(slot)
        write(to: &writer)
        return writer.didOverflow ? nil : writer.count
    }
}
