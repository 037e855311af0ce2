// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The fields of one message, checked as fields: none ends past the end, none comes more often than it may.
package struct FieldReader {
    private var fields: [(tag: ControlTag, value: ArraySlice<UInt8>)] = []

    /// Splits bytes into fields; unknown tags are skipped.
    package init(_ bytes: [UInt8]) throws(ControlDrop) {
        var rest = bytes[...]
        while let number = rest.popFirst() {
            guard let length = rest.popLength(), length <= UInt64(rest.count) else { throw .truncatedField }
            let value = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            guard let tag = ControlTag(rawValue: number) else { continue }
            guard all(tag).count < tag.limit else { throw tag.limit == 1 ? .repeatedField : .tooManyFields }
            fields.append((tag, value))
        }
    }

    func has(_ tag: ControlTag) -> Bool { fields.contains { $0.tag == tag } }

    func all(_ tag: ControlTag) -> [ArraySlice<UInt8>] {
        var values: [ArraySlice<UInt8>] = []
        for field in fields where field.tag == tag { values.append(field.value) }
        return values
    }

    func bytes(_ tag: ControlTag) throws(ControlDrop) -> ArraySlice<UInt8> {
        guard let value = all(tag).first else { throw .missingField }
        return value
    }

    func bytes(_ tag: ControlTag, limit: Int) throws(ControlDrop) -> [UInt8] {
        let value = try bytes(tag)
        guard value.count <= limit else { throw .wrongLength }
        return Array(value)
    }

    func integer<Integer: FixedWidthInteger>(_ tag: ControlTag) throws(ControlDrop) -> Integer {
        guard let value = Integer(bigEndianBytes: try bytes(tag)) else { throw .wrongLength }
        return value
    }

    func flag(_ tag: ControlTag) throws(ControlDrop) -> Bool { try Bool(onWire: try integer(tag)) }

    func wireID(_ tag: ControlTag) throws(ControlDrop) -> WireID {
        let value = try bytes(tag)
        guard value.count == 16, let high = UInt64(bigEndianBytes: value.prefix(8)),
            let low = UInt64(bigEndianBytes: value.suffix(8))
        else { throw .wrongLength }
        return WireID(high: high, low: low)
    }

    func publication() throws(ControlDrop) -> PublicationID {
        PublicationID(rawValue: try integer(.publication))
    }

    func text(_ tag: ControlTag, limit: Int) throws(ControlDrop) -> String {
        guard let text = String(validating: try bytes(tag, limit: limit), as: UTF8.self) else { throw .invalidText }
        return text
    }
}

extension Bool {
    /// 0 or 1 and nothing else, so that a later version may give the other values a meaning.
    init(onWire byte: UInt8) throws(ControlDrop) {
        guard byte <= 1 else { throw .badValue }
        self = byte == 1
    }
}

extension FixedWidthInteger {
    /// The integer of exactly these bytes, highest first; nil when there are more or fewer than it has.
    init?(bigEndianBytes bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.bitWidth / 8 else { return nil }
        var value: Self = 0
        for byte in bytes { value = (Self.bitWidth > 8 ? value << 8 : 0) | Self(truncatingIfNeeded: byte) }
        self = value
    }
}

extension ArraySlice<UInt8> {
    /// Takes a variable-length integer (RFC 9000 §16) off the front; nil when it is cut off.
    mutating func popLength() -> UInt64? {
        guard let first = popFirst() else { return nil }
        let more = (1 << (first >> 6)) - 1
        guard count >= more else { return nil }
        var value = UInt64(first & 0x3F)
        for byte in prefix(more) { value = value << 8 | UInt64(byte) }
        self = dropFirst(more)
        return value
    }
}
