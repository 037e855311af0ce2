// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What happens outside the room: one for each event of `RevueDelegate`. When it comes, the state has changed already.
public enum RevueEvent: Sendable {
    /// This instance's own reachability changed.
    case connectionStateChanged(SelfConnectionStatus)
    /// The connection to the presence service changed.
    case presenceConnectionStateChanged(PresenceConnectionState)
    /// Somebody asks for friendship.
    case friendRequestReceived(friendId: String, message: String)
    /// The paths to a friend changed.
    case pathsChanged(friendId: String, FriendConnectionPaths)
    /// A name changed, the own one's included; empty when it was cleared.
    case nameChanged(friendId: String, String)
    /// A status message changed, the own one's included; empty when it was cleared.
    case statusMessageChanged(friendId: String, String)
    /// A status changed, the own one's included.
    case statusChanged(friendId: String, UserStatus)
    /// A friend's presence changed, as the presence service reports it.
    case presenceStatusChanged(friendId: String, PresenceStatus)
    /// A text from a friend, sent outside the room.
    case messageReceived(friendId: String, String)
    /// Our invitation is on its way.
    case invitationSent(friendId: String, message: String?)
    /// A friend invites us.
    case invitationReceived(friendId: String, message: String?)
    /// An invitation, ours or theirs, ended without a call.
    case invitationEnded(friendId: String, InvitationEndReason)
    /// A frame could not be encrypted or decrypted, and was dropped.
    case frameCryptoFailed(FrameCryptoError)
    /// The loop was too slow, and so many events were dropped here: read the state again.
    case missed(Int)
}

extension RevueEvent {
    /// Tells a delegate.
    @MainActor func tell(_ delegate: any RevueDelegate, of revue: Revue) {
        switch self {
        case .connectionStateChanged(let status): delegate.revue(revue, didUpdateConnectionState: status)
        case .presenceConnectionStateChanged(let state):
            delegate.revue(revue, didUpdatePresenceConnectionState: state)
        case .friendRequestReceived(let friend, let message):
            delegate.revue(revue, didReceiveFriendRequest: friend, message: message)
        case .pathsChanged(let friend, let paths): delegate.revue(revue, friend: friend, didUpdatePaths: paths)
        case .nameChanged(let friend, let name): delegate.revue(revue, friend: friend, didUpdateName: name)
        case .statusMessageChanged(let friend, let text):
            delegate.revue(revue, friend: friend, didUpdateStatusMessage: text)
        case .statusChanged(let friend, let status): delegate.revue(revue, friend: friend, didUpdateStatus: status)
        case .presenceStatusChanged(let friend, let status):
            delegate.revue(revue, friend: friend, didUpdatePresenceStatus: status)
        case .messageReceived(let friend, let text): delegate.revue(revue, friend: friend, didReceiveMessage: text)
        case .invitationSent(let friend, let text): delegate.revue(revue, friend: friend, didSendInvitation: text)
        case .invitationReceived(let friend, let text):
            delegate.revue(revue, friend: friend, didReceiveInvitation: text)
        case .invitationEnded(let friend, let reason):
            delegate.revue(revue, friend: friend, didEndInvitation: reason)
        case .frameCryptoFailed(let error): delegate.revue(revue, didReceiveFrameCryptoError: error)
        case .missed: break
        }
    }
}
