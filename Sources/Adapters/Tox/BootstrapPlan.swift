// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// Which nodes have addresses by now, and when to look up or ask again. A value: the session carries it out.
struct BootstrapPlan {
    struct Entry {
        let node: TransportConfiguration.Node
        /// Empty until the host is looked up.
        var addresses: [String] = []
        var lookup = Lookup.due(.zero, failures: 0)
    }

    enum Lookup: Equatable {
        /// Nothing to look up: the host is an address.
        case needless
        /// To be started at this time, after so many failures.
        case due(Instant, failures: Int)
        /// A look-up runs.
        case running(failures: Int)
        /// The addresses are fresh.
        case done
    }

    private(set) var entries: [Entry]
    /// When every known node is asked again while offline.
    private(set) var nextRound = Instant.zero
    private var isOnline = false
    private var isUrgent = false
    private var rounds = 0

    init(nodes: [TransportConfiguration.Node]) {
        entries = nodes.map { node in
            guard let literal = NodeResolver.literal(node.host) else { return Entry(node: node) }
            return Entry(node: node, addresses: [literal], lookup: .needless)
        }
    }

    /// The entries whose look-up is to start now; they count as running from here on.
    mutating func startLookups(at now: Instant) -> [Int] {
        entries.indices.filter { index in
            guard case .due(let time, let failures) = entries[index].lookup, time <= now else { return false }
            entries[index].lookup = .running(failures: failures)
            return true
        }
    }

    /// A look-up ended; false when it found nothing and will be tried again later.
    mutating func lookedUp(_ index: Int, addresses: [String], at now: Instant, timing: ToxTiming) -> Bool {
        guard entries.indices.contains(index), case .running(let failures) = entries[index].lookup else { return false }
        guard addresses.isEmpty else {
            entries[index].addresses = addresses
            entries[index].lookup = .done
            return true
        }
        let wait = min(timing.firstLookupRetry * (Int64(1) << Int64(min(failures, 16))), timing.lastBootstrapRetry)
        entries[index].lookup = .due(now + wait, failures: failures + 1)
        return false
    }

    /// Whether it is time to ask every node again; plans the next time.
    mutating func isRoundDue(at now: Instant, timing: ToxTiming) -> Bool {
        guard isUrgent || !isOnline && now >= nextRound else { return false }
        isUrgent = false
        let wait = timing.firstBootstrapRetry * (Int64(1) << Int64(min(rounds, 16)))
        nextRound = now + min(wait, timing.lastBootstrapRetry)
        rounds += 1
        // A node that moved meanwhile is looked up again while it does not help.
        if rounds > 2 {
            for index in entries.indices where entries[index].lookup == .done {
                entries[index].lookup = .due(now, failures: 0)
            }
        }
        return true
    }

    /// The own reachability changed.
    mutating func reachabilityChanged(isOnline: Bool, at now: Instant, timing: ToxTiming) {
        self.isOnline = isOnline
        rounds = 0
        if !isOnline { nextRound = now }
    }

    /// Every node is asked again at once, online or not: after sleep, and for a new instance.
    mutating func restart() {
        isUrgent = true
        rounds = 0
    }
}

/// How long to wait for a friend before the instance is made anew.
struct Patience {
    var length: Interval
    var since: Instant

    func isExhausted(at now: Instant) -> Bool { now - since > length }
}

/// When savedata is worth saving.
struct SavingPlan {
    private var due: Instant?
    private var nodesDue: Instant?

    /// At the next chance.
    mutating func request(at now: Instant) { due = now }

    /// Soon, with whatever else changes until then.
    mutating func profileChanged(at now: Instant, timing: ToxTiming) {
        if due == nil { due = now + timing.profileSettling }
    }

    /// Online: the nodes that are known by and by help the next start.
    mutating func nodesKnown(at now: Instant, timing: ToxTiming) {
        if nodesDue == nil { nodesDue = now + timing.nodesSettling }
    }

    func isDue(at now: Instant) -> Bool {
        if let due, due <= now { return true }
        if let nodesDue, nodesDue <= now { return true }
        return false
    }

    mutating func reported(at now: Instant, timing: ToxTiming, isOnline: Bool) {
        due = nil
        if let nodesDue, nodesDue <= now { self.nodesDue = isOnline ? now + timing.nodesInterval : nil }
    }
}
