// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import RevueCore

/// Everything that the three layers of delegates of one instance hear, in order, with what the property said at that moment.
@MainActor final class Journal: RevueDelegate, RoomDelegate, ParticipantDelegate {
    enum Layer { case revue, room, participant }

    struct Line: Equatable {
        var layer: Layer
        var text: String
        /// Whether the property had the event's value already.
        var agrees: Bool
    }

    private(set) var lines: [Line] = []
    /// Called in the middle of each event's delivery.
    var onLine: ((Line) -> Void)?

    /// Follows all layers; participants as they come.
    func follow(_ peer: Peer) {
        peer.revue.delegates.add(delegate: self)
        peer.revue.room.delegates.add(delegate: self)
        peer.local?.delegates.add(delegate: self)
        for participant in peer.revue.room.remoteParticipants.values { participant.delegates.add(delegate: self) }
    }

    func texts(_ layer: Layer) -> [String] { lines.filter { $0.layer == layer }.map(\.text) }

    private func add(_ layer: Layer, _ text: String, _ agrees: Bool = true) {
        dispatchPrecondition(condition: .onQueue(.main))
        let line = Line(layer: layer, text: text, agrees: agrees)
        lines.append(line)
        onLine?(line)
    }

    // MARK: - Outside the room

    func revue(_ revue: Revue, didUpdateConnectionState status: SelfConnectionStatus) {
        add(.revue, "state \(status)", revue.connectionState == status)
    }
    func revue(_ revue: Revue, didReceiveFriendRequest friendId: String, message: String) {
        add(.revue, "request \(message)")
    }
    func revue(_ revue: Revue, friend friendId: String, didUpdatePaths paths: FriendConnectionPaths) {
        let agrees = revue.friends.getFriendPaths(friendId: friendId) == paths
        add(.revue, "paths \(paths.rawValue)", agrees)
    }
    func revue(_ revue: Revue, friend friendId: String, didUpdateName name: String) {
        let known = friendId == revue.revueId ? revue.selfName : revue.friends.getFriendName(friendId: friendId)
        add(.revue, "name \(name)", known == name)
    }
    func revue(_ revue: Revue, friend friendId: String, didUpdateStatusMessage message: String) {
        let isOwn = friendId == revue.revueId
        let known = isOwn ? revue.selfStatusMessage : revue.friends.getFriendStatusMessage(friendId: friendId)
        add(.revue, "status message \(message)", known == message)
    }
    func revue(_ revue: Revue, friend friendId: String, didUpdateStatus status: UserStatus) {
        add(.revue, "status \(status)")
    }
    func revue(_ revue: Revue, friend friendId: String, didReceiveMessage message: String) {
        add(.revue, "message \(message)")
    }
    func revue(_ revue: Revue, friend friendId: String, didSendInvitation message: String?) {
        add(.revue, "inviting \(message ?? "-")")
    }
    func revue(_ revue: Revue, friend friendId: String, didReceiveInvitation message: String?) {
        add(.revue, "invited \(message ?? "-")")
    }
    func revue(_ revue: Revue, friend friendId: String, didEndInvitation reason: InvitationEndReason) {
        add(.revue, "invitation ended \(reason)")
    }

    // MARK: - The room

    func room(_ room: Room, participantDidConnect participant: RemoteParticipant) {
        add(.room, "connected", room.remoteParticipants[participant.identity] === participant)
        participant.delegates.add(delegate: self)
    }
    func room(_ room: Room, participantDidDisconnect participant: RemoteParticipant) {
        add(.room, "disconnected", room.remoteParticipants[participant.identity] == nil)
    }
    func room(_ room: Room, participant: RemoteParticipant, didUpdatePaths paths: FriendConnectionPaths) {
        add(.room, "paths \(paths.rawValue)", participant.paths == paths)
    }
    func room(_ room: Room, participant: Participant, didUpdateConnectionQuality quality: ConnectionQuality) {
        add(.room, "quality \(quality)", participant.connectionQuality == quality)
    }
    func room(_ room: Room, participant: Participant, didUpdateName name: String?) {
        add(.room, "name \(name ?? "-")", participant.name == name)
    }
    func room(_ room: Room, participant: Participant, didUpdateStatusMessage message: String?) {
        add(.room, "status message \(message ?? "-")", participant.statusMessage == message)
    }
    func room(_ room: Room, participant: Participant, didUpdateStatus status: UserStatus) {
        add(.room, "status \(status)", participant.userStatus == status)
    }
    func room(_ room: Room, localParticipant: LocalParticipant, didPublishTrack publication: LocalTrackPublication) {
        add(.room, "published \(publication.name)", localParticipant.trackPublications[publication.sid] === publication)
    }
    func room(_ room: Room, localParticipant: LocalParticipant, didUnpublishTrack publication: LocalTrackPublication) {
        add(.room, "unpublished \(publication.name)", localParticipant.trackPublications[publication.sid] == nil)
    }
    func room(_ room: Room, participant: RemoteParticipant, didSubscribeTrack publication: RemoteTrackPublication) {
        add(.room, "subscribed \(publication.name)", participant.trackPublications[publication.sid] === publication)
    }
    func room(_ room: Room, participant: RemoteParticipant, didUnsubscribeTrack publication: RemoteTrackPublication) {
        add(.room, "unsubscribed \(publication.name)", participant.trackPublications[publication.sid] == nil)
    }
    func room(
        _ room: Room, participant: Participant, trackPublication: TrackPublication, didUpdateIsMuted isMuted: Bool
    ) {
        add(.room, "muted \(trackPublication.name) \(isMuted)", trackPublication.isMuted == isMuted)
    }
    func room(
        _ room: Room, participant: Participant, trackPublication: TrackPublication,
        didUpdateStatistics statistics: TrackStatistics
    ) {
        add(.room, "statistics \(trackPublication.name)", trackPublication.statistics == statistics)
    }
    func room(_ room: Room, participant: RemoteParticipant, didReceiveMessage message: String) {
        add(.room, "message \(message)")
    }
    func room(_ room: Room, participant: RemoteParticipant, didReceiveMuteRequest isMuted: Bool) {
        add(.room, "mute request \(isMuted)")
    }
    func room(_ room: Room, didUpdateSpeakingParticipants speakers: [Participant]) {
        add(.room, "speakers \(speakers.count)", room.activeSpeakers.map(\.identity) == speakers.map(\.identity))
    }

