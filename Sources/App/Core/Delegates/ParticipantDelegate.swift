// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Hears of one participant. Called on the main thread; implement what you need.
///
/// `RoomDelegate`s hear of the same events: prompt the user from one of the two alone.
public protocol ParticipantDelegate: AnyObject {
    /// The participant left the room.
    @MainActor func participant(
        _ participant: RemoteParticipant, didDisconnectWithReason reason: DisconnectReason)
    /// The paths to the participant changed. Empty paths do not end the call.
    @MainActor func participant(_ participant: Participant, didUpdatePaths paths: FriendConnectionPaths)
    /// How well the connection works changed by a level.
    @MainActor func participant(
        _ participant: Participant, didUpdateConnectionQuality quality: ConnectionQuality)

    /// The name changed; nil when it was cleared.
    @MainActor func participant(_ participant: Participant, didUpdateName name: String?)
    /// The status message changed; nil when it was cleared.
    @MainActor func participant(_ participant: Participant, didUpdateStatusMessage message: String?)
    /// The status changed.
    @MainActor func participant(_ participant: Participant, didUpdateStatus status: UserStatus)

    /// The local participant published a track.
    @MainActor func participant(
        _ participant: LocalParticipant, didPublishTrack publication: LocalTrackPublication)
    /// A publication of the local participant ended.
    @MainActor func participant(
        _ participant: LocalParticipant, didUnpublishTrack publication: LocalTrackPublication)
    /// The participant's track is being received.
    @MainActor func participant(
        _ participant: RemoteParticipant, didSubscribeTrack publication: RemoteTrackPublication)
    /// The participant's track is received no longer.
    @MainActor func participant(
        _ participant: RemoteParticipant, didUnsubscribeTrack publication: RemoteTrackPublication)
    /// A publication was muted or unmuted.
    @MainActor func participant(
        _ participant: Participant, trackPublication: TrackPublication, didUpdateIsMuted isMuted: Bool)
    /// New statistics, at most once a second, while `Room.reportStatistics` is true and they differ from the last.
    @MainActor func participant(
        _ participant: Participant, trackPublication: TrackPublication,
        didUpdateStatistics statistics: TrackStatistics)

    /// The participant sent a message within the call.
    @MainActor func participant(_ participant: RemoteParticipant, didReceiveMessage message: String)
    /// The participant asks you to mute (true) or unmute. Whether to comply is yours to decide.
    @MainActor func participant(_ participant: RemoteParticipant, didReceiveMuteRequest isMuted: Bool)
    /// The participant started or stopped speaking.
    @MainActor func participant(_ participant: Participant, didUpdateIsSpeaking isSpeaking: Bool)
}

extension ParticipantDelegate {
    /// Does nothing.
    @MainActor public func participant(
        _ participant: RemoteParticipant, didDisconnectWithReason reason: DisconnectReason
    ) {}
    /// Does nothing.
    @MainActor public func participant(_ participant: Participant, didUpdatePaths paths: FriendConnectionPaths) {}
    /// Does nothing.
    @MainActor public func participant(
        _ participant: Participant, didUpdateConnectionQuality quality: ConnectionQuality
    ) {}
    /// Does nothing.
    @MainActor public func participant(_ participant: Participant, didUpdateName name: String?) {}
    /// Does nothing.
    @MainActor public func participant(_ participant: Participant, didUpdateStatusMessage message: String?) {}
    /// Does nothing.
    @MainActor public func participant(_ participant: Participant, didUpdateStatus status: UserStatus) {}
    /// Does nothing.
    @MainActor public func participant(
        _ participant: LocalParticipant, didPublishTrack publication: LocalTrackPublication
    ) {}
    /// Does nothing.
    @MainActor public func participant(
        _ participant: LocalParticipant, didUnpublishTrack publication: LocalTrackPublication
    ) {}
    /// Does nothing.
    @MainActor public func participant(
        _ participant: RemoteParticipant, didSubscribeTrack publication: RemoteTrackPublication
    ) {}
    /// Does nothing.
    @MainActor public func participant(
        _ participant: RemoteParticipant, didUnsubscribeTrack publication: RemoteTrackPublication
    ) {}
    /// Does nothing.
    @MainActor public func participant(
        _ participant: Participant, trackPublication: TrackPublication, didUpdateIsMuted isMuted: Bool
    ) {}
    /// Does nothing.
    @MainActor public func participant(
        _ participant: Participant, trackPublication: TrackPublication,
        didUpdateStatistics statistics: TrackStatistics
    ) {}
    /// Does nothing.
    @MainActor public func participant(_ participant: RemoteParticipant, didReceiveMessage message: String) {}
    /// Does nothing.
    @MainActor public func participant(_ participant: RemoteParticipant, didReceiveMuteRequest isMuted: Bool) {}
    /// Does nothing.
    @MainActor public func participant(_ participant: Participant, didUpdateIsSpeaking isSpeaking: Bool) {}
}
