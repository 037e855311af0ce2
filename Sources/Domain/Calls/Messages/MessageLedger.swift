// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// Why a message cannot be sent. Nothing has changed.
public enum MessageFailure: Error, Hashable, Sendable {
    /// The peer is no friend.
    case unknownFriend
    /// There is no text.
    case empty
    /// More bytes than one message carries, what goes around the text included: shorten it.
    case tooLong(size: Int, limit: Int)
    /// No path to the friend works right now.
    case notReachable
    /// The peer is not in the room.
    case notConnected
    /// Too many messages wait already: send again when some have arrived.
    case queueFull
}

/// Messages of ours that wait for their receipt.
struct MessageLedger: Equatable, Sendable {
    /// The most that may wait for one friend.
    static let capacity = 256

    /// How a message travels.
    enum Route: Equatable, Sendable {
        /// Outside the room, by the transport.
        case text
        /// In the room, by the link, under this identifier.
        case room(WireID)
    }

    /// A message that waits.
    struct Pending: Equatable, Sendable {
        var token: UInt64
        var peer: PeerID
        var route: Route
        var operation: OperationID
    }

    private var table = SortedTable<UInt64, Pending>()
    private var lastToken: UInt64 = 0

    /// The token of the next message; its lower half is the number that the integrator sees.
    var nextToken: UInt64 { lastToken &+ 1 }

    /// Everything that waits, in the order of sending.
    var pending: [Pending] { table.values }

    func isFull(for peer: PeerID) -> Bool {
        var count = 0
        for pending in table.values where pending.peer == peer { count += 1 }
        return count >= Self.capacity
    }

    /// A message left under `nextToken`.
    mutating func sent(to peer: PeerID, by route: Route, as operation: OperationID) -> UInt64 {
        lastToken = nextToken
        table[lastToken] = Pending(token: lastToken, peer: peer, route: route, operation: operation)
        return lastToken
    }

    func route(of token: UInt64) -> Route? { table[token]?.route }

    mutating func take(_ token: UInt64) -> Pending? {
        guard let pending = table[token] else { return nil }
        table[token] = nil
        return pending
    }

    /// The receipt of a room message came.
    mutating func take(_ id: WireID, to peer: PeerID) -> Pending? {
        takeAll { $0.peer == peer && $0.route == .room(id) }.first
    }

    mutating func take(_ operation: OperationID) -> Pending? { takeAll { $0.operation == operation }.first }

    /// Everything that fits, in the order of sending.
    mutating func takeAll(where isMeant: (Pending) -> Bool) -> [Pending] {
        let taken = table.values.filter(isMeant)
        for pending in taken { table[pending.token] = nil }
        return taken
    }
}

/// The identifiers of the last messages of a call, so that none is shown twice.
struct SeenMessages: Equatable, Sendable {
    /// How many are remembered.
    static let capacity = 256
    private var ids: [WireID] = []
    private var next = 0

    /// False when the identifier was seen before.
    mutating func insert(_ id: WireID) -> Bool {
        guard !ids.contains(id) else { return false }
        if ids.count < Self.capacity {
            ids.append(id)
        } else {
            ids[next] = id
            next = (next + 1) % Self.capacity
        }
        return true
    }
}
