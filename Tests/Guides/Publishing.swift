// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor func publishAll(_ revue: Revue) async throws {
    let slides = LocalVideoTrack.createBufferTrack(name: "slides", source: .screenShareVideo)
    try await slides.capturer?.startCapture()

    for participant in revue.room.remoteParticipants.values {
        _ = try await revue.room.localParticipant.publish(
            videoTrack: slides, to: participant,
            options: VideoPublishOptions(codec: .vp8LowLatency, maxFps: 30))
    }
}

@MainActor func publishMusic(_ local: LocalParticipant, _ music: LocalAudioTrack, to friend: RemoteParticipant)
    async throws
{
    let publication = try await local.publish(
        audioTrack: music, to: friend, options: AudioPublishOptions(encoding: .presetMusic))

    local.unpublish(publication: publication)
}

func retune(_ publication: LocalTrackPublication) throws {
    try publication.setMaxFps(10)
    try publication.setVp8Encoding(.lowBandwidth)
    try publication.requestKeyframe()
}
