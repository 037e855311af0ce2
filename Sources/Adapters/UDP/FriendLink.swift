// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime

/// One friend: who, what is known of them, and whether they are there.
///
/// Two friends agree on a pair of nonces, one drawn by each side for this link; a packet counts only when it answers our
/// own one. So late packets of an earlier link never count, a peer's restart is seen as such, and nobody who cannot read
/// what we send can pretend to be there. That is a check of reachability, not of identity.
struct FriendLink {
    /// Whether the friend is there.
    enum State {
        /// Nobody answers; the next hello goes at this time.
        case searching(nextHello: Instant)
        /// Someone at the friend's address sends datagrams but does not speak this transport: a media tool.
        case plain(endpoint: Endpoint, lastHeard: Instant)
        /// Both sides have answered each other's nonce.
        case up(Connection)
    }

    struct Connection {
        var peerNonce: UInt64
        var endpoint: Endpoint
        var lastHeard: Instant
        var lastSent: Instant
        var stream = ItemStream()
    }

    /// A request of ours that has not led to a link.
    struct Request: Equatable {
        var address: FriendAddress
        var message: String
        var id: UInt64
        var isReceived = false
        var nextAttempt: Instant
    }

    let peer: PeerID
    var profile: Profile
    var request: Request?
    /// Where the list of peers says they are.
    var known: [Endpoint] = []
    /// Where they were last, or where their request came from.
    var learned: Endpoint?
    var state: State
    /// Our nonce for this link.
    var nonce: UInt64
    /// Nonces of the peer's earlier runs: a late packet of one is no restart.
    private(set) var retired: [UInt64] = []
    /// Whether they ever sent a packet of this transport.
    var speaks = false

    init(peer: PeerID, profile: Profile, nonce: UInt64, at now: Instant) {
        self.peer = peer
        self.profile = profile
        self.nonce = nonce
        state = .searching(nextHello: now)
    }

    mutating func retire(_ nonce: UInt64) {
        retired.append(nonce)
        if retired.count > 8 { retired.removeFirst() }
    }

    var connection: Connection? {
        if case .up(let connection) = state { connection } else { nil }
    }

    /// Where datagrams to them go.
    var route: Endpoint? {
        switch state {
        case .up(let connection): connection.endpoint
        case .plain(let endpoint, _): endpoint
        case .searching: known.first ?? learned
        }
    }

    /// Where they may be.
    var places: [Endpoint] {
        guard let learned, !known.contains(learned) else { return known }
        return known + [learned]
    }

    /// When something is due for this friend.
    func nextDeadline(_ timing: LabTiming) -> Instant {
        switch state {
        case .searching(let nextHello):
            guard let request, !request.isReceived else { return nextHello }
            return min(nextHello, request.nextAttempt)
        case .plain(_, let lastHeard): return lastHeard + timing.silence
        case .up(let connection):
            let own = min(connection.lastHeard + timing.silence, connection.lastSent + timing.heartbeat)
            return connection.stream.resendAt.map { min($0, own) } ?? own
        }
    }
}

/// The transport's times.
struct LabTiming: Sendable {
    /// Between two signs of life, hellos, and attempts of a request.
    var heartbeat = Interval.seconds(1)
    /// Without anything heard for so long, a friend is gone.
    var silence = Interval.seconds(5)
    /// Between two look-ups of a host name that failed.
    var lookup = Interval.seconds(10)
}
