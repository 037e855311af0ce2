// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// Carries capture times on from the packets that tell them to those that do not, along the timestamps.
struct CaptureTimeline: Hashable, Sendable {
    private let clock: MediaClock
    private var anchor: Anchor?

    private struct Anchor: Hashable {
        var timestamp: Int64
        var ntp: UInt64
    }

    init(clock: MediaClock) { self.clock = clock }

    mutating func captureTime(of timestamp: Int64, told ntp: UInt64?) -> UInt64? {
        if let ntp {
            anchor = Anchor(timestamp: timestamp, ntp: ntp)
            return ntp
        }
        guard let anchor else { return nil }
        let distance = timestamp &- anchor.timestamp
        guard distance.magnitude <= UInt64(Self.furthest * clock.rawValue) else { return nil }
        return NTPTime.advanced(anchor.ntp, by: clock.interval(ticks: distance))
    }

    /// Seconds over which clocks do not drift apart enough to matter (100 ppm: 0.5 ms).
    private static let furthest: Int64 = 5
}
