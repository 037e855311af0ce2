// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CToxcore
import RevueDomain

extension ToxSession {
    /// Carries one command out; what fails is reported.
    func carryOut(_ command: TransportCommand) {
        switch command {
        case .addFriend(let address, let message): addFriend(address, message, command)
        case .acceptFriend(let peer): acceptFriend(peer, command)
        case .deleteFriend(let peer): deleteFriend(peer)
        case .setName(let name):
            let text = Array(name.utf8)
            var code = TOX_ERR_SET_INFO_OK
            tox_self_set_name(handle.pointer, text, text.count, &code)
            finish(command, failure: ErrorMapping.profile(code))
        case .setStatusMessage(let message):
            let text = Array(message.utf8)
            var code = TOX_ERR_SET_INFO_OK
            tox_self_set_status_message(handle.pointer, text, text.count, &code)
            finish(command, failure: ErrorMapping.profile(code))
        case .setAvailability(let availability):
            tox_self_set_status(handle.pointer, ErrorMapping.status(availability))
            finish(command, failure: nil)
        case .sendText(let peer, let text, let token): sendText(text, to: peer, token: token, command)
        }
    }

    private func finish(_ command: TransportCommand, failure: String?) {
        if let failure {
            report(.commandFailed(command, reason: failure))
        } else {
            saving.request(at: ToxClock.now)
        }
    }

    private func addFriend(_ address: FriendAddress, _ message: String, _ command: TransportCommand) {
        let text = Array(message.utf8)
        guard text.count <= ToxLimits.request else { return finish(command, failure: "the request is too long") }
        var code = TOX_ERR_FRIEND_ADD_OK
        tox_friend_add(handle.pointer, address.bytes, text, text.count, &code)
        updateFriends()
        finish(command, failure: ErrorMapping.friendAdd(code))
    }

    /// Who is a friend already stays one: a request that crossed ours is accepted by that.
    private func acceptFriend(_ peer: PeerID, _ command: TransportCommand) {
        guard numbers[peer] == nil else { return finish(command, failure: nil) }
        var code = TOX_ERR_FRIEND_ADD_OK
        tox_friend_add_norequest(handle.pointer, peer.bytes, &code)
        updateFriends()
        finish(command, failure: ErrorMapping.friendAdd(code))
    }

    /// Forgets a friend; of a stranger it forgets that they ever asked.
    ///
    /// toxcore remembers the last 32 requesters and never shows a second request from one of them. Only the deletion of
    /// a friend clears that memory, so a stranger is added and deleted at once, before anything could be sent.
    private func deleteFriend(_ peer: PeerID) {
        let isStranger = numbers[peer] == nil
        if isStranger { tox_friend_add_norequest(handle.pointer, peer.bytes, nil) }
        let number = tox_friend_by_public_key(handle.pointer, peer.bytes, nil)
        guard number != UInt32.max else { return }
        if !isStranger { setPaths([], of: peer, number: number) }
        tox_friend_delete(handle.pointer, number, nil)
        updateFriends()
        if !isStranger { saving.request(at: ToxClock.now) }
    }

    private func sendText(_ text: String, to peer: PeerID, token: UInt64, _ command: TransportCommand) {
        let bytes = Array(text.utf8)
        guard bytes.count <= ToxLimits.text else { return report(.textFailed(token: token, .tooLong)) }
        guard let number = numbers[peer] else { return report(.textFailed(token: token, .unknownFriend)) }
        var code = TOX_ERR_FRIEND_SEND_MESSAGE_OK
        let message = tox_friend_send_message(
            handle.pointer, number, TOX_MESSAGE_TYPE_NORMAL, bytes, bytes.count, &code)
        if code == TOX_ERR_FRIEND_SEND_MESSAGE_OK {
            receipts[ReceiptKey(friend: number, message: message)] = token
        } else if let failure = ErrorMapping.text(code) {
            report(.textFailed(token: token, failure))
        } else {
            finish(command, failure: bytes.isEmpty ? "the text is empty" : "toxcore refused it: \(code.rawValue)")
        }
    }
}
