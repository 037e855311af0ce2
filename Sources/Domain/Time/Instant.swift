// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A point on a monotonic clock, in nanoseconds since an origin that the clock alone knows.
///
/// The domain never reads a clock: an instant always comes in as an argument.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the clock's origin.
    public var nanoseconds: Int64

    /// An instant so many nanoseconds after the clock's origin.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The clock's origin.
    public static let zero = Instant(nanoseconds: 0)
    /// Later than every instant that a clock returns.
    public static let distantFuture = Instant(nanoseconds: .max)

    /// Whether `left` is before `right`.
    public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The instant moved by an interval; stays at the end of the range instead of wrapping.
    public static func + (instant: Instant, interval: Interval) -> Instant {
        Instant(nanoseconds: saturatingSum(instant.nanoseconds, interval.nanoseconds))
    }

    /// The instant moved back by an interval; stays at the end of the range instead of wrapping.
    public static func - (instant: Instant, interval: Interval) -> Instant {
        Instant(nanoseconds: saturatingDifference(instant.nanoseconds, interval.nanoseconds))
    }

    /// The interval from `right` to `left`; negative when `left` is earlier.
    public static func - (left: Instant, right: Instant) -> Interval {
        Interval(nanoseconds: saturatingDifference(left.nanoseconds, right.nanoseconds))
    }
}

func saturatingSum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b > 0 ? .max : .min) : sum
}

func saturatingDifference(_ a: Int64, _ b: Int64) -> Int64 {
    let (difference, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? (b < 0 ? .max : .min) : difference
}
