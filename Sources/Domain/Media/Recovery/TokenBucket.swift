// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// Something that may be used up no faster than it comes back: what a peer may make us do has such a limit.
struct TokenBucket: Hashable, Sendable {
    private let capacity: Int64
    private let perSecond: Int64
    /// In billionths of a token.
    private var level: Int64
    private var filledAt: Instant?

    /// A full bucket of at most a billion tokens that refills at 1…1,000,000,000 tokens a second.
    init(capacity: Int64, perSecond: Int64) {
        self.capacity = capacity * Self.unit
        self.perSecond = perSecond
        level = self.capacity
    }

    /// Takes tokens out; false, and none is taken, when there are too few.
    mutating func take(_ count: Int, at now: Instant) -> Bool {
        refill(at: now)
        let wanted = Int64(count) &* Self.unit
        guard wanted <= level else { return false }
        level -= wanted
        return true
    }

    /// Puts tokens in besides those that time brings.
    mutating func add(_ count: Int) { level = min(capacity, level + min(Int64(count) &* Self.unit, capacity)) }

    private mutating func refill(at now: Instant) {
        let elapsed = max(0, (now - (filledAt ?? now)).nanoseconds)
        filledAt = now
        let (gained, isMore) = elapsed.multipliedReportingOverflow(by: perSecond)
        level = isMore ? capacity : min(capacity, level + min(gained, capacity))
    }

    private static let unit: Int64 = 1_000_000_000
}
