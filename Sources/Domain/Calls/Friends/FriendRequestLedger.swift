// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// Someone who asks for friendship and waits for an answer.
public struct FriendRequest: Hashable, Sendable {
    /// Who asks.
    public var peer: PeerID
    /// What they wrote last.
    public var message: String
    /// Grows with each request that arrived: a larger number arrived later.
    public var order: UInt64
    /// How often they asked.
    public var attempts: UInt32

    /// A request.
    public init(peer: PeerID, message: String, order: UInt64, attempts: UInt32 = 1) {
        self.peer = peer
        self.message = message
        self.order = order
        self.attempts = attempts
    }
}

/// A friend request of ours that has had no answer yet.
public struct SentFriendRequest: Hashable, Sendable {
    /// To whom.
    public var address: FriendAddress
    /// What we wrote.
    public var message: String
    /// A request.
    public init(address: FriendAddress, message: String) {
        self.address = address
        self.message = message
    }
}

/// The friend requests that wait for an answer, both ways, within bounds that a stranger cannot exceed.
struct FriendRequestLedger: Equatable, Sendable {
    /// The most requests that wait.
    static let capacity = 256
    /// The most new requests in `window`.
    static let newPerWindow = 10
    /// The time over which new requests are counted.
    static let window = Interval.seconds(60)
    /// The longest text taken from a stranger, in bytes.
    static let textBytes = 1_016

    /// What a request from outside came to.
    enum Outcome: Equatable {
        /// Show it.
        case new(message: String)
        /// The same again: counted, nothing to show.
        case repeated
        /// Too many new ones in a short time: counted.
        case dropped
    }

    private(set) var stored: StoredState
    private(set) var dropCount: UInt64 = 0
    private var recent: [Instant] = []

    init(_ stored: StoredState) { self.stored = stored }

    /// A request arrived.
    mutating func received(_ text: String, from peer: PeerID, at now: Instant) -> Outcome {
        let message = text.withoutNUL.fitted(toBytes: Self.textBytes)
        if let index = stored.received.firstIndex(where: { $0.peer == peer }) {
            stored.received[index].attempts = saturatingIncrement(stored.received[index].attempts)
            guard stored.received[index].message != message else { return .repeated }
            guard admit(at: now) else { return .dropped }
            stored.received[index].message = message
            return .new(message: message)
        }
        guard admit(at: now) else { return .dropped }
        if stored.received.count >= Self.capacity {
            stored.received.removeFirst()
            dropCount &+= 1
        }
        stored.received.append(FriendRequest(peer: peer, message: message, order: stored.nextOrder))
        stored.nextOrder &+= 1
        return .new(message: message)
    }

    /// We asked someone.
    mutating func sent(_ request: SentFriendRequest) {
        stored.received.removeAll { $0.peer == request.address.peer }
        stored.sent.removeAll { $0.address.peer == request.address.peer }
        if stored.sent.count >= StoredState.sentCapacity { stored.sent.removeFirst() }
        stored.sent.append(request)
    }

    func hasReceived(from peer: PeerID) -> Bool { stored.received.contains { $0.peer == peer } }
    func hasSent(to peer: PeerID) -> Bool { stored.sent.contains { $0.address.peer == peer } }

    /// Both are friends, or do not want to be: nothing waits any more. Whether that changed something.
    mutating func settle(_ peer: PeerID) -> Bool {
        guard hasReceived(from: peer) || hasSent(to: peer) else { return false }
        stored.received.removeAll { $0.peer == peer }
        stored.sent.removeAll { $0.address.peer == peer }
        return true
    }

    private mutating func admit(at now: Instant) -> Bool {
        recent.removeAll { now - $0 >= Self.window }
        guard recent.count < Self.newPerWindow else {
            dropCount &+= 1
            return false
        }
        recent.append(now)
        return true
    }
}

private func saturatingIncrement(_ value: UInt32) -> UInt32 { value == .max ? value : value + 1 }
