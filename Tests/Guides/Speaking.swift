// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor final class Spotlight: RoomDelegate {
    private(set) var identity: String?

    func room(_ room: Room, didUpdateSpeakingParticipants speakers: [Participant]) {
        identity = speakers.first { $0 is RemoteParticipant }?.identity
    }
}
