// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor final class Guestbook: RoomDelegate {
    private(set) var names: [String] = []

    func room(_ room: Room, participantDidConnect participant: RemoteParticipant) {
        names.append(participant.identity)
    }
}

@MainActor final class Tile: ParticipantDelegate {
    private(set) var isSpeaking = false

    func participant(_ participant: Participant, didUpdateIsSpeaking isSpeaking: Bool) {
        self.isSpeaking = isSpeaking
    }
}

@MainActor func follow(_ revue: Revue, _ participant: RemoteParticipant) -> (Guestbook, Tile) {
    let guestbook = Guestbook()
    revue.room.delegates.add(delegate: guestbook)
    let tile = Tile()
    participant.delegates.add(delegate: tile)
    return (guestbook, tile)
}

@MainActor func followEvents(_ revue: Revue) -> Task<Void, Never> {
    let events = revue.room.events
    return Task {
        for await event in events {
            switch event {
            case .participantConnected(let participant): print(participant.identity, "is here")
            case .messageReceived(let participant, let text): print(participant.identity, "says", text)
            case .missed(let count): print(count, "events came too fast: read the room again")
            default: break
            }
        }
    }
}
