// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A length of time in nanoseconds; may be negative. Arithmetic saturates, it never traps.
public struct Interval: Hashable, Comparable, Sendable {
    /// The length in nanoseconds.
    public var nanoseconds: Int64

    /// An interval of so many nanoseconds.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// No time at all.
    public static let zero = Interval(nanoseconds: 0)

    /// So many microseconds.
    public static func microseconds(_ count: Int64) -> Interval {
        Interval(nanoseconds: saturatingProduct(count, 1_000))
    }
    /// So many milliseconds.
    public static func milliseconds(_ count: Int64) -> Interval {
        Interval(nanoseconds: saturatingProduct(count, 1_000_000))
    }
    /// So many seconds.
    public static func seconds(_ count: Int64) -> Interval {
        Interval(nanoseconds: saturatingProduct(count, 1_000_000_000))
    }
    /// So many seconds, to the nanosecond; NaN is zero, and what does not fit stays at the end of the range.
    @_disfavoredOverload  // a bare `60` is a whole number
    public static func seconds(_ count: Double) -> Interval {
        let exact = count * 1e9
        if exact.isNaN { return .zero }
        if exact >= 9.2e18 { return Interval(nanoseconds: .max) }
        if exact <= -9.2e18 { return Interval(nanoseconds: .min) }
        return Interval(nanoseconds: Int64(exact))
    }

    /// The length in seconds.
    public var seconds: Double { Double(nanoseconds) / 1e9 }
    /// The length in milliseconds.
    public var milliseconds: Double { Double(nanoseconds) / 1e6 }

    /// Whether `left` is shorter than `right`.
    public static func < (left: Interval, right: Interval) -> Bool { left.nanoseconds < right.nanoseconds }
    /// The sum of both.
    public static func + (left: Interval, right: Interval) -> Interval {
        Interval(nanoseconds: saturatingSum(left.nanoseconds, right.nanoseconds))
    }
    /// The difference of both.
    public static func - (left: Interval, right: Interval) -> Interval {
        Interval(nanoseconds: saturatingDifference(left.nanoseconds, right.nanoseconds))
    }
    /// The interval `factor` times over.
    public static func * (interval: Interval, factor: Int64) -> Interval {
        Interval(nanoseconds: saturatingProduct(interval.nanoseconds, factor))
    }
    /// The interval scaled by a factor.
    @_disfavoredOverload  // a bare `2` is a whole number
    public static func * (interval: Interval, factor: Double) -> Interval { .seconds(interval.seconds * factor) }
    /// One of `divisor` equal parts; `divisor` must not be zero.
    public static func / (interval: Interval, divisor: Int64) -> Interval {
        Interval(nanoseconds: interval.nanoseconds / divisor)
    }
}

func saturatingProduct(_ a: Int64, _ b: Int64) -> Int64 {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? ((a < 0) == (b < 0) ? .max : .min) : product
}
