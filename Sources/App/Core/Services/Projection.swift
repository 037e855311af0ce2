// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain
import RevuePorts

/// Turns what the domain says into the public objects and their delegates' events, on main.
///
/// Each change is applied just before its delegates run, so that an event's value, the property and what a handler reads
/// agree. Both layers of delegates are told from here, the room's first, in one order.
@MainActor final class Projection {
    typealias Step = @MainActor () -> Void

    let room: Room
    weak var revue: Revue?
    weak var driver: SessionDriver?
    var participants: [PeerID: RemoteParticipant] = [:]
    private var localPublications: [PublicationID: LocalTrackPublication] = [:]
    private var remotePublications: [RemoteKey: RemoteTrackPublication] = [:]

    private struct RemoteKey: Hashable {
        var peer: PeerID
        var id: PublicationID
    }

    init(revue: Revue, room: Room) {
        self.revue = revue
        self.room = room
    }

    /// The steps that an item of the outbox stands for.
    func steps(for item: MainOutbox.Item) -> [Step] {
        switch item {
        case .notice(let notice): steps(for: notice)
        case .finish(let operation, let outcome):
            [{ [weak driver] in driver?.waiters.finish(operation, outcome) }]
        case .speakers(let change, let speakers): speakerSteps(change, speakers)
        case .statistics(let report): statisticsSteps(report)
        case .codec(let publication, let codec): [{ publication.object?.mimeType = codec.mimeType }]
        }
    }

    private func steps(for notice: Notice) -> [Step] {
        switch notice {
        case .selfReachability, .selfName, .selfStatusMessage, .selfAvailability: selfSteps(notice)
        case .friendRequest, .paths, .name, .statusMessage, .availability, .text: friendSteps(notice)
        case .sentInvitation, .receivedInvitation, .endedInvitation: invitationSteps(notice)
        case .connected(let peer): connected(peer)
        case .disconnected(let peer, let cause): disconnected(peer, cause)
        case .published(let id): published(id)
        case .unpublished(let id): unpublished(id)
        case .subscribed(let peer, let id, let stream, let muted): subscribed(peer, id, stream, muted)
        case .unsubscribed(let peer, let id): unsubscribed(peer, id)
        case .trackMuted(let track, let muted): trackMuted(track, muted)
        case .publicationMuted(let id, let muted): publicationMuted(id, muted)
        case .remoteMuted(let peer, let id, let muted): remoteMuted(peer, id, muted)
        case .message(let peer, let text): message(peer, text)
        case .muteRequest(let peer, let muted): muteRequest(peer, muted)
        }
    }

    func localPublication(_ id: PublicationID) -> LocalTrackPublication? { localPublications[id] }

    func remotePublication(_ id: PublicationID, of peer: PeerID) -> RemoteTrackPublication? {
        remotePublications[RemoteKey(peer: peer, id: id)]
    }

    // MARK: - Delegates

    /// A change, then each loop over the room's events, each of the room's delegates, each of the participant's.
    func both(_ participant: Participant, _ apply: Step? = nil, _ event: RoomEvent) -> [Step] {
        roomSteps(apply, event) + participant.delegates.steps { event.tell($0) }
    }

    /// What the room's own layer hears of.
    func roomSteps(_ apply: Step? = nil, _ event: RoomEvent) -> [Step] {
        [
            { [room] in
                apply?()
                room.feed.send(event)
            }
        ] + room.delegates.steps { [room] in event.tell($0, in: room) }
    }

    /// A change, then each loop over the instance's events, then each of its delegates.
    func friends(_ apply: Step? = nil, _ event: RevueEvent) -> [Step] {
        guard let revue else { return [] }
        let first: Step = { [weak revue] in
            apply?()
            revue?.feed.send(event)
        }
        return [first] + revue.delegates.steps { [weak revue] in if let revue { event.tell($0, of: revue) } }
    }

    private func message(_ peer: PeerID, _ text: String) -> [Step] {
        participants[peer].map { both($0, nil, .messageReceived($0, text)) } ?? []
    }

    private func muteRequest(_ peer: PeerID, _ muted: Bool) -> [Step] {
        participants[peer].map { both($0, nil, .muteRequested($0, isMuted: muted)) } ?? []
    }

    // MARK: - Participants

