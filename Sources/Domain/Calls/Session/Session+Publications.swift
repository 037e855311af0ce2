// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

extension Session {
    // MARK: Tracks

    /// Makes a track known. Nothing happens when one with this identifier is known already.
    public mutating func add(_ track: TrackDescription) { publishing.add(track) }

    /// Forgets a track. Nothing happens while it is published.
    public mutating func remove(track: TrackID) { publishing.remove(track) }

    /// The hardware behind a track was switched; what every recipient gets follows. Unknown tracks are ignored.
    public mutating func setHardware(_ state: HardwareState, of track: TrackID, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        apply(publishing.setHardware(state, of: track), at: now, into: &effects)
        return effects
    }

    /// Mutes or unmutes a track for every recipient. Nothing happens when it is like that already, or unknown.
    public mutating func setMuted(_ muted: Bool, track: TrackID, at now: Instant) -> [Effect] {
        guard let changes = publishing.setMuted(muted, track: track) else { return [] }
        var effects: [Effect] = [.notify(.trackMuted(track, muted))]
        apply(changes, at: now, into: &effects)
        return effects
    }

    /// Mutes or unmutes a publication for its recipient alone. Nothing happens when it is like that already.
    ///
    /// - Throws: `PublicationFailure.notPublished`.
    public mutating func setMuted(
        _ muted: Bool, publication id: PublicationID, at now: Instant
    ) throws(PublicationFailure) -> [Effect] {
        guard let changes = try publishing.setMuted(muted, publication: id) else { return [] }
        var effects: [Effect] = [.notify(.publicationMuted(id, muted))]
        apply(changes, at: now, into: &effects)
        return effects
    }

    private mutating func apply(
        _ changes: [PublicationLedger.Change], at now: Instant, into effects: inout [Effect]
    ) {
        for change in changes {
            let publication = change.publication
            if change.isRefilled, publication.isLive {
                effects.append(.setOutlet(publication.id, publication.content))
            }
            guard change.isRestated, let call = call(with: publication.peer)?.membership.call else { continue }
            let mute = ControlMessage.mute(
                call, publication.id, isMuted: publication.outlet.isDeclaredMuted,
                rtpTime: publication.rtpTime(at: now),
                version: publication.version)
            _ = send(mute, to: publication.peer, at: now, into: &effects)
        }
    }

    // MARK: Publications

    /// A publication of ours.
    public func publication(_ id: PublicationID) -> LocalPublication? { publishing.publication(id) }
    /// Our publications, in the order of their creation.
    public var publications: [LocalPublication] { publishing.all }
    /// What takes the slot for this kind of media to a peer.
    public func slot(_ kind: MediaKind, to peer: PeerID) -> PublicationID? { publishing.slot(kind, to: peer) }

    /// Publishes a track to a peer in the room: declares it, and finishes the operation once the peer knows it.
    ///
    /// It fails with `.timedOut` after 10 s during which a path worked, `.disconnected`, `.cancelled` or `.queueFull`.
    ///
    /// - Throws: `PublishFailure`.
    public mutating func publish(
        _ track: TrackID, to peer: PeerID, formats: [PayloadFormat], operation: OperationID, at now: Instant
    ) throws(PublishFailure) -> (PublicationID, [Effect]) {
        guard let call = call(with: peer) else { throw .notConnected }
        let publication = try publishing.publish(
            PublicationLedger.Request(
                track: track, peer: peer, formats: formats, operation: operation,
                clock: call.membership.isLost
                    ? .paused(left: PublicationLedger.patience) : .running(until: now + PublicationLedger.patience),
                takenSSRCs: call.slots.ssrcs),
            using: &generator)
        if case .declaring(_, .running(let until)) = publication.phase { timers[.publish(publication.id)] = until }
        var effects: [Effect] = []
        let declare = ControlMessage.declare(call.membership.call, publication.declaration)
        if send(declare, to: peer, at: now, into: &effects) == nil {
            drop(publication, because: .queueFull, into: &effects)
        }
        return (publication.id, effects)
    }

    /// Takes a publication back. Nothing happens when there is none; one that waits for its peer ends as cancelled.
    public mutating func unpublish(_ id: PublicationID, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        withdraw(id, because: .cancelled, at: now, into: &effects)
        return effects
    }

    /// Takes back an operation that has not ended: it finishes as cancelled and nothing of it remains.
    public mutating func cancel(_ operation: OperationID, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        if let publication = publishing.publication(of: operation) {
            withdraw(publication.id, because: .cancelled, at: now, into: &effects)
        } else if let message = messages.take(operation) {
            timers[.message(message.token)] = nil
            effects.append(.finish(operation, .failed(.cancelled)))
        }
        return effects
    }

    mutating func publishTimerFired(_ id: PublicationID, at now: Instant, into effects: inout [Effect]) {
        withdraw(id, because: .timedOut, at: now, into: &effects)
    }

    private mutating func withdraw(
        _ id: PublicationID, because failure: OperationFailure, at now: Instant, into effects: inout [Effect]
    ) {
        guard let publication = publishing.publication(id) else { return }
        if publication.isLive { effects.append(.stopSending(id)) }
        if let call = call(with: publication.peer)?.membership.call {
            let message = ControlMessage.withdraw(call, id, version: publication.version &+ 1)
            _ = send(message, to: publication.peer, at: now, into: &effects)
        }
        drop(publication, because: failure, into: &effects)
    }

    /// Frees a slot: a notice when the publication was live, else the end of the operation that waited.
    mutating func drop(
        _ publication: LocalPublication, because failure: OperationFailure, into effects: inout [Effect]
    ) {
        timers[.publish(publication.id)] = nil
        guard publishing.remove(publication.id) != nil else { return }
        switch publication.phase {
        case .live: effects.append(.notify(.unpublished(publication.id)))
        case .declaring(let operation, _): effects.append(.finish(operation, .failed(failure)))
        }
    }

    mutating func receivedDeclared(
        _ id: PublicationID, version: UInt32, from peer: PeerID, into effects: inout [Effect]
    ) {
        guard let (publication, operation) = publishing.declared(id, version: version, by: peer) else { return }
        timers[.publish(id)] = nil
        effects += [
            .notify(.published(id)), .startSending(id, publication.content), .finish(operation, .done),
        ]
    }
}
