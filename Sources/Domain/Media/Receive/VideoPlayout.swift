// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// When a whole frame goes out. On a path that loses nothing: at once. While packets are sent again: a round trip later
/// than the quickest frames, at the pace of the capture, so that a frame that had to be repaired is not seen to be late.
///
/// No frame waits longer than the delay, whatever its timestamp says.
struct VideoPlayout {
    static let longest = Interval.milliseconds(250)

    /// How much later than the quickest frames all go out.
    private(set) var delay = Interval.zero
    private var adaptedAt: Instant?
    /// The last three repairs, the oldest first.
    private var repairs: (Instant?, Instant?, Instant?) = (nil, nil, nil)
    /// The least time from capture, by the sender's clock, to arrival, by ours: in this span of 5 s, and in the one before.
    private var quickest: Interval?
    private var quickestBefore: Interval?
    private var spanBegan = Instant.zero

    /// A packet that was sent again was of use.
    mutating func repaired(at now: Instant) { repairs = (repairs.1, repairs.2, now) }

    /// A frame became whole: it is waited for no longer than `delay` from now on.
    mutating func completed(timestamp: Int64, _ timing: RecoveryTiming, at now: Instant) {
        let transit = Self.transit(timestamp, now)
        if let known = quickest, now - spanBegan < Self.span {
            quickest = min(known, transit)
        } else {
            (quickestBefore, quickest, spanBegan) = (quickest, transit, now)
        }
        adapt(timing, at: now)
    }

    /// Moves the delay: up by at most 100 ms a second (libwebrtc's bound), down by at most 20.
    private mutating func adapt(_ timing: RecoveryTiming, at now: Instant) {
        let isLossy = repairs.0.map { now - $0 < Self.memory } ?? false
        let target = isLossy ? min(timing.roundTrip + Self.margin, Self.longest) : .zero
        let elapsed = max(.zero, min(now - (adaptedAt ?? now), .seconds(Int64(1))))
        adaptedAt = now
        delay = delay < target ? min(target, delay + elapsed / 10) : max(target, delay - elapsed / 50)
    }

    /// When a whole frame goes out.
    func due(_ frame: IncomingVideoFrame) -> Instant {
        guard let quickest else { return frame.completedAt }
        let base = min(quickest, quickestBefore ?? quickest)
        let place = Instant.zero + MediaClock.video.interval(ticks: frame.timestamp) + base
        return min(place, frame.completedAt) + delay
    }

    /// The stream goes on with another time base.
    mutating func reset() { (quickest, quickestBefore) = (nil, nil) }

    private static func transit(_ timestamp: Int64, _ now: Instant) -> Interval {
        (now - .zero) - MediaClock.video.interval(ticks: timestamp)
    }

    private static let span = Interval.seconds(Int64(5))
    private static let memory = Interval.seconds(Int64(10))
    private static let margin = Interval.milliseconds(10)
}
