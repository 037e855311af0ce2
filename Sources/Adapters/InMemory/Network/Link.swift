// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// One direction of a link: decides for each datagram whether and when it arrives.
struct Link {
    /// IPv4 and UDP headers, which take bandwidth too.
    private static let headerBytes = 28
    /// A reliable frame that was lost comes again after this long at least.
    private static let retransmissionDelay = Interval.milliseconds(250)

    var conditions: LinkConditions
    private(set) var statistics = LinkStatistics()
    private var generator: SeededGenerator
    /// When the bandwidth is free again.
    private var freeAt = Instant.zero
    /// When the last datagram that keeps its place arrives.
    private var lastArrival = Instant.zero

    init(conditions: LinkConditions, seed: UInt64) {
        self.conditions = conditions
        generator = SeededGenerator(seed: seed)
    }

    /// When the datagram arrives, and its copy; nil for what never does.
    mutating func carry(byteCount: Int, at now: Instant) -> (first: Instant?, copy: Instant?) {
        statistics.sent += 1
        statistics.sentBytes += byteCount
        guard !conditions.isPartitioned, !happens(conditions.lossPercent) else {
            statistics.lost += 1
            return (nil, nil)
        }
        guard let departure = queue(byteCount + Link.headerBytes, at: now) else {
            statistics.overflowed += 1
            return (nil, nil)
        }
        let first = arrival(departure)
        let copy = happens(conditions.duplicationPercent) ? arrival(departure) : nil
        statistics.carried += copy == nil ? 1 : 2
        return (first, copy)
    }

    /// When something that is sent again until it arrives does, if the link is open.
    mutating func carryReliably(at now: Instant) -> Instant {
        let wait = max(Link.retransmissionDelay, conditions.delay * 2)
        var departure = now
        // Bounded: at 100 % loss a frame would never arrive; the session's end then clears it.
        for _ in 0..<200 {
            guard happens(conditions.lossPercent) else { break }
            departure = departure + wait
        }
        return departure + conditions.delay + randomJitter()
    }

    /// Counts a datagram that no session carries.
    mutating func countUncarried(byteCount: Int) {
        statistics.sent += 1
        statistics.sentBytes += byteCount
        statistics.lost += 1
    }

    private mutating func queue(_ byteCount: Int, at now: Instant) -> Instant? {
        guard let bandwidth = conditions.bandwidth else { return now }
        let start = max(now, freeAt)
        let waiting = (start - now).seconds * Double(bandwidth) / 8
        guard bandwidth > 0, waiting + Double(byteCount) <= Double(conditions.queueBytes) else { return nil }
        freeAt = start + .seconds(Double(byteCount * 8) / Double(bandwidth))
        return freeAt
    }

    private mutating func arrival(_ departure: Instant) -> Instant {
        let arrival = departure + conditions.delay + randomJitter()
        if happens(conditions.reorderingPercent) { return arrival + conditions.reorderingDelay }
        lastArrival = max(lastArrival, arrival)
        return lastArrival
    }

    private mutating func randomJitter() -> Interval {
        guard conditions.jitter > .zero else { return .zero }
        return Interval(nanoseconds: Int64.random(in: 0...conditions.jitter.nanoseconds, using: &generator))
    }

    /// Draws a number even at 0 %, so that one knob does not shift what the others do.
    private mutating func happens(_ percent: Double) -> Bool {
        Double(generator.next() >> 11) * 0x1p-53 * 100 < percent
    }
}
