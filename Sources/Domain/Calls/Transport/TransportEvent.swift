// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What a transport reports, in the order in which it happened.
public enum TransportEvent: Hashable, Sendable {
    /// The own reachability changed.
    case selfReachability(SelfReachability)
    /// Someone asks for friendship. May repeat for the same peer.
    case friendRequest(PeerID, message: String)
    /// The paths that the transport believes to work changed. The domain decides what it believes.
    case paths(PeerID, Paths)
    /// The friend's name changed.
    case name(PeerID, String)
    /// The friend's status message changed.
    case statusMessage(PeerID, String)
    /// The friend's availability changed.
    case availability(PeerID, Availability)
    /// A text from a friend.
    case text(PeerID, String)
    /// The peer's device has the text.
    case textDelivered(token: UInt64)
    /// The text will not arrive.
    case textFailed(token: UInt64, TextFailure)
    /// A command could not be carried out; `reason` is for the log.
    case commandFailed(TransportCommand, reason: String)
}

/// Why a transport could not take a text.
public enum TextFailure: Hashable, Sendable {
    /// No path to the friend.
    case notReachable
    /// Too many texts wait already.
    case queueFull
    /// Longer than the transport carries.
    case tooLong
    /// Not a friend.
    case unknownFriend
}
