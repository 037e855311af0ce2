// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor final class Contacts: RevueDelegate {
    func revue(_ revue: Revue, didReceiveFriendRequest friendId: String, message: String) {
        try? revue.friends.addFriendNorequest(friendId: friendId)
    }

    func revue(_ revue: Revue, friend friendId: String, didUpdatePaths paths: FriendConnectionPaths) {
        print(revue.friends.getFriendName(friendId: friendId), paths.isOnline ? "is reachable" : "is away")
    }
}

@MainActor func ask(_ revue: Revue, address: String) throws {
    do {
        try revue.friends.addFriend(address: address, message: "It's me, from the conference")
    } catch FriendAddError.alreadyExists {
        // Call them instead.
    }
}

@MainActor final class Ringing: RevueDelegate {
    private(set) var callers: [String] = []

    func revue(_ revue: Revue, friend friendId: String, didReceiveInvitation message: String?) {
        callers.append(friendId)
    }

    func revue(_ revue: Revue, friend friendId: String, didEndInvitation reason: InvitationEndReason) {
        callers.removeAll { $0 == friendId }
    }

    func answer(_ revue: Revue, _ friendId: String) {
        callers.removeAll { $0 == friendId }
        do {
            try revue.friends.acceptInvitation(friendId: friendId)
        } catch {
            print("Too late:", error.localizedDescription)
        }
    }
}

@MainActor func invite(_ revue: Revue, _ friendId: String) throws {
    guard revue.friends.getFriendPaths(friendId: friendId).isOnline else { return }
    try revue.friends.sendInvitation(friendId: friendId, message: "audio only")
}