    private func connected(_ peer: PeerID) -> [Step] {
        guard let driver else { return [] }
        let (profile, paths) = driver.read { ($0.profile(of: peer) ?? Profile(), $0.paths(of: peer)) }
        let participant = RemoteParticipant(peer: peer, profile: profile, paths: paths, driver: driver)
        let date = Date(timeIntervalSince1970: Double(driver.adapters.scheduler.wallClockNanoseconds) / 1e9)
        let apply: Step = { [self] in
            participant.joinedAt = date
            participants[peer] = participant
            room.remoteParticipants[participant.identity] = participant
        }
        return roomSteps(apply, .participantConnected(participant))
    }

    private func disconnected(_ peer: PeerID, _ cause: DisconnectCause) -> [Step] {
        guard let participant = participants[peer] else { return [] }
        let reason = DisconnectReason(cause)
        return both(
            participant,
            { [self] in
                participants[peer] = nil
                participant.lastDisconnectReason = reason
                room.remoteParticipants[participant.identity] = nil
            },
            .participantDisconnected(participant, reason: reason))
    }

    // MARK: - What we publish

    private func published(_ id: PublicationID) -> [Step] {
        guard let driver, let local = room.localParticipant, let publication = driver.read({ $0.publication(id) }),
            let specification = driver.specification(of: id)
        else { return [] }
        let object: LocalTrackPublication
        switch specification {
        case .video(let track, let options):
            object = LocalTrackPublication(publication, track: track, video: options, audio: nil, driver: driver)
        case .audio(let track, let options):
            object = LocalTrackPublication(publication, track: track, video: nil, audio: options, driver: driver)
        }
        return both(
            local,
            { [self] in
                localPublications[id] = object
                local.trackPublications[object.sid] = object
            },
            .trackPublished(local, object))
    }

    private func unpublished(_ id: PublicationID) -> [Step] {
        guard let local = room.localParticipant, let object = localPublications[id] else { return [] }
        return both(
            local,
            { [self] in
                localPublications[id] = nil
                local.trackPublications[object.sid] = nil
            },
            .trackUnpublished(local, object))
    }

    private func trackMuted(_ id: TrackID, _ muted: Bool) -> [Step] {
        guard let track = driver?.track(id) else { return [] }
        return [{ track.isMuted = muted }] + track.delegates.steps { $0.track(track, didUpdateIsMuted: muted) }
    }

    private func publicationMuted(_ id: PublicationID, _ muted: Bool) -> [Step] {
        guard let local = room.localParticipant, let object = localPublications[id] else { return [] }
        return both(local, { object.isMuted = muted }, .muteChanged(local, object, isMuted: muted))
    }

    // MARK: - What we receive

    private func subscribed(
        _ peer: PeerID, _ id: PublicationID, _ stream: StreamDescription, _ muted: Bool
    ) -> [Step] {
        guard let participant = participants[peer], let track = driver?.media.remoteTrack(id, of: peer) else {
            return []
        }
        let object = RemoteTrackPublication(
            id, track: track, name: stream.trackName, isMuted: muted,
            mimeType: stream.kind == .audio ? "audio/opus" : nil)
        followCodec(of: track, object)
        return both(
            participant,
            { [self] in
                track.isMuted = muted
                remotePublications[RemoteKey(peer: peer, id: id)] = object
                participant.trackPublications[object.sid] = object
            },
            .trackSubscribed(participant, object))
    }

    private func unsubscribed(_ peer: PeerID, _ id: PublicationID) -> [Step] {
        guard let participant = participants[peer],
            let object = remotePublications.removeValue(forKey: RemoteKey(peer: peer, id: id))
        else { return [] }
        return both(
            participant, { participant.trackPublications[object.sid] = nil }, .trackUnsubscribed(participant, object))
            + [{ object.track = nil }]
    }

    private func remoteMuted(_ peer: PeerID, _ id: PublicationID, _ muted: Bool) -> [Step] {
        guard let participant = participants[peer], let object = remotePublications[RemoteKey(peer: peer, id: id)]
        else { return [] }
        let track = object.track
        let apply: Step = {
            object.isMuted = muted
            track?.isMuted = muted
        }
        let steps = both(participant, apply, .muteChanged(participant, object, isMuted: muted))
        guard let track else { return steps }
        return steps + track.delegates.steps { $0.track(track, didUpdateIsMuted: muted) }
    }

    /// The codec is read from the data: the type becomes known with the first frame and follows the sender.
    private func followCodec(of track: Track, _ publication: RemoteTrackPublication) {
        guard let video = track as? RemoteVideoTrack, let outbox = driver?.outbox else { return }
        video.onCodecChange { [weak publication, weak outbox] codec in
            guard let publication else { return }
            outbox?.append(.codec(WeakPublication(publication), codec))
        }
    }
}
