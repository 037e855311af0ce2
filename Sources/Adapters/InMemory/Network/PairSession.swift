// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime

/// Two peers, in the order of their keys.
struct Pair: Hashable {
    let low: PeerID
    let high: PeerID

    init(_ one: PeerID, _ other: PeerID) {
        (low, high) = one < other ? (one, other) : (other, one)
    }

    func other(than peer: PeerID) -> PeerID { peer == low ? high : low }
}

/// One way between two peers.
struct Direction: Hashable {
    let from: PeerID
    let to: PeerID

    var pair: Pair { Pair(from, to) }
    var reversed: Direction { Direction(from: to, to: from) }
}

/// What two friends' transports know of each other.
struct PairSession {
    /// What comes next unless something changes.
    enum Plan {
        case nothing, meeting, losing
    }

    /// Something that arrives as long as the session lives.
    enum Reliable {
        case text(String, token: UInt64)
        case receipt(token: UInt64)
        case profile(TransportEvent)
    }

    /// One side's view of the other.
    struct Side {
        /// Whether it believes that the other is there.
        var seesOther = false
        /// What it has sent and what has not arrived, in order.
        var outbox: [(frame: Reliable, arrival: Instant)] = []
        /// Its texts without a receipt, in order.
        var unreceipted: [UInt64] = []
    }

    var plan = Plan.nothing
    /// Counts plans, so that an outdated wake-up is known.
    private(set) var epoch: UInt64 = 0
    private var low = Side()
    private var high = Side()

    mutating func decide(_ plan: Plan) -> UInt64 {
        self.plan = plan
        epoch += 1
        return epoch
    }

    subscript(_ peer: PeerID, in pair: Pair) -> Side {
        get { peer == pair.low ? low : high }
        set { if peer == pair.low { low = newValue } else { high = newValue } }
    }

    var isComplete: Bool { low.seesOther && high.seesOther }
    var isSeen: Bool { low.seesOther || high.seesOther }

    /// The peer's process is gone, and with it what it knew and had to send.
    mutating func forget(_ peer: PeerID, in pair: Pair) { self[peer, in: pair] = Side() }
}
