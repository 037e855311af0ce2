// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor func show(_ revue: Revue, _ track: LocalVideoTrack, to participant: RemoteParticipant) async {
    do {
        _ = try await revue.room.localParticipant.publish(videoTrack: track, to: participant)
    } catch RoomError.videoPublicationAlreadyExists {
        // They see us already.
    } catch RoomError.disconnected {
        // They left meanwhile.
    } catch RoomError.invalidParameter(let name, let reason) {
        print("\(name) \(reason)")
    } catch {
        print(error.localizedDescription)
    }
}
