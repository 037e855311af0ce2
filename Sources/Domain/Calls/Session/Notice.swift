// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Something that the integrator must hear, with the value that it has. One notice a change, in the order of the changes.
public enum Notice: Sendable, Equatable {
    /// The own reachability changed.
    case selfReachability(SelfReachability)
    /// The own profile changed through a command.
    case selfName(String), selfStatusMessage(String), selfAvailability(Availability)
    /// Someone asks for friendship.
    case friendRequest(PeerID, message: String)
    /// A friend's paths changed; the domain's own view.
    case paths(PeerID, Paths)
    /// A friend's profile changed.
    case name(PeerID, String), statusMessage(PeerID, String), availability(PeerID, Availability)
    /// A text from a friend, outside the room.
    case text(PeerID, String)
    /// Our invitation is on its way.
    case sentInvitation(PeerID, message: String?)
    /// A friend invites us.
    case receivedInvitation(PeerID, message: String?)
    /// An invitation ended without a call; exactly once, never after an accept.
    case endedInvitation(PeerID, InvitationEnd)
    /// The friend is in the room.
    case connected(PeerID)
    /// The friend has left the room; what they published and received ended before.
    case disconnected(PeerID, DisconnectCause)
    /// Our publication is known to its recipient.
    case published(PublicationID)
    /// Our publication is gone.
    case unpublished(PublicationID)
    /// A friend's publication exists.
    case subscribed(PeerID, PublicationID, StreamDescription, muted: Bool)
    /// A friend's publication is gone.
    case unsubscribed(PeerID, PublicationID)
    /// A local track's own mute flipped.
    case trackMuted(TrackID, Bool)
    /// A local publication's own mute flipped.
    case publicationMuted(PublicationID, Bool)
    /// Whether a friend's publication carries real media flipped.
    case remoteMuted(PeerID, PublicationID, Bool)
    /// A room message.
    case message(PeerID, String)
    /// A friend asks us to mute (true) or unmute.
    case muteRequest(PeerID, Bool)
}

/// Why an invitation ended without a call.
public enum InvitationEnd: UInt8, Hashable, Sendable {
    /// The caller took it back.
    case cancelled
    /// The invited side refused (seen by that side alone).
    case rejected
    /// Nobody answered in time, or nobody was there.
    case timeout
    /// The other side ended it.
    case finished
}

/// Why a participant left.
public enum DisconnectCause: UInt8, Hashable, Sendable {
    /// Somebody hung up.
    case leave
    /// No path for too long, or the peer restarted.
    case networkLost
}
