// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Tells new packets from copies and from strays, and counts what a stream should have brought (RFC 3550 A.1).
struct SequenceTracker: Hashable, Sendable {
    enum Verdict: Hashable, Sendable {
        case new(Int64, isReordered: Bool)
        /// Two packets in a row stand far from all before: the sender starts anew.
        case restarted(Int64)
        case duplicate
        case stale
    }

    /// The highest number so far, unwrapped.
    private(set) var highest: Int64?
    /// Packets received, copies left out.
    private(set) var received: Int64 = 0
    private var lowest: Int64 = 0
    private var unwrapper = SequenceUnwrapper()
    /// One bit for each of the last 1,024 numbers, at the number's place modulo 1,024.
    private var window = [UInt64](repeating: 0, count: 16)
    private var resumesAt: UInt16?

    /// Packets that should have come.
    var expected: Int64 { highest.map { $0 &- lowest &+ 1 } ?? 0 }

    mutating func receive(_ sequence: UInt16) -> Verdict {
        guard let highest else {
            let first = unwrapper.unwrap(sequence)
            self.highest = first
            lowest = first
            return accepted(first, isReordered: false)
        }
        let number = unwrapper.peek(sequence)
        let ahead = number &- highest
        switch ahead {
        case 1...Self.furthestAhead:
            clear(after: highest, count: ahead)
            self.highest = unwrapper.unwrap(sequence)
            return accepted(number, isReordered: false)
        case -(Self.windowSize - 1)...0:
            guard window[Self.word(number)] & Self.bit(number) == 0 else { return .duplicate }
            lowest = min(lowest, number)
            return accepted(number, isReordered: true)
        default:
            return stray(sequence, number: number, highest: highest)
        }
    }

    /// Takes the number of a packet that was sent again, of those that can be told from copies. Received are only packets
    /// that came by themselves: a repaired loss is still one.
    mutating func recover(_ sequence: UInt16) -> Verdict {
        guard let highest else { return .stale }
        let number = unwrapper.peek(sequence)
        guard number <= highest, highest &- number < Self.windowSize else { return .stale }
        guard window[Self.word(number)] & Self.bit(number) == 0 else { return .duplicate }
        window[Self.word(number)] |= Self.bit(number)
        return .new(number, isReordered: false)
    }

    private mutating func accepted(_ number: Int64, isReordered: Bool) -> Verdict {
        window[Self.word(number)] |= Self.bit(number)
        received &+= 1
        resumesAt = nil
        return .new(number, isReordered: isReordered)
    }

    /// A number far away is believed when its successor comes next; numbers go on upwards then, so that no later
    /// packet has a smaller one, and what was expected before stands.
    private mutating func stray(_ sequence: UInt16, number: Int64, highest: Int64) -> Verdict {
        guard resumesAt == sequence else {
            resumesAt = sequence &+ 1
            return .stale
        }
        let expectedBefore = expected
        let restarted = number > highest ? number : number &+ 65_536
        self.highest = unwrapper.unwrap(sequence, near: restarted)
        lowest = restarted &- expectedBefore
        clear(after: restarted, count: Self.windowSize)
        _ = accepted(restarted, isReordered: false)
        return .restarted(restarted)
    }

    private mutating func clear(after number: Int64, count: Int64) {
        for step in 1...max(1, min(count, Self.windowSize)) {
            window[Self.word(number &+ step)] &= ~Self.bit(number &+ step)
        }
    }

    private static func word(_ number: Int64) -> Int { Int((number & (windowSize - 1)) >> 6) }
    private static func bit(_ number: Int64) -> UInt64 { 1 << UInt64(number & 63) }

    private static let windowSize: Int64 = 1_024
    /// RFC 3550 A.1: MAX_DROPOUT.
    private static let furthestAhead: Int64 = 3_000
}
