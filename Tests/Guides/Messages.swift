// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor func write(_ revue: Revue, _ friendId: String) async {
    do {
        let number = try await revue.friends.sendMessage(friendId: friendId, message: "Are you there?", timeout: 20)
        print("Message \(number) has arrived")
    } catch FriendMessageError.timeout(let number) {
        print("No receipt for message \(number): it may have arrived all the same")
    } catch {
        print(error.localizedDescription)
    }
}

@MainActor func say(_ local: LocalParticipant, to participant: RemoteParticipant) async throws {
    try await local.publish(message: "Look at the second slide", to: participant)
}

@MainActor final class Inbox: RevueDelegate, RoomDelegate {
    private(set) var lines: [String] = []

    func revue(_ revue: Revue, friend friendId: String, didReceiveMessage message: String) {
        lines.append("\(friendId): \(message)")
    }

    func room(_ room: Room, participant: RemoteParticipant, didReceiveMessage message: String) {
        lines.append("\(participant.identity), in the call: \(message)")
    }
}
