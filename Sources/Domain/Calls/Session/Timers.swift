// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// What a deadline is for. Deadlines that fall together fire in this order.
enum TimerName: Hashable, Comparable, Sendable {
    /// The link to a friend wants to retransmit or acknowledge.
    case link(PeerID)
    /// Nobody answered an invitation.
    case invitation(PeerID)
    /// Nothing was heard in a call for a while.
    case silence(PeerID)
    /// The next keep-alive of a call.
    case keepAlive(PeerID)
    /// A call without a path is given up.
    case networkLost(PeerID)
    /// A publication was not declared in time.
    case publish(PublicationID)
    /// A message's receipt did not come in time.
    case message(UInt64)
    /// A friend who was deleted did not acknowledge the goodbye.
    case departure(PeerID)
}

/// All deadlines of a session in one table, each with its name.
struct Timers: Equatable, Sendable {
    private var table = SortedTable<TimerName, Instant>()

    /// The deadline of this name; nil takes it away.
    subscript(name: TimerName) -> Instant? {
        get { table[name] }
        set { table[name] = newValue }
    }

    /// The earliest deadline and what it is for.
    var next: (name: TimerName, deadline: Instant)? {
        var best: Int?
        for index in table.values.indices {
            if let known = best, table.values[known] <= table.values[index] { continue }
            best = index
        }
        return best.map { (table.keys[$0], table.values[$0]) }
    }

    /// Takes the earliest deadline that has come.
    mutating func takeDue(at now: Instant) -> TimerName? {
        guard let next, next.deadline <= now else { return nil }
        table[next.name] = nil
        return next.name
    }

    /// Takes every deadline away.
    mutating func removeAll() { table = SortedTable() }
}
