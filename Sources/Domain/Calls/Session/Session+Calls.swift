// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

extension Session {
    /// Whether the peer is in the room.
    public func isConnected(_ peer: PeerID) -> Bool { call(with: peer) != nil }

    /// Who is in the room, in the order in which they connected.
    public var connectedPeers: [PeerID] {
        var found: [(peer: PeerID, ordinal: UInt64)] = []
        for (peer, engagement) in zip(engagements.keys, engagements.values) {
            if case .call(let call) = engagement { found.append((peer, call.membership.ordinal)) }
        }
        return found.sorted { $0.ordinal < $1.ordinal }.map { $0.peer }
    }

    /// Leaves the call with a peer; nothing happens when there is none.
    public mutating func hangUp(_ peer: PeerID, at now: Instant) -> [Effect] {
        guard let call = call(with: peer) else { return [] }
        var effects: [Effect] = []
        _ = send(.hangup(call.membership.call), to: peer, at: now, into: &effects)
        endCall(with: peer, because: .leave, at: now, into: &effects)
        return effects
    }

    func call(with peer: PeerID) -> Engagement.Call? {
        if case .call(let call) = engagements[peer] { call } else { nil }
    }

    /// Changes the call with a peer; nil when there is none.
    mutating func changeCall<Result>(with peer: PeerID, _ body: (inout Engagement.Call) -> Result) -> Result? {
        let result = engagements.update(peer) { engagement -> Result? in
            guard case .call(var call) = engagement else { return nil }
            let result = body(&call)
            engagement = .call(call)
            return result
        }
        return result ?? nil
    }

    mutating func beginCall(
        _ call: WireID, with peer: PeerID, accept: ControlLink.Receipt?, at now: Instant,
        into effects: inout [Effect]
    ) {
        lastCall &+= 1
        let membership = CallMembership(call: call, ordinal: lastCall, accept: accept, at: now)
        engagements[peer] = .call(Engagement.Call(membership: membership))
        timers[.silence(peer)] = membership.silenceDeadline
        timers[.keepAlive(peer)] = now + CallMembership.keepAlive
        effects += [.openMedia(peer), .keepAlive(peer), .notify(.connected(peer))]
        changeReach(of: peer, at: now, into: &effects) { $0.heard(inCall: true) }
    }

    /// Ends the call: media first, then what was published, then what waits, then the participant.
    mutating func endCall(
        with peer: PeerID, because cause: DisconnectCause, at now: Instant, into effects: inout [Effect]
    ) {
        guard let call = call(with: peer) else { return }
        let own = publishing.to(peer)
        let theirs = call.slots.all
        effects += own.filter { $0.isLive }.map { .stopSending($0.id) }
        effects += theirs.map { .stopReceiving(peer, $0.id) }
        effects.append(.closeMedia(peer))
        effects += theirs.map { .notify(.unsubscribed(peer, $0.id)) }
        for publication in own { drop(publication, because: .disconnected, into: &effects) }
        for message in messages.takeAll(where: { $0.peer == peer && $0.route != .text }) {
            timers[.message(message.token)] = nil
            effects.append(.finish(message.operation, .failed(.disconnected)))
        }
        engagements[peer] = nil
        timers[.silence(peer)] = nil
        timers[.keepAlive(peer)] = nil
        timers[.networkLost(peer)] = nil
        effects.append(.notify(.disconnected(peer, cause)))
        changeReach(of: peer, at: now, into: &effects) { $0.callEnded() }
        // Only the link can find out whether a path that went silent works again.
        if book.hasDoubtedPath(to: peer) { connectLink(to: peer, at: now, into: &effects) }
    }

    /// Ends whatever there is with a friend who is gone for good, or whom we leave.
    mutating func endEverything(with peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        advance(.peerGone, with: peer, at: now, into: &effects)
        endCall(with: peer, because: .leave, at: now, into: &effects)
    }

    /// The friend's device forgot everything that we had.
    mutating func peerRestarted(_ peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        advance(.peerGone, with: peer, at: now, into: &effects)
        endCall(with: peer, because: .networkLost, at: now, into: &effects)
    }

    // MARK: Paths

    /// Something fresh arrived from a peer.
    mutating func heard(_ peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        let inCall = changeCall(with: peer) { $0.membership.heard(at: now) } != nil
        if book.paths(of: peer).isEmpty {
            changeReach(of: peer, at: now, into: &effects) { $0.heard(inCall: inCall) }
        }
    }

    mutating func silenceTimerFired(_ peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        guard let deadline = call(with: peer)?.membership.silenceDeadline else { return }
        if deadline > now {
            timers[.silence(peer)] = deadline
        } else {
            changeReach(of: peer, at: now, into: &effects) { $0.fellSilent() }
        }
    }

    mutating func changeReach(
        of peer: PeerID, at now: Instant, into effects: inout [Effect], _ body: (inout Reach) -> Void
    ) {
        let before = book.paths(of: peer)
        guard let paths = book.changeReach(of: peer, body) else { return }
        effects.append(.notify(.paths(peer, paths)))
        if paths.isEmpty { lostPath(to: peer, at: now, into: &effects) }
        if before.isEmpty { foundPath(to: peer, at: now, into: &effects) }
    }

    private mutating func lostPath(to peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        disconnectLink(to: peer, at: now)
        for message in messages.takeAll(where: { $0.peer == peer && $0.route == .text }) {
            timers[.message(message.token)] = nil
            effects.append(.finish(message.operation, .failed(.timedOut)))
        }
        guard changeCall(with: peer, { $0.membership.lostPath(at: now) }) != nil else { return }
        timers[.silence(peer)] = nil
        timers[.networkLost(peer)] = now + CallMembership.patience
        for id in publishing.pause(to: peer, at: now) { timers[.publish(id)] = nil }
    }

    private mutating func foundPath(to peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        sawFriend(peer, into: &effects)
        connectLink(to: peer, at: now, into: &effects)
        guard changeCall(with: peer, { $0.membership.foundPath(at: now) }) == true else { return }
        timers[.networkLost(peer)] = nil
        timers[.silence(peer)] = now + CallMembership.silence
        for (id, until) in publishing.resume(to: peer, at: now) { timers[.publish(id)] = until }
        restate(to: peer, at: now, into: &effects)
        effects.append(.refreshMedia(peer))
    }

    /// Tells a peer everything that we publish to them.
    private mutating func restate(to peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        guard let call = call(with: peer)?.membership.call else { return }
        let own = publishing.to(peer)
        _ = send(.resume(call, own.map { $0.state }), to: peer, at: now, into: &effects)
        for publication in own {
            _ = send(.declare(call, publication.declaration), to: peer, at: now, into: &effects)
        }
    }

    mutating func receivedResume(
        _ call: WireID, _ states: [PublicationState], from peer: PeerID, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard self.call(with: peer)?.membership.call == call else {
            _ = send(.reject(call), to: peer, at: now, into: &effects)
            return
        }
        let reconciled = changeCall(with: peer) { ($0.membership.receivedResume(), $0.slots.reconcile(states)) }
        guard let (mustAnswer, (gone, flips)) = reconciled else { return }
        for subscription in gone { unsubscribe(subscription, of: peer, into: &effects) }
        for flip in flips { effects.append(.notify(.remoteMuted(peer, flip.id, flip.isMuted))) }
        if mustAnswer { restate(to: peer, at: now, into: &effects) }
    }
}
