// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// Events per second between two looks at a counter.
struct RateMeter {
    private var last: (count: UInt64, at: Instant)?

    /// The rate since the look before; nil at the first one.
    mutating func rate(_ count: UInt64, at now: Instant) -> Double? {
        defer { last = (count, now) }
        guard let last, now > last.at else { return nil }
        // A tenth of an event per second is as much as a second's look can tell.
        return (Double(count &- last.count) / (now - last.at).seconds * 10).rounded() / 10
    }
}
