// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// Why a track cannot be published. Nothing has changed.
public enum PublishFailure: Error, Hashable, Sendable {
    /// The peer is not in the room.
    case notConnected
    /// The peer gets another track of this kind: unpublish that one first.
    case slotTaken(PublicationID)
    /// No such track: add it first.
    case unknownTrack
}

/// Why a publication cannot be muted.
public enum PublicationFailure: Error, Hashable, Sendable {
    /// It does not exist, or no longer.
    case notPublished
}

/// The local tracks and where they go: at most one audio and one video publication to each friend.
struct PublicationLedger: Equatable, Sendable {
    /// How long a friend has to confirm a declaration, on a live path.
    static let patience = Interval.seconds(10)

    /// A publication whose outlet changed.
    struct Change: Equatable {
        var publication: LocalPublication
        /// The recipient must be told.
        var isRestated: Bool
        /// What leaves changed.
        var isRefilled: Bool
    }

    private var tracks = SortedTable<TrackID, TrackDescription>()
    private var table = SortedTable<PublicationID, LocalPublication>()
    private var lastID: UInt32 = 0

    var all: [LocalPublication] { table.values }
    func to(_ peer: PeerID) -> [LocalPublication] { table.values.filter { $0.peer == peer } }
    func slot(_ kind: MediaKind, to peer: PeerID) -> PublicationID? {
        table.values.first { $0.peer == peer && $0.stream.kind == kind }?.id
    }
    func publication(_ id: PublicationID) -> LocalPublication? { table[id] }
    func publication(of operation: OperationID) -> LocalPublication? {
        table.values.first { publication in
            if case .declaring(operation, _) = publication.phase { true } else { false }
        }
    }
    func track(_ id: TrackID) -> TrackDescription? { tracks[id] }

    // MARK: Tracks

    mutating func add(_ track: TrackDescription) {
        guard !tracks.contains(track.id) else { return }
        tracks[track.id] = track
    }

    mutating func remove(_ track: TrackID) {
        guard !table.values.contains(where: { $0.track == track }) else { return }
        tracks[track] = nil
    }

    mutating func setHardware(_ state: HardwareState, of track: TrackID) -> [Change] {
        guard tracks.update(track, { $0.hardware = state }) != nil else { return [] }
        return refresh { $0.track == track }
    }

    /// Nil when the track is unknown or was like that already.
    mutating func setMuted(_ muted: Bool, track: TrackID) -> [Change]? {
        guard let known = tracks[track], known.isMuted != muted else { return nil }
        _ = tracks.update(track) { $0.isMuted = muted }
        return refresh { $0.track == track }
    }

    /// Nil when the publication was like that already.
    mutating func setMuted(_ muted: Bool, publication id: PublicationID) throws(PublicationFailure) -> [Change]? {
        guard let known = table[id] else { throw .notPublished }
        guard known.isMuted != muted else { return nil }
        _ = table.update(id) { $0.isMuted = muted }
        return refresh { $0.id == id }
    }

    private mutating func refresh(where isMeant: (LocalPublication) -> Bool) -> [Change] {
        var changes: [Change] = []
        for var publication in table.values where isMeant(publication) {
            guard let track = tracks[publication.track] else { continue }
            let before = publication.outlet
            publication.outlet = Self.outlet(track, publicationMuted: publication.isMuted)
            guard publication.outlet != before else { continue }
            let isRestated = publication.outlet.isDeclaredMuted != before.isDeclaredMuted
            if isRestated { publication.version &+= 1 }
            table[publication.id] = publication
            changes.append(
                Change(
                    publication: publication, isRestated: isRestated,
                    isRefilled: publication.outlet.content != before.content))
        }
        return changes
    }

    private static func outlet(_ track: TrackDescription, publicationMuted: Bool) -> Outlet {
        Outlet(hardware: track.hardware, levels: MuteLevels(track: track.isMuted, publication: publicationMuted))
    }

    // MARK: Publications

    /// What is to be published, and what it must keep clear of.
    struct Request {
        var track: TrackID
        var peer: PeerID
        var formats: [PayloadFormat]
        var operation: OperationID
        /// The time that the friend has to confirm.
        var clock: LocalPublication.PublishClock
        /// SSRCs that the friend uses.
        var takenSSRCs: [UInt32]
    }

    /// Takes the slot.
    mutating func publish(
        _ request: Request, using generator: inout SeededGenerator
    ) throws(PublishFailure) -> LocalPublication {
        guard let track = tracks[request.track] else { throw .unknownTrack }
        if let taken = slot(track.kind, to: request.peer) { throw .slotTaken(taken) }
        let ssrc = freshSSRC(&generator, besides: request.takenSSRCs)
        let rtx = freshSSRC(&generator, besides: request.takenSSRCs + [ssrc])
        lastID &+= 1
        let publication = LocalPublication(
            id: PublicationID(rawValue: lastID), track: track.id, peer: request.peer,
            stream: StreamDescription(
                kind: track.kind, source: track.source,
                name: track.name.withoutNUL.fitted(toBytes: ControlLimits.nameBytes), ssrc: ssrc, rtxSSRC: rtx,
                formats: request.formats),
            timestampOffset: generator.next32(), isMuted: false, outlet: Self.outlet(track, publicationMuted: false),
            version: 1, phase: .declaring(request.operation, request.clock))
        table[publication.id] = publication
        return publication
    }

    private func freshSSRC(_ generator: inout SeededGenerator, besides taken: [UInt32]) -> UInt32 {
        while true {
            let candidate = generator.next32()
            let isUsed = table.values.contains { $0.stream.ssrc == candidate || $0.stream.rtxSSRC == candidate }
            if candidate != 0, !isUsed, !taken.contains(candidate) { return candidate }
        }
    }

    /// The friend confirmed; the operation that waits for it, or nil when the answer is stale.
    mutating func declared(
        _ id: PublicationID, version: UInt32, by peer: PeerID
    ) -> (publication: LocalPublication, operation: OperationID)? {
        guard var publication = table[id], publication.peer == peer, version != 0, version <= publication.version,
            case .declaring(let operation, _) = publication.phase
        else { return nil }
        publication.phase = .live
        table[id] = publication
        return (publication, operation)
    }

    /// Frees the slot.
    mutating func remove(_ id: PublicationID) -> LocalPublication? {
        guard let publication = table[id] else { return nil }
        table[id] = nil
        return publication
    }

    /// Stops the clocks of what the friend has not confirmed.
    mutating func pause(to peer: PeerID, at now: Instant) -> [PublicationID] {
        changeClocks(to: peer) { clock in
            if case .running(let until) = clock { .paused(left: max(until - now, .zero)) } else { clock }
        }.map { $0.id }
    }

    /// Lets them run again; returns when each runs out.
    mutating func resume(to peer: PeerID, at now: Instant) -> [(id: PublicationID, until: Instant)] {
        changeClocks(to: peer) { clock in
            if case .paused(let left) = clock { .running(until: now + left) } else { clock }
        }.compactMap { publication in
            guard case .declaring(_, .running(let until)) = publication.phase else { return nil }
            return (publication.id, until)
        }
    }

    private mutating func changeClocks(
        to peer: PeerID, _ change: (LocalPublication.PublishClock) -> LocalPublication.PublishClock
    ) -> [LocalPublication] {
        var changed: [LocalPublication] = []
        for var publication in table.values where publication.peer == peer {
            guard case .declaring(let operation, let clock) = publication.phase else { continue }
            publication.phase = .declaring(operation, change(clock))
            table[publication.id] = publication
            changed.append(publication)
        }
        return changed
    }
}
