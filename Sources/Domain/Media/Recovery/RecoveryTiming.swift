// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// The waits of loss recovery, all of them worked out from the round trip, the same at both ends.
public struct RecoveryTiming: Hashable, Sendable {
    /// Taken for the round trip until it was measured (libwebrtc's `kDefaultRttMs`).
    public static let assumedRoundTrip = Interval.milliseconds(100)
    /// A longer one is treated as this long: nothing could be recovered in time anyway.
    static let longestRoundTrip = Interval.seconds(Int64(1))

    /// The round trip, 0…1 s.
    public let roundTrip: Interval
    private let isMeasured: Bool

    /// Waits for a round trip; nil before it was measured.
    public init(roundTrip: Interval? = nil) {
        isMeasured = roundTrip != nil
        self.roundTrip = max(.zero, min(roundTrip ?? Self.assumedRoundTrip, Self.longestRoundTrip))
    }

    /// From one request for a packet to the next: the answer takes a round trip, and 5 ms to be made and to arrive late.
    var retry: Interval { max(roundTrip, .milliseconds(5)) + .milliseconds(5) }

    /// How long a frame that can be decoded waits for missing packets before it, from when they were missed: two
    /// requests and their answers, and a third when the round trip is short; never more than 400 ms.
    var hold: Interval { min(roundTrip * 2 + .milliseconds(60), .milliseconds(400)) }

    /// How long a stream that cannot go on hopes for retransmissions before it asks for a keyframe: four requests and
    /// their answers, 200 ms…1 s. A keyframe takes as long as that to come when as many packets are lost of it.
    var patience: Interval {
        max(.milliseconds(200), min(roundTrip * 4 + .milliseconds(100), .seconds(Int64(1))))
    }

    /// A packet is not sent again sooner than this after the last time: a request that comes earlier was made before
    /// that one can have arrived. An eighth of the round trip, at least 5 ms, is left for jitter; before the round trip
    /// was measured it is 20 ms, since the other side may know better.
    var resendPause: Interval {
        isMeasured ? max(.zero, roundTrip - max(roundTrip / 8, .milliseconds(5))) : .milliseconds(20)
    }

    /// How long what was sent is kept: three round trips, at least a second.
    var memory: Interval { max(.seconds(Int64(1)), roundTrip * 3) }
}
