// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A friend as a session starts: who, and the last profile known.
public struct FriendRecord: Hashable, Sendable {
    /// Who.
    public var peer: PeerID
    /// The last profile known.
    public var profile: Profile
    /// A friend and the last profile known.
    public init(peer: PeerID, profile: Profile = Profile()) {
        self.peer = peer
        self.profile = profile
    }
}

/// Who our friends are, what they show of themselves and how they are reached.
struct FriendBook: Equatable, Sendable {
    /// A friend.
    struct Friend: Equatable, Sendable {
        var profile = Profile()
        var reach = Reach()
    }

    /// The friends in the order in which they were added.
    private(set) var order: [PeerID] = []
    private var table = SortedTable<PeerID, Friend>()

    init(_ records: [FriendRecord]) {
        for record in records where !table.contains(record.peer) {
            order.append(record.peer)
            table[record.peer] = Friend(profile: record.profile.repaired)
        }
    }

    func contains(_ peer: PeerID) -> Bool { table.contains(peer) }
    func profile(of peer: PeerID) -> Profile? { table[peer]?.profile }
    func paths(of peer: PeerID) -> Paths { table[peer]?.reach.paths ?? [] }

    func hasDoubtedPath(to peer: PeerID) -> Bool { table[peer]?.reach.isDoubted ?? false }

    /// False when the peer is a friend already.
    mutating func add(_ peer: PeerID) -> Bool {
        guard !table.contains(peer) else { return false }
        order.append(peer)
        table[peer] = Friend()
        return true
    }

    /// False when the peer is no friend.
    mutating func remove(_ peer: PeerID) -> Bool {
        guard table.contains(peer) else { return false }
        table[peer] = nil
        order.removeAll { $0 == peer }
        return true
    }

    /// Takes a friend's name, repaired; returns it when that changed something.
    mutating func setName(_ name: String, of peer: PeerID) -> String? {
        let name = name.withoutNUL.fitted(toBytes: Profile.nameBytes)
        guard let known = table[peer], known.profile.name != name else { return nil }
        _ = table.update(peer) { $0.profile.name = name }
        return name
    }

    /// Takes a friend's status message, repaired; returns it when that changed something.
    mutating func setStatusMessage(_ text: String, of peer: PeerID) -> String? {
        let text = text.withoutNUL.fitted(toBytes: Profile.statusMessageBytes)
        guard let known = table[peer], known.profile.statusMessage != text else { return nil }
        _ = table.update(peer) { $0.profile.statusMessage = text }
        return text
    }

    /// Takes a friend's availability; whether that changed something.
    mutating func setAvailability(_ availability: Availability, of peer: PeerID) -> Bool {
        guard let known = table[peer], known.profile.availability != availability else { return false }
        _ = table.update(peer) { $0.profile.availability = availability }
        return true
    }

    /// Changes what is known of a friend's paths; returns the paths when they changed.
    mutating func changeReach(of peer: PeerID, _ body: (inout Reach) -> Void) -> Paths? {
        let change = table.update(peer) { friend -> Paths? in
            let before = friend.reach.paths
            body(&friend.reach)
            return friend.reach.paths == before ? nil : friend.reach.paths
        }
        return change ?? nil
    }
}
