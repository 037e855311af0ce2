// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What the domain asks of a transport. Carried out in order; what fails comes back as an event, never as a wait.
public enum TransportCommand: Hashable, Sendable {
    /// Send a friend request (text 1…921 bytes) and add the peer as a friend.
    case addFriend(FriendAddress, message: String)
    /// Add the peer as a friend without a request: what accepts one.
    case acceptFriend(PeerID)
    /// Forget the friend.
    case deleteFriend(PeerID)
    /// Tell every friend this name (≤ 128 bytes).
    case setName(String)
    /// Tell every friend this status message (≤ 1,007 bytes).
    case setStatusMessage(String)
    /// Tell every friend this availability.
    case setAvailability(Availability)
    /// Send a text (1…1,372 bytes) to a friend; `token` names its receipt or failure.
    case sendText(PeerID, String, token: UInt64)
}
