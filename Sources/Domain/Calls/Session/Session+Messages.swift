// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

extension Session {
    /// Sends a text to a friend, outside the room. The operation ends with the friend's receipt, after the time-out, or as
    /// timed out as soon as no path works any more.
    ///
    /// - Parameter timeout: how long to wait for the receipt.
    /// - Returns: the message's number, counted in the order of the calls, and what to do.
    /// - Throws: `MessageFailure`.
    public mutating func sendText(
        _ text: String, to peer: PeerID, timeout: Interval, operation: OperationID, at now: Instant
    ) throws(MessageFailure) -> (UInt32, [Effect]) {
        guard book.contains(peer) else { throw .unknownFriend }
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= limits.textBytes else {
            throw .tooLong(size: text.utf8.count, limit: limits.textBytes)
        }
        guard !book.paths(of: peer).isEmpty else { throw .notReachable }
        guard !messages.isFull(for: peer) else { throw .queueFull }
        let token = messages.sent(to: peer, by: .text, as: operation)
        timers[.message(token)] = now + timeout
        return (UInt32(truncatingIfNeeded: token), [.transport(.sendText(peer, text, token: token))])
    }

    /// Sends a message to a peer in the room. It waits through a lost path until its time-out; past that, the peer's
    /// device drops it without a receipt.
    ///
    /// - Returns: the message's number, counted in the order of the calls, and what to do.
    /// - Throws: `MessageFailure`.
    public mutating func sendMessage(
        _ text: String, to peer: PeerID, timeout: Interval, operation: OperationID, at now: Instant
    ) throws(MessageFailure) -> (UInt32, [Effect]) {
        guard book.contains(peer) else { throw .unknownFriend }
        guard !text.isEmpty else { throw .empty }
        let size = text.utf8.count + Self.envelopeBytes
        guard size <= limits.textBytes else { throw .tooLong(size: size, limit: limits.textBytes) }
        return try sendInRoom(to: peer, timeout: timeout, operation: operation, at: now) { call, id, sent, deadline in
            .message(call, id: id, sentAt: sent, deadline: deadline, text: text)
        }
    }

    /// Asks a peer in the room to mute, or to unmute. The operation ends as a message's does.
    ///
    /// - Throws: `MessageFailure`.
    public mutating func requestMute(
        _ muted: Bool, of peer: PeerID, timeout: Interval, operation: OperationID, at now: Instant
    ) throws(MessageFailure) -> [Effect] {
        guard book.contains(peer) else { throw .unknownFriend }
        return try sendInRoom(to: peer, timeout: timeout, operation: operation, at: now) { call, id, sent, deadline in
            .muteRequest(call, id: id, sentAt: sent, deadline: deadline, isMuted: muted)
        }.1
    }

    /// What goes around a room message's text: type, call, identifier, both times, and the text's tag and length.
    static let envelopeBytes = 1 + 18 + 18 + 6 + 6 + 3

    private mutating func sendInRoom(
        to peer: PeerID, timeout: Interval, operation: OperationID, at now: Instant,
        _ compose: (WireID, WireID, UInt32, UInt32) -> ControlMessage
    ) throws(MessageFailure) -> (UInt32, [Effect]) {
        guard let membership = call(with: peer)?.membership else { throw .notConnected }
        guard !messages.isFull(for: peer) else { throw .queueFull }
        var next = generator
        let id = next.wireID()
        let message = compose(
            membership.call, id, membership.callTime(at: now), membership.callTime(at: now + timeout))
        var effects: [Effect] = []
        guard send(message, to: peer, at: now, into: &effects) != nil else { throw .queueFull }
        generator = next
        let token = messages.sent(to: peer, by: .room(id), as: operation)
        timers[.message(token)] = now + timeout
        return (UInt32(truncatingIfNeeded: token), effects)
    }

    /// The transport says how a text ended. Room messages are not the transport's.
    mutating func finishText(_ token: UInt64, _ outcome: OperationOutcome, into effects: inout [Effect]) {
        guard messages.route(of: token) == .text else { return }
        finishMessage(token, outcome, into: &effects)
    }

    mutating func finishMessage(_ token: UInt64, _ outcome: OperationOutcome, into effects: inout [Effect]) {
        guard let message = messages.take(token) else { return }
        timers[.message(token)] = nil
        effects.append(.finish(message.operation, outcome))
    }

    /// Everything that waits for a peer ends as cancelled.
    mutating func cancelOperations(with peer: PeerID, into effects: inout [Effect]) {
        for publication in publishing.to(peer) where !publication.isLive {
            drop(publication, because: .cancelled, into: &effects)
        }
        for message in messages.takeAll(where: { $0.peer == peer }) {
            timers[.message(message.token)] = nil
            effects.append(.finish(message.operation, .failed(.cancelled)))
        }
    }

    /// A room message or a mute request arrived: shown once, in time, or not at all.
    mutating func receivedInRoom(
        _ notice: Notice, id: WireID, deadline: UInt32, from peer: PeerID, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard let membership = call(with: peer)?.membership else { return }
        guard !membership.isLate(deadline: deadline, at: now) else {
            effects.append(.log(LogLine(.debug, "messages", "A message came too late and was dropped.")))
            return
        }
        if changeCall(with: peer, { $0.seen.insert(id) }) == true { effects.append(.notify(notice)) }
        _ = send(.delivered(id), to: peer, at: now, into: &effects)
    }

    mutating func receivedReceipt(_ id: WireID, from peer: PeerID, into effects: inout [Effect]) {
        guard let message = messages.take(id, to: peer) else { return }
        timers[.message(message.token)] = nil
        effects.append(.finish(message.operation, .done))
    }
}

extension TextFailure {
    var asOutcome: OperationFailure {
        switch self {
        case .notReachable, .unknownFriend, .tooLong: .notReachable
        case .queueFull: .queueFull
        }
    }
}
