// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// Everything that the transport decides, without a socket, a thread or a clock: what comes in changes it, and what must
/// be done about it is appended to `effects`.
struct LabNode {
    enum Effect: Equatable {
        case transmit(LabPacket, to: Endpoint)
        case report(TransportEvent)
        /// The account changed.
        case save
        /// `routes` or the friends' places changed.
        case reroute
    }

    /// Someone who asked for friendship.
    struct Requester: Equatable {
        var peer: PeerID
        var id: UInt64
        var endpoint: Endpoint
    }

    /// How many requesters are remembered, so that a repeated packet is no second request.
    static let rememberedRequesters = 64

    let timing: LabTiming
    var identity: LabAccount.Identity
    var profile: Profile
    var friends: [FriendLink]
    var requesters: [Requester] = []
    /// Addresses at which somebody listens, and perhaps who.
    private(set) var contacts: [LabContact]
    var effects: [Effect] = []
    private var places: [Endpoint: PeerID] = [:]

    init(account: LabAccount, contacts: [LabContact], timing: LabTiming = LabTiming(), at now: Instant) {
        self.timing = timing
        identity = account.identity
        profile = account.profile
        self.contacts = contacts
        friends = account.friends.map { saved in
            var link = FriendLink(peer: saved.peer, profile: saved.profile, nonce: Self.nonce(), at: now)
            link.learned = saved.endpoint
            link.request = saved.request.map { request in
                let address = FriendAddress(peer: saved.peer, nospam: request.nospam)
                return FriendLink.Request(
                    address: address, message: request.message, id: Self.nonce(), nextAttempt: now)
            }
            return link
        }
        placesChanged()
    }

    /// What is worth saving.
    var account: LabAccount {
        LabAccount(
            identity: identity, profile: profile,
            friends: friends.map { link in
                LabAccount.Friend(
                    peer: link.peer, profile: link.profile, endpoint: link.learned,
                    request: link.request.map { .init(nospam: $0.address.nospam, message: $0.message) })
            })
    }

    /// Where datagrams to each friend go.
    var routes: [PeerID: Endpoint?] {
        Dictionary(friends.map { ($0.peer, $0.route) }, uniquingKeysWith: { first, _ in first })
    }

    /// When `timerFired` has something to do.
    var nextDeadline: Instant? { friends.map { $0.nextDeadline(timing) }.min() }

    /// A host name was looked up.
    mutating func found(_ contact: LabContact) {
        guard !contacts.contains(contact) else { return }
        contacts.append(contact)
        placesChanged()
    }

    /// A datagram that is not a packet of ours: whose it is; nil from a stranger.
    mutating func heard(from endpoint: Endpoint, at now: Instant) -> PeerID? {
        guard let peer = places[endpoint], let index = index(of: peer) else { return nil }
        switch friends[index].state {
        case .up(var connection):
            connection.lastHeard = now
            friends[index].state = .up(connection)
        case .plain: friends[index].state = .plain(endpoint: endpoint, lastHeard: now)
        case .searching:
            if friends[index].speaks { break }
            friends[index].state = .plain(endpoint: endpoint, lastHeard: now)
            effects += [.reroute, .report(.paths(peer, .udpDirect))]
        }
        return peer
    }

    func index(of peer: PeerID) -> Int? { friends.firstIndex { $0.peer == peer } }

    /// Learns anew who is where: a link that is up outranks what a list or the past says.
    mutating func placesChanged() {
        places = [:]
        for index in friends.indices {
            let peer = friends[index].peer
            friends[index].known = contacts.filter { $0.peer == peer }.map(\.endpoint)
            for place in friends[index].places { places[place] = peer }
        }
        for link in friends {
            if let connection = link.connection { places[connection.endpoint] = link.peer }
        }
        effects.append(.reroute)
    }

    static func nonce() -> UInt64 { UInt64.random(in: 1...UInt64.max) }
}

/// An address at which a peer listens: a known one, or one that has yet to say who it is.
struct LabContact: Hashable, Sendable {
    var peer: PeerID?
    var endpoint: Endpoint
}