    // MARK: - One participant

    func participant(_ participant: RemoteParticipant, didDisconnectWithReason reason: DisconnectReason) {
        add(.participant, "disconnected", participant.lastDisconnectReason == reason)
    }
    func participant(_ participant: Participant, didUpdatePaths paths: FriendConnectionPaths) {
        add(.participant, "paths \(paths.rawValue)", (participant as? RemoteParticipant)?.paths == paths)
    }
    func participant(_ participant: Participant, didUpdateConnectionQuality quality: ConnectionQuality) {
        add(.participant, "quality \(quality)", participant.connectionQuality == quality)
    }
    func participant(_ participant: Participant, didUpdateName name: String?) {
        add(.participant, "name \(name ?? "-")", participant.name == name)
    }
    func participant(_ participant: Participant, didUpdateStatusMessage message: String?) {
        add(.participant, "status message \(message ?? "-")", participant.statusMessage == message)
    }
    func participant(_ participant: Participant, didUpdateStatus status: UserStatus) {
        add(.participant, "status \(status)", participant.userStatus == status)
    }
    func participant(_ participant: LocalParticipant, didPublishTrack publication: LocalTrackPublication) {
        add(.participant, "published \(publication.name)")
    }
    func participant(_ participant: LocalParticipant, didUnpublishTrack publication: LocalTrackPublication) {
        add(.participant, "unpublished \(publication.name)")
    }
    func participant(_ participant: RemoteParticipant, didSubscribeTrack publication: RemoteTrackPublication) {
        add(.participant, "subscribed \(publication.name)")
    }
    func participant(_ participant: RemoteParticipant, didUnsubscribeTrack publication: RemoteTrackPublication) {
        add(.participant, "unsubscribed \(publication.name)")
    }
    func participant(
        _ participant: Participant, trackPublication: TrackPublication, didUpdateIsMuted isMuted: Bool
    ) {
        add(.participant, "muted \(trackPublication.name) \(isMuted)", trackPublication.isMuted == isMuted)
    }
    func participant(
        _ participant: Participant, trackPublication: TrackPublication, didUpdateStatistics statistics: TrackStatistics
    ) {
        add(.participant, "statistics \(trackPublication.name)", trackPublication.statistics == statistics)
    }
    func participant(_ participant: RemoteParticipant, didReceiveMessage message: String) {
        add(.participant, "message \(message)")
    }
    func participant(_ participant: RemoteParticipant, didReceiveMuteRequest isMuted: Bool) {
        add(.participant, "mute request \(isMuted)")
    }
    func participant(_ participant: Participant, didUpdateIsSpeaking isSpeaking: Bool) {
        add(.participant, "speaking \(isSpeaking)", participant.isSpeaking == isSpeaking)
    }
}

extension RoomEvent {
    /// In the words of the journal; nil for what its room layer does not have.
    var text: String? {
        switch self {
        case .participantConnected: "connected"
        case .participantDisconnected: "disconnected"
        case .pathsChanged(_, let paths): "paths \(paths.rawValue)"
        case .connectionQualityChanged(_, let quality): "quality \(quality)"
        case .nameChanged(_, let name): "name \(name ?? "-")"
        case .statusMessageChanged(_, let message): "status message \(message ?? "-")"
        case .statusChanged(_, let status): "status \(status)"
        case .trackPublished(_, let publication): "published \(publication.name)"
        case .trackUnpublished(_, let publication): "unpublished \(publication.name)"
        case .trackSubscribed(_, let publication): "subscribed \(publication.name)"
        case .trackUnsubscribed(_, let publication): "unsubscribed \(publication.name)"
        case .muteChanged(_, let publication, let isMuted): "muted \(publication.name) \(isMuted)"
        case .statisticsChanged(_, let publication, _): "statistics \(publication.name)"
        case .messageReceived(_, let text): "message \(text)"
        case .muteRequested(_, let isMuted): "mute request \(isMuted)"
        case .speakersChanged(let speakers): "speakers \(speakers.count)"
        case .speakingChanged: nil
        case .missed(let count): "missed \(count)"
        }
    }
}

extension RevueEvent {
    /// In the words of the journal.
    var text: String {
        switch self {
        case .connectionStateChanged(let status): "state \(status)"
        case .presenceConnectionStateChanged(let state): "presence \(state)"
        case .friendRequestReceived(_, let message): "request \(message)"
        case .pathsChanged(_, let paths): "paths \(paths.rawValue)"
        case .nameChanged(_, let name): "name \(name)"
        case .statusMessageChanged(_, let message): "status message \(message)"
        case .statusChanged(_, let status): "status \(status)"
        case .presenceStatusChanged(_, let status): "presence \(status)"
        case .messageReceived(_, let text): "message \(text)"
        case .invitationSent(_, let message): "inviting \(message ?? "-")"
        case .invitationReceived(_, let message): "invited \(message ?? "-")"
        case .invitationEnded(_, let reason): "invitation ended \(reason)"
        case .frameCryptoFailed(let error): "crypto \(error)"
        case .missed(let count): "missed \(count)"
        }
    }
}
