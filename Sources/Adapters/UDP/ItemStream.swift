// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// The reliable part of a link: items in order, acknowledged cumulatively, sent again from the first missing one on.
///
/// Meant for the few texts and profiles of a lab; media never comes here.
struct ItemStream: Equatable {
    struct Outgoing: Equatable {
        var sequence: UInt32
        var item: LabItem
        /// Names the text in its receipt; nil for what has none.
        var token: UInt64?
    }

    /// How many items may wait.
    static let capacity = 256
    /// How many of them may be on their way.
    static let window = 16
    static let firstPatience = Interval.milliseconds(200)
    static let lastPatience = Interval.seconds(1)

    /// What has no acknowledgement yet, in order; the first `flying` of them have been sent.
    private(set) var waiting: [Outgoing] = []
    private var flying = 0
    private var next: UInt32 = 1
    /// The sequence number that the other side must send next.
    private(set) var expected: UInt32 = 1
    /// When what flies is sent again.
    private(set) var resendAt: Instant?
    private var patience = firstPatience

    /// Queues an item; false when too many wait.
    mutating func offer(_ item: LabItem, token: UInt64?) -> Bool {
        guard waiting.count < Self.capacity else { return false }
        waiting.append(Outgoing(sequence: next, item: item, token: token))
        next &+= 1
        return true
    }

    /// Queues the newest of something of which only the newest counts: it replaces one that has not been sent yet.
    mutating func offerLatest(_ item: LabItem) {
        let place = waiting.indices.dropFirst(flying).first { waiting[$0].item.kind == item.kind }
        if let place {
            waiting[place].item = item
        } else {
            waiting.append(Outgoing(sequence: next, item: item))
            next &+= 1
        }
    }

    /// What must go out now.
    mutating func departures(at now: Instant) -> ArraySlice<Outgoing> {
        var start = flying
        if let due = resendAt, due <= now {
            start = 0
            patience = min(patience * 2, Self.lastPatience)
            resendAt = now + patience
        }
        let end = min(Self.window, waiting.count)
        if end > flying {
            flying = end
            if resendAt == nil { resendAt = now + patience }
        }
        return start < end ? waiting[start..<end] : []
    }

    /// The other side waits for `number`: all before it has arrived. What was never sent is not believed.
    mutating func acknowledged(upTo number: UInt32, at now: Instant) -> [UInt64] {
        guard let first = waiting.first else { return [] }
        let count = Int(number &- first.sequence)
        guard 1...flying ~= count else { return [] }
        let arrived = waiting.prefix(count)
        waiting.removeFirst(count)
        flying -= count
        patience = Self.firstPatience
        resendAt = flying > 0 ? now + patience : nil
        return arrived.compactMap(\.token)
    }

    /// Whether an item with this number is the one that comes next; a repeated or early one is not.
    mutating func accepts(_ sequence: UInt32) -> Bool {
        guard sequence == expected else { return false }
        expected &+= 1
        return true
    }
}
