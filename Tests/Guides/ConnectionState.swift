// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor final class Signal: RevueDelegate, RoomDelegate {
    func revue(_ revue: Revue, didUpdateConnectionState status: SelfConnectionStatus) {
        print(status == .offline ? "Others cannot find us" : "Others can find us")
    }

    func room(_ room: Room, participant: RemoteParticipant, didUpdatePaths paths: FriendConnectionPaths) {
        if paths.isEmpty {
            print("Waiting for \(participant.identity); the call goes on")
        } else {
            print(paths.contains(.udpDirect) ? "Direct" : "Through a relay")
        }
    }

    func room(_ room: Room, participant: Participant, didUpdateConnectionQuality quality: ConnectionQuality) {
        if quality != .unknown, quality.rawValue <= ConnectionQuality.poor.rawValue {
            print("The line to \(participant.identity) is bad")
        }
    }
}
