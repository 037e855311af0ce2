// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// What went to and came from one peer since the call began, and how it arrived.
struct PeerTraffic: Sendable {
    var bytesSent: UInt64 = 0
    var bytesReceived: UInt64 = 0
    var packetsSent: UInt64 = 0
    var packetsReceived: UInt64 = 0

    var statistics: IceCandidatePairStatistics.Traffic {
        IceCandidatePairStatistics.Traffic(
            bytesSent: bytesSent, bytesReceived: bytesReceived, packetsSent: packetsSent,
            packetsReceived: packetsReceived)
    }
}

/// How all streams of one peer arrive together.
struct Reception: Sendable {
    var packetsReceived: Int64 = 0
    var packetsLost: Int64 = 0
    var jitter = Interval.zero

    mutating func add(received: Int64, lost: Int64, jitter: Interval) {
        packetsReceived += received
        packetsLost += lost
        self.jitter = max(self.jitter, jitter)
    }
}
