// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain

/// What concerns friends, and oneself, whether in a call or not.
extension Projection {
    func selfSteps(_ notice: Notice) -> [Step] {
        switch notice {
        case .selfReachability(let value):
            let status = SelfConnectionStatus(value)
            return friends({ [weak revue] in revue?.connectionState = status }, .connectionStateChanged(status))
        case .selfName(let name): return ownName(name)
        case .selfStatusMessage(let message): return ownStatusMessage(message)
        case .selfAvailability(let availability): return ownStatus(UserStatus(availability))
        default: return []
        }
    }

    func friendSteps(_ notice: Notice) -> [Step] {
        switch notice {
        case .friendRequest(let peer, let message):
            return friends(nil, .friendRequestReceived(friendId: peer.base58, message: message))
        case .paths(let peer, let paths): return changedPaths(peer, FriendConnectionPaths(rawValue: paths.rawValue))
        case .name(let peer, let name): return changedName(peer, name)
        case .statusMessage(let peer, let message): return changedStatusMessage(peer, message)
        case .availability(let peer, let availability): return changedStatus(peer, UserStatus(availability))
        case .text(let peer, let text): return friends(nil, .messageReceived(friendId: peer.base58, text))
        default: return []
        }
    }

    func invitationSteps(_ notice: Notice) -> [Step] {
        switch notice {
        case .sentInvitation(let peer, let message):
            return friends(nil, .invitationSent(friendId: peer.base58, message: message))
        case .receivedInvitation(let peer, let message):
            return friends(nil, .invitationReceived(friendId: peer.base58, message: message))
        case .endedInvitation(let peer, let end):
            let reason = InvitationEndReason(end)
            return friends(nil, .invitationEnded(friendId: peer.base58, reason))
        default: return []
        }
    }

    // MARK: - Oneself

    private func ownName(_ name: String) -> [Step] {
        guard let local = room.localParticipant else { return [] }
        let value = name.isEmpty ? nil : name
        return friends({ local.name = value }, .nameChanged(friendId: local.identity, name))
            + both(local, nil, .nameChanged(local, value))
    }

    private func ownStatusMessage(_ message: String) -> [Step] {
        guard let local = room.localParticipant else { return [] }
        let value = message.isEmpty ? nil : message
        return friends({ local.statusMessage = value }, .statusMessageChanged(friendId: local.identity, message))
            + both(local, nil, .statusMessageChanged(local, value))
    }

    private func ownStatus(_ status: UserStatus) -> [Step] {
        guard let local = room.localParticipant else { return [] }
        return friends({ local.userStatus = status }, .statusChanged(friendId: local.identity, status))
            + both(local, nil, .statusChanged(local, status))
    }

    // MARK: - Friends

    private func changedPaths(_ peer: PeerID, _ paths: FriendConnectionPaths) -> [Step] {
        let participant = participants[peer]
        let apply: Step = { [weak revue] in
            revue?.friends.tell(of: peer) { $0.paths = Paths(rawValue: paths.rawValue) }
            participant?.paths = paths
        }
        return friends(apply, .pathsChanged(friendId: peer.base58, paths))
            + (participant.map { both($0, nil, .pathsChanged($0, paths)) } ?? [])
    }

    private func changedName(_ peer: PeerID, _ name: String) -> [Step] {
        let participant = participants[peer]
        let value = name.isEmpty ? nil : name
        let apply: Step = { [weak revue] in
            revue?.friends.tell(of: peer) { $0.name = name }
            participant?.name = value
        }
        return friends(apply, .nameChanged(friendId: peer.base58, name))
            + (participant.map { both($0, nil, .nameChanged($0, value)) } ?? [])
    }

    private func changedStatusMessage(_ peer: PeerID, _ message: String) -> [Step] {
        let participant = participants[peer]
        let value = message.isEmpty ? nil : message
        let apply: Step = { [weak revue] in
            revue?.friends.tell(of: peer) { $0.statusMessage = message }
            participant?.statusMessage = value
        }
        return friends(apply, .statusMessageChanged(friendId: peer.base58, message))
            + (participant.map { both($0, nil, .statusMessageChanged($0, value)) } ?? [])
    }

    private func changedStatus(_ peer: PeerID, _ status: UserStatus) -> [Step] {
        let participant = participants[peer]
        return friends({ participant?.userStatus = status }, .statusChanged(friendId: peer.base58, status))
            + (participant.map { both($0, nil, .statusChanged($0, status)) } ?? [])
    }
}
