// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import Foundation
import RevueDomain
import RevuePorts

/// What the local and the remote participants have in common. Made by the SDK.
public class Participant: ObservableObject, Identifiable, @unchecked Sendable {
    // SAFETY: every stored property is immutable or a `Published`, which guards itself.

    /// The friend ID: the Base58 form of the public key. Never changes, never empty.
    public let identity: String
    /// Hear of this participant alone, on main.
    public let delegates = MulticastDelegate<any ParticipantDelegate>()

    /// The display name; nil when there is none.
    @Published public internal(set) var name: String?
    /// The status message; nil when there is none.
    @Published public internal(set) var statusMessage: String?
    /// Available, away or busy.
    @Published public internal(set) var userStatus: UserStatus
    /// Whether the participant speaks.
    @Published public internal(set) var isSpeaking = false
    /// The volume, 0…1 in eighths; 0 unless speaking.
    @Published public internal(set) var audioLevel: Float = 0
    /// When the participant last began to speak.
    @Published public internal(set) var lastSpokeAt: Date?
    /// How good the connection is; `.unknown` for the local participant and before anything was measured.
    @Published public internal(set) var connectionQuality = ConnectionQuality.unknown
    /// When the participant connected; nil for the local one.
    @Published public internal(set) var joinedAt: Date?
    /// What the participant publishes, by sid.
    @Published public internal(set) var trackPublications: [String: TrackPublication] = [:]

    /// Who this is in the domain.
    let peer: PeerID

    init(peer: PeerID, profile: Profile) {
        self.peer = peer
        identity = peer.base58
        name = profile.name.isEmpty ? nil : profile.name
        statusMessage = profile.statusMessage.isEmpty ? nil : profile.statusMessage
        userStatus = UserStatus(profile.availability)
    }

    /// The same as `identity`.
    public var id: String { identity }

    /// The video publications, oldest first.
    public var videoTracks: [TrackPublication] { publications(.video) }
    /// The audio publications, oldest first.
    public var audioTracks: [TrackPublication] { publications(.audio) }

    /// The camera's track, muted or not; nil when there is none.
    public var firstCameraVideoTrack: VideoTrack? { firstVideo(.camera) }
    /// The shared screen's track, muted or not; nil when there is none.
    public var firstScreenShareVideoTrack: VideoTrack? { firstVideo(.screenShareVideo) }
    /// The first audio track, muted or not; nil when there is none.
    public var firstAudioTrack: AudioTrack? { audioTracks.lazy.compactMap { $0.track as? AudioTrack }.first }

    /// Whether there is a camera publication that is not muted.
    public func isCameraEnabled() -> Bool { hasUnmuted(.camera) }
    /// Whether there is a microphone publication that is not muted.
    public func isMicrophoneEnabled() -> Bool { hasUnmuted(.microphone) }
    /// Whether there is a screen share publication that is not muted.
    public func isScreenShareEnabled() -> Bool { hasUnmuted(.screenShareVideo) }

    private func publications(_ kind: Track.Kind) -> [TrackPublication] {
        trackPublications.values.filter { $0.kind == kind }.sorted { $0.publicationID < $1.publicationID }
    }

    private func firstVideo(_ source: Track.Source) -> VideoTrack? {
        videoTracks.lazy.filter { $0.source == source }.compactMap { $0.track as? VideoTrack }.first
    }

    private func hasUnmuted(_ source: Track.Source) -> Bool {
        trackPublications.values.contains { $0.source == source && !$0.isMuted }
    }
}
