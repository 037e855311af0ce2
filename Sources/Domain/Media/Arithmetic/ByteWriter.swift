// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Writes big-endian integers into a slot; what does not fit is not written and remembered as an overflow.
struct ByteWriter {
    private let slot: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    private(set) var didOverflow = false

    init(_ slot: UnsafeMutableRawBufferPointer) { self.slot = slot }

    var remaining: Int { slot.count - count }

    mutating func u8(_ value: UInt8) { integer(UInt64(value), bytes: 1) }
    mutating func u16(_ value: UInt16) { integer(UInt64(value), bytes: 2) }
    mutating func u32(_ value: UInt32) { integer(UInt64(value), bytes: 4) }
    mutating func u64(_ value: UInt64) { integer(value, bytes: 8) }

    /// The low `bytes` bytes of `value`.
    mutating func integer(_ value: UInt64, bytes: Int) {
        guard hasRoom(for: bytes) else { return }
        for index in 0..<bytes {
            slot[count + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (bytes - 1 - index)))
        }
        count += bytes
    }

    mutating func copy(_ source: UnsafeRawBufferPointer) {
        guard hasRoom(for: source.count) else { return }
        UnsafeMutableRawBufferPointer(rebasing: slot[count..<count + source.count]).copyMemory(from: source)
        count += source.count
    }

    /// Overwrites two bytes written before.
    mutating func patch(_ value: UInt16, at offset: Int) {
        guard offset >= 0, offset + 2 <= count else { return }
        slot[offset] = UInt8(truncatingIfNeeded: value >> 8)
        slot[offset + 1] = UInt8(truncatingIfNeeded: value)
    }

    /// Forgets what was written after `length`, and that something did not fit.
    mutating func rewind(to length: Int) {
        count = min(count, max(0, length))
        didOverflow = false
    }

    private mutating func hasRoom(for bytes: Int) -> Bool {
        guard !didOverflow, remaining >= bytes else {
            didOverflow = true
            return false
        }
        return true
    }
}
