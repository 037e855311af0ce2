// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor func describe(_ participant: RemoteParticipant) -> String {
    let name = participant.name ?? "somebody without a name"
    let sees = participant.firstCameraVideoTrack == nil ? "no picture" : "a picture"
    return "\(name) sends \(sees) since \(participant.joinedAt.map { "\($0)" } ?? "never")"
}

@MainActor func present(_ revue: Revue) {
    let local = revue.room.localParticipant
    local?.set(name: "Ada")
    local?.set(statusMessage: "at the analytical engine")
    local?.set(status: .busy)
}

@MainActor final class Manners: RoomDelegate {
    func room(_ room: Room, participant: RemoteParticipant, didReceiveMuteRequest isMuted: Bool) {
        guard isMuted, let microphone = room.localParticipant?.microphoneTrack else { return }
        Task { try await microphone.mute() }
    }
}

@MainActor func quieten(_ participant: RemoteParticipant) async throws {
    try await participant.requestMute(true)
}
