// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// The measured round-trip time, smoothed as RFC 6298 does, and what follows from it.
struct RoundTrip: Sendable, Equatable {
    private(set) var smoothed: Interval?

    /// Takes a sample: of something sent once alone (Karn's rule), since who knows which copy was answered otherwise.
    mutating func measured(_ sample: Interval) {
        let sample = max(sample, .zero)
        smoothed = smoothed.map { ($0 * 7 + sample) / 8 } ?? sample
    }

    /// How long an unacknowledged frame waits before it is sent again for the first time.
    ///
    /// With acknowledgements delayed by at most 5 ms this never fires before an acknowledgement that was not lost:
    /// RTT + 5 ms is below 20 ms or below 1.5 RTT, whatever the RTT.
    var firstRetransmission: Interval {
        guard let smoothed else { return Self.unmeasured }
        return min(max(smoothed * 3 / 2, Self.shortest), Self.longest)
    }

    /// How long it waits the next time: twice as long, up to a second.
    static func backedOff(_ interval: Interval) -> Interval { max(interval, min(interval * 2, longest)) }

    static let acknowledgementDelay = Interval.milliseconds(5)
    private static let shortest = Interval.milliseconds(20)
    private static let longest = Interval.seconds(1 as Int64)
    private static let unmeasured = Interval.milliseconds(100)
}
