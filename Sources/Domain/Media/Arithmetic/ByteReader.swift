// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Reads big-endian integers and never past the end, whatever the build mode checks.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    private let end: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(bytes, from: 0, to: bytes.count)
    }

    /// Reads `bytes[start..<end]`; what lies outside the buffer counts as not there.
    init(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) {
        self.bytes = bytes
        self.end = max(0, min(end, bytes.count))
        offset = max(0, min(start, self.end))
    }

    var remaining: Int { end - offset }

    mutating func u8() -> UInt8? {
        guard remaining >= 1 else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func u16() -> UInt16? { integer(bytes: 2).map { UInt16(truncatingIfNeeded: $0) } }
    mutating func u32() -> UInt32? { integer(bytes: 4).map { UInt32(truncatingIfNeeded: $0) } }
    mutating func u64() -> UInt64? { integer(bytes: 8) }

    /// An unsigned integer of 1…8 bytes.
    mutating func integer(bytes count: Int) -> UInt64? {
        guard remaining >= count else { return nil }
        var value: UInt64 = 0
        for index in offset..<offset + count { value = value << 8 | UInt64(bytes[index]) }
        offset += count
        return value
    }

    /// Moves on by `count` bytes; false, and nothing moved, when so many are not there.
    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, remaining >= count else { return false }
        offset += count
        return true
    }

    /// The next `count` bytes as a reader of their own.
    mutating func take(_ count: Int) -> ByteReader? {
        let start = offset
        guard skip(count) else { return nil }
        return ByteReader(bytes, from: start, to: offset)
    }
}

extension ByteReader {
    /// What is left without the RTCP padding at its end (RFC 3550 §6.4.1); nil when the padding cannot be right.
    func withoutPadding() -> ByteReader? {
        guard remaining > 0 else { return nil }
        let padding = Int(bytes[end - 1])
        guard padding > 0, padding % 4 == 0, padding <= remaining else { return nil }
        return ByteReader(bytes, from: offset, to: end - padding)
    }
}
