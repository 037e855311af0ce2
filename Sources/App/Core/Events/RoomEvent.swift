// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What happens in the room: one for each event that `RoomDelegate` and `ParticipantDelegate` have, told once although
/// both layers hear of it. When it comes, the state has changed already.
public enum RoomEvent: Sendable {
    /// A friend entered the room.
    case participantConnected(RemoteParticipant)
    /// A friend left the room. Nothing about them follows.
    case participantDisconnected(RemoteParticipant, reason: DisconnectReason)
    /// The paths to a participant changed. Empty paths do not end the call.
    case pathsChanged(RemoteParticipant, FriendConnectionPaths)
    /// How well the connection works changed by a level.
    case connectionQualityChanged(Participant, ConnectionQuality)
    /// A participant's name changed, the local one's included; nil when it was cleared.
    case nameChanged(Participant, String?)
    /// A participant's status message changed, the local one's included; nil when it was cleared.
    case statusMessageChanged(Participant, String?)
    /// A participant's status changed, the local one's included.
    case statusChanged(Participant, UserStatus)
    /// The local participant published a track.
    case trackPublished(LocalParticipant, LocalTrackPublication)
    /// A publication of the local participant ended.
    case trackUnpublished(LocalParticipant, LocalTrackPublication)
    /// A participant's track is being received.
    case trackSubscribed(RemoteParticipant, RemoteTrackPublication)
    /// A participant's track is received no longer.
    case trackUnsubscribed(RemoteParticipant, RemoteTrackPublication)
    /// A publication was muted (true) or unmuted.
    case muteChanged(Participant, TrackPublication, isMuted: Bool)
    /// New statistics, at most once a second, while `Room.reportStatistics` is true and they differ from the last.
    case statisticsChanged(Participant, TrackPublication, TrackStatistics)
    /// A participant sent a message within the call.
    case messageReceived(RemoteParticipant, String)
    /// A participant asks you to mute (true) or unmute.
    case muteRequested(RemoteParticipant, isMuted: Bool)
    /// Everyone who speaks, loudest first.
    case speakersChanged([Participant])
    /// A participant started (true) or stopped speaking.
    case speakingChanged(Participant, isSpeaking: Bool)
    /// The loop was too slow, and so many events were dropped here: read the room's state again.
    case missed(Int)
}

extension RoomEvent {
    /// Tells a room's delegate; what that layer does not have is left out.
    @MainActor func tell(_ delegate: any RoomDelegate, in room: Room) {
        switch self {
        case .participantConnected(let who): delegate.room(room, participantDidConnect: who)
        case .participantDisconnected(let who, _): delegate.room(room, participantDidDisconnect: who)
        case .pathsChanged(let who, let paths): delegate.room(room, participant: who, didUpdatePaths: paths)
        case .connectionQualityChanged(let who, let quality):
            delegate.room(room, participant: who, didUpdateConnectionQuality: quality)
        case .nameChanged(let who, let name): delegate.room(room, participant: who, didUpdateName: name)
        case .statusMessageChanged(let who, let text):
            delegate.room(room, participant: who, didUpdateStatusMessage: text)
        case .statusChanged(let who, let status): delegate.room(room, participant: who, didUpdateStatus: status)
        case .trackPublished(let who, let copy): delegate.room(room, localParticipant: who, didPublishTrack: copy)
        case .trackUnpublished(let who, let copy): delegate.room(room, localParticipant: who, didUnpublishTrack: copy)
        case .trackSubscribed(let who, let copy): delegate.room(room, participant: who, didSubscribeTrack: copy)
        case .trackUnsubscribed(let who, let copy): delegate.room(room, participant: who, didUnsubscribeTrack: copy)
        case .muteChanged(let who, let copy, let isMuted):
            delegate.room(room, participant: who, trackPublication: copy, didUpdateIsMuted: isMuted)
        case .statisticsChanged(let who, let copy, let statistics):
            delegate.room(room, participant: who, trackPublication: copy, didUpdateStatistics: statistics)
        case .messageReceived(let who, let text): delegate.room(room, participant: who, didReceiveMessage: text)
        case .muteRequested(let who, let isMuted):
            delegate.room(room, participant: who, didReceiveMuteRequest: isMuted)
        case .speakersChanged(let speakers): delegate.room(room, didUpdateSpeakingParticipants: speakers)
        case .speakingChanged, .missed: break
        }
    }

    /// Tells a participant's delegate; what that layer does not have is left out.
    @MainActor func tell(_ delegate: any ParticipantDelegate) {
        switch self {
        case .participantDisconnected(let who, let reason):
            delegate.participant(who, didDisconnectWithReason: reason)
        case .pathsChanged(let who, let paths): delegate.participant(who, didUpdatePaths: paths)
        case .connectionQualityChanged(let who, let quality):
            delegate.participant(who, didUpdateConnectionQuality: quality)
        case .nameChanged(let who, let name): delegate.participant(who, didUpdateName: name)
        case .statusMessageChanged(let who, let text): delegate.participant(who, didUpdateStatusMessage: text)
        case .statusChanged(let who, let status): delegate.participant(who, didUpdateStatus: status)
        case .trackPublished(let who, let copy): delegate.participant(who, didPublishTrack: copy)
        case .trackUnpublished(let who, let copy): delegate.participant(who, didUnpublishTrack: copy)
        case .trackSubscribed(let who, let copy): delegate.participant(who, didSubscribeTrack: copy)
        case .trackUnsubscribed(let who, let copy): delegate.participant(who, didUnsubscribeTrack: copy)
        case .muteChanged(let who, let copy, let isMuted):
            delegate.participant(who, trackPublication: copy, didUpdateIsMuted: isMuted)
        case .statisticsChanged(let who, let copy, let statistics):
            delegate.participant(who, trackPublication: copy, didUpdateStatistics: statistics)
        case .messageReceived(let who, let text): delegate.participant(who, didReceiveMessage: text)
        case .muteRequested(let who, let isMuted): delegate.participant(who, didReceiveMuteRequest: isMuted)
        case .speakingChanged(let who, let isSpeaking): delegate.participant(who, didUpdateIsSpeaking: isSpeaking)
        case .participantConnected, .speakersChanged, .missed: break
        }
    }
}
