// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Why somebody cannot become a friend. Nothing has changed.
public enum AddFriendFailure: Error, Hashable, Sendable {
    /// The peer is a friend already.
    case alreadyFriend
    /// It is our own address.
    case ownAddress
    /// More bytes of UTF-8 than a request carries: shorten it.
    case messageTooLong(size: Int, limit: Int)
    /// A request needs a text.
    case messageEmpty
}

/// Why a friend cannot be deleted.
public enum DeleteFriendFailure: Error, Hashable, Sendable {
    /// The peer is no friend.
    case notFound
}

extension Session {
    /// The requests of others that wait for an answer, oldest first.
    public var friendRequests: [FriendRequest] { requests.stored.received }
    /// How many requests were dropped because too many came.
    public var droppedFriendRequests: UInt64 { requests.dropCount }

    /// Asks for friendship. The peer is a friend of ours from now on; paths appear once they have accepted.
    ///
    /// - Parameter message: 1…921 bytes of UTF-8; NUL characters are taken out.
    /// - Throws: `AddFriendFailure`.
    public mutating func addFriend(
        _ address: FriendAddress, message: String, at now: Instant
    ) throws(AddFriendFailure) -> [Effect] {
        let message = message.withoutNUL
        guard address.peer != self.address.peer else { throw .ownAddress }
        guard !message.isEmpty else { throw .messageEmpty }
        guard message.utf8.count <= limits.requestBytes else {
            throw .messageTooLong(size: message.utf8.count, limit: limits.requestBytes)
        }
        guard !book.contains(address.peer) else { throw .alreadyFriend }
        var effects = welcome(address.peer)
        requests.sent(SentFriendRequest(address: address, message: message))
        effects += [.transport(.addFriend(address, message: message)), .persist]
        return effects
    }

    /// Makes a peer a friend without a request: what accepts theirs, whether or not it is known here.
    ///
    /// - Throws: `AddFriendFailure.ownAddress`; `.alreadyFriend`, unless both asked each other: then it only settles that.
    public mutating func acceptFriend(_ peer: PeerID, at now: Instant) throws(AddFriendFailure) -> [Effect] {
        guard peer != address.peer else { throw .ownAddress }
        if book.contains(peer) {
            guard requests.hasReceived(from: peer), requests.settle(peer) else { throw .alreadyFriend }
            return [.persist]
        }
        var effects = welcome(peer)
        if requests.settle(peer) { effects.append(.persist) }
        effects.append(.transport(.acceptFriend(peer)))
        return effects
    }

    /// Forgets a friend: ends every invitation and call with them, and tells them if a path works.
    ///
    /// - Throws: `DeleteFriendFailure.notFound`.
    public mutating func deleteFriend(_ peer: PeerID, at now: Instant) throws(DeleteFriendFailure) -> [Effect] {
        guard book.contains(peer) else { throw .notFound }
        var effects: [Effect] = []
        cancelOperations(with: peer, into: &effects)
        endEverything(with: peer, at: now, into: &effects)
        depart(from: peer, forgetting: true, at: now, into: &effects)
        _ = book.remove(peer)
        if requests.settle(peer) { effects.append(.persist) }
        return effects
    }

    /// A new friend: a goodbye that still lingers from before is cut short.
    private mutating func welcome(_ peer: PeerID) -> [Effect] {
        var effects: [Effect] = []
        finishDeparture(of: peer, into: &effects)
        _ = book.add(peer)
        return effects
    }

    mutating func receivedRequest(
        _ text: String, from peer: PeerID, at now: Instant, into effects: inout [Effect]
    ) {
        guard peer != address.peer, !book.contains(peer) || requests.hasSent(to: peer) else { return }
        let known = requests.stored
        switch requests.received(text, from: peer, at: now) {
        case .new(let message): effects.append(.notify(.friendRequest(peer, message: message)))
        case .repeated: break
        case .dropped:
            effects.append(.log(LogLine(.warning, "friends", "A friend request was dropped: too many come.")))
        }
        if requests.stored != known { effects.append(.persist) }
    }

    /// The friend was seen: a request of ours, or of theirs, has been answered.
    mutating func sawFriend(_ peer: PeerID, into effects: inout [Effect]) {
        if requests.settle(peer) { effects.append(.persist) }
    }

    mutating func commandFailed(
        _ command: TransportCommand, _ reason: String, at now: Instant, into effects: inout [Effect]
    ) {
        effects.append(.log(LogLine(.warning, "transport", "A command failed: \(reason)")))
        switch command {
        case .addFriend(let address, _): unadd(address.peer, at: now, into: &effects)
        case .acceptFriend(let peer): unadd(peer, at: now, into: &effects)
        case .sendText(_, _, let token): finishText(token, .failed(.notReachable), into: &effects)
        case .deleteFriend, .setName, .setStatusMessage, .setAvailability: break
        }
    }

    /// The transport refused a friend who was never seen: they are none.
    private mutating func unadd(_ peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        guard book.paths(of: peer).isEmpty, book.remove(peer) else { return }
        cancelOperations(with: peer, into: &effects)
        endEverything(with: peer, at: now, into: &effects)
        links.forget(peer)
        timers[.link(peer)] = nil
        if requests.settle(peer) { effects.append(.persist) }
    }
}
