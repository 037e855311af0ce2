// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain

/// What concerns friends, and oneself, whether in a call or not.
extension Projection {
    func selfSteps(_ notice: Notice) -> [Step] {
        switch notice {
        case .selfReachability(let value):
            let status = SelfConnectionStatus(value)
            return [{ [weak revue] in revue?.connectionState = status }]
                + friends { $1.revue($0, didUpdateConnectionState: status) }
        case .selfName(let name): return ownName(name)
        case .selfStatusMessage(let message): return ownStatusMessage(message)
        case .selfAvailability(let availability): return ownStatus(UserStatus(availability))
        default: return []
        }
    }

    func friendSteps(_ notice: Notice) -> [Step] {
        switch notice {
        case .friendRequest(let peer, let message):
            return friends { $1.revue($0, didReceiveFriendRequest: peer.base58, message: message) }
        case .paths(let peer, let paths): return changedPaths(peer, FriendConnectionPaths(rawValue: paths.rawValue))
        case .name(let peer, let name): return changedName(peer, name)
        case .statusMessage(let peer, let message): return changedStatusMessage(peer, message)
        case .availability(let peer, let availability): return changedStatus(peer, UserStatus(availability))
        case .text(let peer, let text):
            return friends { $1.revue($0, friend: peer.base58, didReceiveMessage: text) }
        default: return []
        }
    }

    func invitationSteps(_ notice: Notice) -> [Step] {
        switch notice {
        case .sentInvitation(let peer, let message):
            return friends { $1.revue($0, friend: peer.base58, didSendInvitation: message) }
        case .receivedInvitation(let peer, let message):
            return friends { $1.revue($0, friend: peer.base58, didReceiveInvitation: message) }
        case .endedInvitation(let peer, let end):
            let reason = InvitationEndReason(end)
            return friends { $1.revue($0, friend: peer.base58, didEndInvitation: reason) }
        default: return []
        }
    }

    // MARK: - Oneself

    private func ownName(_ name: String) -> [Step] {
        guard let local = room.localParticipant else { return [] }
        let value = name.isEmpty ? nil : name
        let id = local.identity
        return [{ local.name = value }] + friends { $1.revue($0, friend: id, didUpdateName: name) }
            + both(
                local, nil, { [room] in $0.room(room, participant: local, didUpdateName: value) },
                { $0.participant(local, didUpdateName: value) })
    }

    private func ownStatusMessage(_ message: String) -> [Step] {
        guard let local = room.localParticipant else { return [] }
        let value = message.isEmpty ? nil : message
        let id = local.identity
        return [{ local.statusMessage = value }] + friends { $1.revue($0, friend: id, didUpdateStatusMessage: message) }
            + both(
                local, nil, { [room] in $0.room(room, participant: local, didUpdateStatusMessage: value) },
                { $0.participant(local, didUpdateStatusMessage: value) })
    }

    private func ownStatus(_ status: UserStatus) -> [Step] {
        guard let local = room.localParticipant else { return [] }
        let id = local.identity
        return [{ local.userStatus = status }] + friends { $1.revue($0, friend: id, didUpdateStatus: status) }
            + both(
                local, nil, { [room] in $0.room(room, participant: local, didUpdateStatus: status) },
                { $0.participant(local, didUpdateStatus: status) })
    }

    // MARK: - Friends

    private func changedPaths(_ peer: PeerID, _ paths: FriendConnectionPaths) -> [Step] {
        let steps = friends { $1.revue($0, friend: peer.base58, didUpdatePaths: paths) }
        guard let participant = participants[peer] else { return steps }
        return [{ participant.paths = paths }] + steps
            + both(
                participant, nil, { [room] in $0.room(room, participant: participant, didUpdatePaths: paths) },
                { $0.participant(participant, didUpdatePaths: paths) })
    }

    private func changedName(_ peer: PeerID, _ name: String) -> [Step] {
        let steps = friends { $1.revue($0, friend: peer.base58, didUpdateName: name) }
        guard let participant = participants[peer] else { return steps }
        let value = name.isEmpty ? nil : name
        return [{ participant.name = value }] + steps
            + both(
                participant, nil, { [room] in $0.room(room, participant: participant, didUpdateName: value) },
                { $0.participant(participant, didUpdateName: value) })
    }

    private func changedStatusMessage(_ peer: PeerID, _ message: String) -> [Step] {
        let steps = friends { $1.revue($0, friend: peer.base58, didUpdateStatusMessage: message) }
        guard let participant = participants[peer] else { return steps }
        let value = message.isEmpty ? nil : message
        return [{ participant.statusMessage = value }] + steps
            + both(
                participant, nil, { [room] in $0.room(room, participant: participant, didUpdateStatusMessage: value) },
                { $0.participant(participant, didUpdateStatusMessage: value) })
    }

    private func changedStatus(_ peer: PeerID, _ status: UserStatus) -> [Step] {
        let steps = friends { $1.revue($0, friend: peer.base58, didUpdateStatus: status) }
        guard let participant = participants[peer] else { return steps }
        return [{ participant.userStatus = status }] + steps
            + both(
                participant, nil, { [room] in $0.room(room, participant: participant, didUpdateStatus: status) },
                { $0.participant(participant, didUpdateStatus: status) })
    }
}
