// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// The packets of a stream that did not come, and when to ask for each (NACK, RFC 4585).
///
/// The first request goes out at once, or after the time by which packets of this stream have lately been overtaken
/// (0…10 ms); then one each round trip, ten in all. What has to be asked for again is asked for twice, 10 ms apart: on
/// such a path the requests are lost as well. At most 1,000 numbers, none further back than what the packet ring can
/// hold: what goes beyond is given up, and only a keyframe helps.
struct MissingPackets {
    static let capacity = 1_000
    static let mostTries = 10
    /// Numbers: the slots of the packet ring.
    static let reach = Int64(PacketRing.largest)
    static let echo = Interval.milliseconds(10)
    static let longestTolerance = Interval.milliseconds(10)

    /// A frame that could be decoded if it did not wait for what is missing before it.
    struct Waiting {
        /// The number of its first packet.
        var first: Int64
        /// When it waits no longer.
        var until: Instant
    }

    private struct Entry {
        var sequence: Int64
        /// When a later packet showed that it is missing.
        var missedAt: Instant
        var askAt: Instant
        var tries = 0
        var firstAsked: Instant?
        /// When the next try is due, while the last one is still to be repeated.
        var nextTry: Instant?

        var isSpent: Bool { tries >= MissingPackets.mostTries && nextTry == nil }

        mutating func asked(at now: Instant, _ timing: RecoveryTiming) {
            if let nextTry {
                askAt = nextTry
                self.nextTry = nil
                return
            }
            tries += 1
            firstAsked = firstAsked ?? now
            askAt = now + timing.retry
            guard tries > 1, timing.retry > MissingPackets.echo * 2 else { return }
            nextTry = askAt
            askAt = now + MissingPackets.echo
        }
    }

    /// Ascending in number and in time.
    private var entries: [Entry] = []
    private var newest: Int64?
    /// Nothing up to this number is of use.
    private var floor = Int64.min
    private var reordering = Reordering()
    private var hasGivenUp = false
    /// How long the last answer to a first request took: a round trip.
    private(set) var answeredAfter: Interval?
    /// Numbers asked for, each as often as it was.
    private(set) var requested: UInt64 = 0
    /// Numbers given up.
    private(set) var abandoned: UInt64 = 0

    var count: Int { entries.count }

    /// Takes the number of a packet that came for the first time, by itself or as a retransmission.
    mutating func received(_ sequence: Int64, isRetransmission: Bool, at now: Instant) {
        guard let newest else {
            newest = sequence
            return
        }
        guard sequence > newest else { return fill(sequence, isRetransmission: isRetransmission, at: now) }
        self.newest = sequence
        miss(max(newest &+ 1, floor &+ 1)..<max(sequence, newest &+ 1, floor &+ 1), at: now)
        giveUp(through: sequence &- Self.reach)
    }

    private mutating func fill(_ sequence: Int64, isRetransmission: Bool, at now: Instant) {
        guard let index = index(of: sequence) else { return }
        let entry = entries.remove(at: index)
        if !isRetransmission { reordering.observe(now - entry.missedAt, at: now) }
        // After a second request it cannot be told which one was answered.
        if isRetransmission, entry.tries == 1, let asked = entry.firstAsked { answeredAfter = now - asked }
    }

    private mutating func miss(_ gap: Range<Int64>, at now: Instant) {
        guard entries.count + gap.count <= Self.capacity else {
            abandoned &+= UInt64(entries.count + gap.count)
            entries.removeAll(keepingCapacity: true)
            hasGivenUp = true
            return
        }
        let askAt = now + reordering.tolerance(at: now)
        for sequence in gap { entries.append(Entry(sequence: sequence, missedAt: now, askAt: askAt)) }
    }

    private mutating func giveUp(through sequence: Int64) {
        let count = entries.prefix { $0.sequence <= sequence }.count
        guard count > 0 else { return }
        entries.removeFirst(count)
        abandoned &+= UInt64(count)
        hasGivenUp = true
    }

