// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

extension Session {
    /// Invites a friend. When they invite us already, this accepts.
    ///
    /// - Parameter message: at most 256 bytes of UTF-8, not looked into.
    /// - Throws: `InvitationFailure`.
    public mutating func invite(
        _ peer: PeerID, message: String?, at now: Instant
    ) throws(InvitationFailure) -> [Effect] {
        guard book.contains(peer) else { throw .unknownFriend }
        let size = message?.utf8.count ?? 0
        guard size <= ControlLimits.inviteBytes else {
            throw .messageTooLong(size: size, limit: ControlLimits.inviteBytes)
        }
        switch engagements[peer] {
        case .invitation(let invitation) where !invitation.isOurs: return try acceptInvitation(from: peer, at: now)
        case .invitation, .call: throw .alreadyInCall
        case nil: break
        }
        guard !book.paths(of: peer).isEmpty else { throw .notReachable }
        guard !links.isIncompatible(peer) else { throw .incompatible }
        var next = generator
        let call = next.wireID()
        var effects: [Effect] = []
        guard send(.invite(call, message: message), to: peer, at: now, into: &effects) != nil else {
            throw .notReachable
        }
        _ = generator.wireID()
        begin(Invitation(calling: call, at: now), with: peer)
        effects.append(.notify(.sentInvitation(peer, message: message)))
        return effects
    }

    /// Accepts a friend's invitation: both are in a call from now on.
    ///
    /// - Throws: `InvitationFailure.unknownFriend`, `.invalidState` when that friend does not invite us, `.notReachable`.
    public mutating func acceptInvitation(from peer: PeerID, at now: Instant) throws(InvitationFailure) -> [Effect] {
        try answer(.accept, peer, ours: false, at: now)
    }

    /// Refuses a friend's invitation.
    ///
    /// - Throws: `InvitationFailure.unknownFriend`, `.invalidState` when that friend does not invite us.
    public mutating func rejectInvitation(from peer: PeerID, at now: Instant) throws(InvitationFailure) -> [Effect] {
        try answer(.reject, peer, ours: false, at: now)
    }

    /// Takes our invitation back.
    ///
    /// - Throws: `InvitationFailure.unknownFriend`, `.invalidState` when none of ours waits for that friend.
    public mutating func cancelInvitation(to peer: PeerID, at now: Instant) throws(InvitationFailure) -> [Effect] {
        try answer(.cancel, peer, ours: true, at: now)
    }

    private mutating func answer(
        _ event: Invitation.Event, _ peer: PeerID, ours: Bool, at now: Instant
    ) throws(InvitationFailure) -> [Effect] {
        guard book.contains(peer) else { throw .unknownFriend }
        guard case .invitation(let invitation) = engagements[peer], invitation.isOurs == ours else {
            throw .invalidState
        }
        if event == .accept, book.paths(of: peer).isEmpty { throw .notReachable }
        var effects: [Effect] = []
        advance(event, with: peer, at: now, into: &effects)
        return effects
    }

    /// Advances the invitation with a friend, if there is one.
    mutating func advance(
        _ event: Invitation.Event, with peer: PeerID, at now: Instant, into effects: inout [Effect]
    ) {
        guard case .invitation(var invitation) = engagements[peer] else { return }
        let (outcome, replies) = invitation.handle(event, oursSurvives: address.peer < peer)
        engagements[peer] = .invitation(invitation)
        var receipts: [ControlLink.Receipt?] = []
        for reply in replies { receipts.append(send(reply, to: peer, at: now, into: &effects)) }
        switch outcome {
        case .waits, .illegal: break
        case .ends(let reason):
            end(with: peer)
            effects.append(.notify(.endedInvitation(peer, reason)))
        case .connects(let call, let byOurAccept):
            end(with: peer)
            beginCall(call, with: peer, accept: byOurAccept ? receipts.first ?? nil : nil, at: now, into: &effects)
        case .replaced(let call, let message):
            end(with: peer)
            effects.append(.notify(.endedInvitation(peer, .finished)))
            ring(call, message, from: peer, at: now, into: &effects)
        }
    }

    /// A friend says something of the beginning or end of a call.
    mutating func received(
        _ signal: Invitation.Signal, of call: WireID, from peer: PeerID, at now: Instant,
        into effects: inout [Effect]
    ) {
        switch engagements[peer] {
        case .invitation: advance(.received(signal, of: call), with: peer, at: now, into: &effects)
        case .call(let active):
            receivedInCall(signal, of: call, active.membership, peer, at: now, into: &effects)
        case nil:
            switch signal {
            case .invite(let message): ring(call, message, from: peer, at: now, into: &effects)
            // Whoever believes in a dead call learns that it is dead.
            case .accept: _ = send(.reject(call), to: peer, at: now, into: &effects)
            case .ringing, .reject, .cancel, .hangup: break
            }
        }
    }

    private mutating func ring(
        _ call: WireID, _ message: String?, from peer: PeerID, at now: Instant, into effects: inout [Effect]
    ) {
        begin(Invitation(invitedTo: call, at: now), with: peer)
        _ = send(.ringing(call), to: peer, at: now, into: &effects)
        effects.append(.notify(.receivedInvitation(peer, message: message?.withoutNUL)))
    }

    private mutating func begin(_ invitation: Invitation, with peer: PeerID) {
        engagements[peer] = .invitation(invitation)
        timers[.invitation(peer)] = invitation.deadline
    }

    private mutating func end(with peer: PeerID) {
        engagements[peer] = nil
        timers[.invitation(peer)] = nil
    }

    private mutating func receivedInCall(
        _ signal: Invitation.Signal, of call: WireID, _ membership: CallMembership, _ peer: PeerID, at now: Instant,
        into effects: inout [Effect]
    ) {
        switch (signal, call == membership.call) {
        case (.hangup, true), (.cancel, true): endCall(with: peer, because: .leave, at: now, into: &effects)
        case (.reject, true): endCall(with: peer, because: membership.causeWhenUnknown, at: now, into: &effects)
        case (.invite(let message), false) where membership.causeWhenUnknown == .networkLost:
            // The friend gave the call up before the path came back, and begins another.
            endCall(with: peer, because: .networkLost, at: now, into: &effects)
            ring(call, message, from: peer, at: now, into: &effects)
        case (.invite, false), (.accept, false): _ = send(.reject(call), to: peer, at: now, into: &effects)
        case (.invite, true), (.accept, true), (.ringing, _), (.reject, false), (.cancel, false), (.hangup, false):
            break
        }
    }
}
