// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor func leave(_ room: Room, _ friendId: String) {
    room.remoteParticipants[friendId]?.disconnect()

    room.disconnectAll()
}

@MainActor final class Farewell: RoomDelegate {
    private(set) var lines: [String] = []

    func room(_ room: Room, participantDidDisconnect participant: RemoteParticipant) {
        switch participant.lastDisconnectReason {
        case .leave: lines.append("\(participant.identity) hung up, or we did")
        case .networkLost: lines.append("\(participant.identity) could not be reached any more")
        case nil: break
        }
    }
}
