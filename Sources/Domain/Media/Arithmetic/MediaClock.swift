// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// A media clock's rate in ticks a second, and the arithmetic between ticks and time.
public enum MediaClock: Int64, Hashable, Sendable {
    /// Video: 90 kHz (RFC 7741 §4.1, RFC 6184 §8.2.1).
    case video = 90_000
    /// Opus: 48 kHz whatever the coder does inside (RFC 7587 §4.1).
    case audio = 48_000

    /// Ticks in an interval, rounded towards the past; never overflows, wraps at the ends of 64 bits.
    public func ticks(in interval: Interval) -> Int64 {
        let second: Int64 = 1_000_000_000
        let (whole, rest) = interval.nanoseconds.quotientAndRemainder(dividingBy: second)
        let part = rest * rawValue
        let ticks = whole &* rawValue &+ part / second
        return part % second < 0 ? ticks &- 1 : ticks
    }

    /// Ticks from the clock's origin to an instant.
    public func ticks(at instant: Instant) -> Int64 { ticks(in: instant - .zero) }

    /// The time that so many ticks take; saturates.
    public func interval(ticks: Int64) -> Interval {
        let (whole, rest) = ticks.quotientAndRemainder(dividingBy: rawValue)
        return .seconds(whole) + Interval(nanoseconds: rest * 1_000_000_000 / rawValue)
    }
}

/// NTP timestamps of 32.32 bits (RFC 3550 §4): seconds and fractions of a second, wrapping.
public enum NTPTime {
    /// The middle 32 bits, as report blocks carry them: 1/65,536 s.
    public static func middle(of ntp: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: ntp >> 16) }

    /// An NTP timestamp moved by an interval; wraps.
    public static func advanced(_ ntp: UInt64, by interval: Interval) -> UInt64 {
        let (whole, rest) = interval.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        // |rest| < 2^30, so that its product with 2^32 fits.
        let fraction = (rest << 32) / 1_000_000_000
        return ntp &+ UInt64(bitPattern: whole << 32) &+ UInt64(bitPattern: fraction)
    }

    /// The interval from `earlier` to `later`, at most 68 years either way.
    public static func interval(from earlier: UInt64, to later: UInt64) -> Interval {
        let difference = Int64(bitPattern: later &- earlier)
        let fraction = ((difference & 0xFFFF_FFFF) * 1_000_000_000) >> 32
        return .seconds(difference >> 32) + Interval(nanoseconds: fraction)
    }
}
