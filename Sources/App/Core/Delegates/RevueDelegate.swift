// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Hears of friends, invitations and presence. Called on the main thread; implement what you need.
public protocol RevueDelegate: AnyObject {
    /// This instance's own reachability changed.
    @MainActor func revue(_ revue: Revue, didUpdateConnectionState status: SelfConnectionStatus)
    /// The connection to the presence service changed.
    @MainActor func revue(_ revue: Revue, didUpdatePresenceConnectionState state: PresenceConnectionState)
    /// Somebody asks for friendship; accept with `FriendManager.addFriendNorequest(friendId:)`.
    @MainActor func revue(_ revue: Revue, didReceiveFriendRequest friendId: String, message: String)

    /// The paths to a friend changed.
    @MainActor func revue(_ revue: Revue, friend friendId: String, didUpdatePaths paths: FriendConnectionPaths)
    /// A friend's name changed; empty when they cleared it.
    @MainActor func revue(_ revue: Revue, friend friendId: String, didUpdateName name: String)
    /// A friend's status message changed; empty when they cleared it.
    @MainActor func revue(_ revue: Revue, friend friendId: String, didUpdateStatusMessage message: String)
    /// A friend's own status changed, as the friend connection carries it.
    @MainActor func revue(_ revue: Revue, friend friendId: String, didUpdateStatus status: UserStatus)
    /// A friend's presence changed, as the presence service reports it.
    @MainActor func revue(_ revue: Revue, friend friendId: String, didUpdatePresenceStatus status: PresenceStatus)
    /// A text from a friend, sent outside the room.
    @MainActor func revue(_ revue: Revue, friend friendId: String, didReceiveMessage message: String)

    /// Our invitation is on its way, with the message that goes with it.
    @MainActor func revue(_ revue: Revue, friend friendId: String, didSendInvitation message: String?)
    /// A friend invites us, with the message that came with it. They are not in the room yet.
    @MainActor func revue(_ revue: Revue, friend friendId: String, didReceiveInvitation message: String?)
    /// An invitation, ours or theirs, ended without a call. Comes once, and never after an accept.
    @MainActor func revue(_ revue: Revue, friend friendId: String, didEndInvitation reason: InvitationEndReason)

    /// A frame could not be encrypted or decrypted. It was dropped; the call goes on.
    @MainActor func revue(_ revue: Revue, didReceiveFrameCryptoError error: FrameCryptoError)
}

extension RevueDelegate {
    /// Does nothing.
    @MainActor public func revue(_ revue: Revue, didUpdateConnectionState status: SelfConnectionStatus) {}
    /// Does nothing.
    @MainActor public func revue(_ revue: Revue, didUpdatePresenceConnectionState state: PresenceConnectionState) {}
    /// Does nothing.
    @MainActor public func revue(_ revue: Revue, didReceiveFriendRequest friendId: String, message: String) {}
    /// Does nothing.
    @MainActor public func revue(
        _ revue: Revue, friend friendId: String, didUpdatePaths paths: FriendConnectionPaths
    ) {}
    /// Does nothing.
    @MainActor public func revue(_ revue: Revue, friend friendId: String, didUpdateName name: String) {}
    /// Does nothing.
    @MainActor public func revue(_ revue: Revue, friend friendId: String, didUpdateStatusMessage message: String) {}
    /// Does nothing.
    @MainActor public func revue(_ revue: Revue, friend friendId: String, didUpdateStatus status: UserStatus) {}
    /// Does nothing.
    @MainActor public func revue(
        _ revue: Revue, friend friendId: String, didUpdatePresenceStatus status: PresenceStatus
    ) {}
    /// Does nothing.
    @MainActor public func revue(_ revue: Revue, friend friendId: String, didReceiveMessage message: String) {}
    /// Does nothing.
    @MainActor public func revue(_ revue: Revue, friend friendId: String, didSendInvitation message: String?) {}
    /// Does nothing.
    @MainActor public func revue(_ revue: Revue, friend friendId: String, didReceiveInvitation message: String?) {}
    /// Does nothing.
    @MainActor public func revue(
        _ revue: Revue, friend friendId: String, didEndInvitation reason: InvitationEndReason
    ) {}
    /// Does nothing.
    @MainActor public func revue(_ revue: Revue, didReceiveFrameCryptoError error: FrameCryptoError) {}
}