    /// Nothing up to this number is of use any more.
    mutating func discard(through sequence: Int64) {
        floor = max(floor, sequence)
        let count = entries.prefix { $0.sequence <= sequence }.count
        if count > 0 { entries.removeFirst(count) }
    }

    /// The stream goes on with another number: nothing is missing, and nothing up to this number is of use.
    mutating func reset(through last: Int64) {
        entries.removeAll(keepingCapacity: true)
        newest = nil
        floor = max(floor, last)
        hasGivenUp = false
    }

    /// Until when a frame may wait for what is missing before its first packet; nil when nothing is.
    func hold(before first: Int64, _ timing: RecoveryTiming) -> Instant? {
        let end = insertionIndex(of: first)
        return end == 0 ? nil : entries[end - 1].missedAt + timing.hold
    }

    /// Whether something was given up since this was last asked.
    mutating func takeGivenUp() -> Bool {
        defer { hasGivenUp = false }
        return hasGivenUp
    }

    /// When to ask next; nil when nothing is missing.
    var deadline: Instant? {
        var earliest = Instant.distantFuture
        for entry in entries { earliest = min(earliest, entry.askAt) }
        return earliest == .distantFuture ? nil : earliest
    }

    /// The numbers to ask for now, ascending; counts them as asked for.
    ///
    /// - Parameter waiting: a frame beyond which nothing counts that cannot come before it goes out.
    mutating func takeDue(at now: Instant, _ timing: RecoveryTiming, waiting: Waiting?) -> [Int64] {
        guard let deadline, now >= deadline else { return [] }
        var due: [Int64] = []
        var hasSpent = false
        // What is due a moment later goes with it: one datagram instead of several.
        for index in entries.indices {
            guard entries[index].askAt <= (entries[index].tries == 0 ? now : now + Self.coalescing) else { continue }
            if entries[index].isSpent {
                guard entries[index].askAt <= now else { continue }
                hasSpent = true
            } else if let waiting, entries[index].sequence < waiting.first, now + timing.roundTrip > waiting.until {
                entries[index].askAt = .distantFuture
            } else {
                due.append(entries[index].sequence)
                entries[index].asked(at: now, timing)
            }
        }
        if hasSpent { removeSpent(at: now) }
        requested &+= UInt64(due.count)
        return due
    }

    private mutating func removeSpent(at now: Instant) {
        let before = entries.count
        entries.removeAll { $0.isSpent && $0.askAt <= now }
        abandoned &+= UInt64(before - entries.count)
        hasGivenUp = true
    }

    private func index(of sequence: Int64) -> Int? {
        let index = insertionIndex(of: sequence)
        return index < entries.count && entries[index].sequence == sequence ? index : nil
    }

    /// The place of the first entry that is not below a number.
    private func insertionIndex(of sequence: Int64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static let coalescing = Interval.milliseconds(5)
}

/// By how much packets overtake each other, as far as waiting for them is worth it: 0…10 ms.
private struct Reordering {
    private var lateness = Interval.zero
    private var seenAt = Instant.zero

    /// A packet came so long after a later one. What waiting 10 ms would not have caught does not count.
    mutating func observe(_ late: Interval, at now: Instant) {
        guard late <= MissingPackets.longestTolerance else { return }
        lateness = max(tolerance(at: now), late)
        seenAt = now
    }

    /// How long to wait before asking; halves each 2 s without reordering.
    func tolerance(at now: Instant) -> Interval {
        guard lateness > .zero else { return .zero }
        let halvings = max(0, (now - seenAt).nanoseconds / Interval.seconds(Int64(2)).nanoseconds)
        let left = halvings > 8 ? .zero : Interval(nanoseconds: lateness.nanoseconds >> halvings)
        return left < .microseconds(100) ? .zero : left
    }
}
