// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Hears of everyone in the room. Called on the main thread; implement what you need.
///
/// A participant's own `ParticipantDelegate`s hear of the same events: prompt the user from one of the two alone.
public protocol RoomDelegate: AnyObject {
    /// A friend entered the room.
    @MainActor func room(_ room: Room, participantDidConnect participant: RemoteParticipant)
    /// A friend left the room; `RemoteParticipant.lastDisconnectReason` says why.
    @MainActor func room(_ room: Room, participantDidDisconnect participant: RemoteParticipant)
    /// The paths to a participant changed. Empty paths do not end the call: keep the participant, and a way to hang up.
    @MainActor func room(
        _ room: Room, participant: RemoteParticipant, didUpdatePaths paths: FriendConnectionPaths)
    /// How well the connection works changed by a level.
    @MainActor func room(
        _ room: Room, participant: Participant, didUpdateConnectionQuality quality: ConnectionQuality)

    /// A participant's name changed, the local one's included; nil when it was cleared.
    @MainActor func room(_ room: Room, participant: Participant, didUpdateName name: String?)
    /// A participant's status message changed, the local one's included; nil when it was cleared.
    @MainActor func room(_ room: Room, participant: Participant, didUpdateStatusMessage message: String?)
    /// A participant's status changed, the local one's included.
    @MainActor func room(_ room: Room, participant: Participant, didUpdateStatus status: UserStatus)

    /// The local participant published a track.
    @MainActor func room(
        _ room: Room, localParticipant: LocalParticipant, didPublishTrack publication: LocalTrackPublication)
    /// A publication of the local participant ended.
    @MainActor func room(
        _ room: Room, localParticipant: LocalParticipant, didUnpublishTrack publication: LocalTrackPublication)
    /// A participant's track is being received.
    @MainActor func room(
        _ room: Room, participant: RemoteParticipant, didSubscribeTrack publication: RemoteTrackPublication)
    /// A participant's track is received no longer.
    @MainActor func room(
        _ room: Room, participant: RemoteParticipant, didUnsubscribeTrack publication: RemoteTrackPublication)
    /// A publication was muted or unmuted.
    @MainActor func room(
        _ room: Room, participant: Participant, trackPublication: TrackPublication, didUpdateIsMuted isMuted: Bool)
    /// New statistics, at most once a second, while `Room.reportStatistics` is true and they differ from the last.
    @MainActor func room(
        _ room: Room, participant: Participant, trackPublication: TrackPublication,
        didUpdateStatistics statistics: TrackStatistics)

    /// A participant sent a message within the call.
    @MainActor func room(_ room: Room, participant: RemoteParticipant, didReceiveMessage message: String)
    /// A participant asks you to mute (true) or unmute. Whether to comply is yours to decide.
    @MainActor func room(_ room: Room, participant: RemoteParticipant, didReceiveMuteRequest isMuted: Bool)
    /// Who speaks changed: everyone who does, loudest first, the local participant included.
    @MainActor func room(_ room: Room, didUpdateSpeakingParticipants speakers: [Participant])
}

extension RoomDelegate {
    /// Does nothing.
    @MainActor public func room(_ room: Room, participantDidConnect participant: RemoteParticipant) {}
    /// Does nothing.
    @MainActor public func room(_ room: Room, participantDidDisconnect participant: RemoteParticipant) {}
    /// Does nothing.
    @MainActor public func room(
        _ room: Room, participant: RemoteParticipant, didUpdatePaths paths: FriendConnectionPaths
    ) {}
    /// Does nothing.
    @MainActor public func room(
        _ room: Room, participant: Participant, didUpdateConnectionQuality quality: ConnectionQuality
    ) {}
    /// Does nothing.
    @MainActor public func room(_ room: Room, participant: Participant, didUpdateName name: String?) {}
    /// Does nothing.
    @MainActor public func room(_ room: Room, participant: Participant, didUpdateStatusMessage message: String?) {}
    /// Does nothing.
    @MainActor public func room(_ room: Room, participant: Participant, didUpdateStatus status: UserStatus) {}
    /// Does nothing.
    @MainActor public func room(
        _ room: Room, localParticipant: LocalParticipant, didPublishTrack publication: LocalTrackPublication
    ) {}
    /// Does nothing.
    @MainActor public func room(
        _ room: Room, localParticipant: LocalParticipant, didUnpublishTrack publication: LocalTrackPublication
    ) {}
    /// Does nothing.
    @MainActor public func room(
        _ room: Room, participant: RemoteParticipant, didSubscribeTrack publication: RemoteTrackPublication
    ) {}
    /// Does nothing.
    @MainActor public func room(
        _ room: Room, participant: RemoteParticipant, didUnsubscribeTrack publication: RemoteTrackPublication
    ) {}
    /// Does nothing.
    @MainActor public func room(
        _ room: Room, participant: Participant, trackPublication: TrackPublication, didUpdateIsMuted isMuted: Bool
    ) {}
    /// Does nothing.
    @MainActor public func room(
        _ room: Room, participant: Participant, trackPublication: TrackPublication,
        didUpdateStatistics statistics: TrackStatistics
    ) {}
    /// Does nothing.
    @MainActor public func room(_ room: Room, participant: RemoteParticipant, didReceiveMessage message: String) {}
    /// Does nothing.
    @MainActor public func room(_ room: Room, participant: RemoteParticipant, didReceiveMuteRequest isMuted: Bool) {}
    /// Does nothing.
    @MainActor public func room(_ room: Room, didUpdateSpeakingParticipants speakers: [Participant]) {}
}
