// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Carries a counter of few bits on into one that never wraps, for one field of one stream.
///
/// A value is newer than the reference when it is less than half the range ahead; exactly half the range ahead the
/// larger value is the newer one, so that of two values one is always newer.
struct Unwrapper: Hashable, Sendable {
    private let range: Int64
    private(set) var reference: Int64?

    init(bits: Int) { range = 1 << Int64(bits) }

    /// The unwrapped value, without remembering it. The first value stands for itself.
    func peek(_ value: UInt32) -> Int64 {
        let value = Int64(value) & (range - 1)
        guard let reference else { return value }
        let previous = reference & (range - 1)
        var step = (value - previous) & (range - 1)
        if step > range / 2 || (step == range / 2 && value < previous) { step -= range }
        return reference &+ step
    }

    /// The unwrapped value; the newest one becomes the reference for the next.
    mutating func unwrap(_ value: UInt32) -> Int64 {
        let unwrapped = peek(value)
        reference = max(reference ?? unwrapped, unwrapped)
        return unwrapped
    }

    /// The unwrapped value nearest to `expected`, which becomes the reference.
    mutating func unwrap(_ value: UInt32, near expected: Int64) -> Int64 {
        reference = expected
        let unwrapped = peek(value)
        reference = unwrapped
        return unwrapped
    }
}

/// Unwraps RTP sequence numbers (16 bits, RFC 3550 §5.1).
public struct SequenceUnwrapper: Hashable, Sendable {
    private var unwrapper = Unwrapper(bits: 16)
    /// An unwrapper that has seen nothing; its first number stands for itself.
    public init() {}
    /// The unwrapped number, without remembering it.
    public func peek(_ value: UInt16) -> Int64 { unwrapper.peek(UInt32(value)) }
    /// The unwrapped number; the newest becomes the reference.
    public mutating func unwrap(_ value: UInt16) -> Int64 { unwrapper.unwrap(UInt32(value)) }
    /// The unwrapped number nearest to `expected`, which becomes the reference.
    public mutating func unwrap(_ value: UInt16, near expected: Int64) -> Int64 {
        unwrapper.unwrap(UInt32(value), near: expected)
    }
}

/// Unwraps RTP timestamps (32 bits, RFC 3550 §5.1). One for each stream serves its packets and its sender reports.
public struct TimestampUnwrapper: Hashable, Sendable {
    private var unwrapper = Unwrapper(bits: 32)
    /// An unwrapper that has seen nothing; its first timestamp stands for itself.
    public init() {}
    /// The unwrapped timestamp, without remembering it: for reports and old frames.
    public func peek(_ value: UInt32) -> Int64 { unwrapper.peek(value) }
    /// The unwrapped timestamp; the newest becomes the reference.
    public mutating func unwrap(_ value: UInt32) -> Int64 { unwrapper.unwrap(value) }
    /// The unwrapped timestamp nearest to `expected`, which becomes the reference.
    ///
    /// For the first packet after a silence that may be longer than half the range (6.6 hours at 90 kHz):
    /// `expected` is the last timestamp plus the time that passed, in clock ticks.
    public mutating func unwrap(_ value: UInt32, near expected: Int64) -> Int64 {
        unwrapper.unwrap(value, near: expected)
    }
}

/// Unwraps VP8 picture ids of 7 or 15 bits (RFC 7741 §4.2).
public struct PictureIDUnwrapper: Hashable, Sendable {
    /// How long a picture id is on the wire.
    public enum Width: Int, Hashable, Sendable {
        /// 0…127.
        case short = 7
        /// 0…32,767.
        case long = 15
    }

    /// The width in use.
    public private(set) var width: Width
    private var unwrapper: Unwrapper

    /// An unwrapper for ids of this width.
    public init(_ width: Width) {
        self.width = width
        unwrapper = Unwrapper(bits: width.rawValue)
    }

    /// The unwrapped id, without remembering it.
    public func peek(_ value: UInt16) -> Int64 { unwrapper.peek(UInt32(value)) }
    /// The unwrapped id; the newest becomes the reference. A new width keeps counting from the id as it stands.
    public mutating func unwrap(_ value: UInt16, _ width: Width) -> Int64 {
        guard width != self.width else { return unwrapper.unwrap(UInt32(value)) }
        let last = unwrapper.reference ?? Int64(value)
        self.width = width
        unwrapper = Unwrapper(bits: width.rawValue)
        return unwrapper.unwrap(UInt32(value), near: last)
    }
}
