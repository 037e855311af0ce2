// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Writes fields: tag, length as a variable-length integer (RFC 9000 §16), bytes; integers big-endian.
package struct FieldWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func put(_ tag: ControlTag, _ value: [UInt8]) {
        bytes.append(tag.rawValue)
        appendLength(value.count)
        bytes += value
    }

    mutating func put(_ tag: ControlTag, _ value: some FixedWidthInteger) {
        var content: [UInt8] = []
        content.appendBigEndian(value)
        put(tag, content)
    }

    mutating func put(_ tag: ControlTag, _ value: Bool) { put(tag, value ? 1 : 0 as UInt8) }

    mutating func put(_ tag: ControlTag, _ value: WireID) {
        var content: [UInt8] = []
        content.appendBigEndian(value.high)
        content.appendBigEndian(value.low)
        put(tag, content)
    }

    mutating func put(_ tag: ControlTag, _ value: PublicationID) { put(tag, value.rawValue) }

    mutating func put(_ tag: ControlTag, text: String, limit: Int) throws(ControlSendError) {
        try put(tag, Array(text.utf8), limit: limit)
    }

    mutating func put(_ tag: ControlTag, _ value: [UInt8], limit: Int) throws(ControlSendError) {
        guard value.count <= limit else { throw .tooLarge(size: value.count, limit: limit) }
        put(tag, value)
    }

    /// Lengths of our own fields are far below 16,384, so that two bytes always do.
    private mutating func appendLength(_ count: Int) {
        if count < 0x40 {
            bytes.append(UInt8(truncatingIfNeeded: count))
        } else {
            bytes.appendBigEndian(0x4000 | UInt16(truncatingIfNeeded: count))
        }
    }
}

extension [UInt8] {
    mutating func appendBigEndian<Integer: FixedWidthInteger>(_ value: Integer) {
        for shift in stride(from: Integer.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> Integer(shift)))
        }
    }
}
