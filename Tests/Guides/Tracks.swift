// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

final class Screen: VideoRenderer {
    func render(pixelBuffer: CVPixelBuffer) {
        // On a thread of the SDK's own. Hand the picture on; do not write into it.
        print(CVPixelBufferGetWidth(pixelBuffer), "by", CVPixelBufferGetHeight(pixelBuffer))
    }
}

@MainActor final class Watching: RoomDelegate {
    let screen = Screen()

    func room(_ room: Room, participant: RemoteParticipant, didSubscribeTrack publication: RemoteTrackPublication) {
        (publication.track as? RemoteVideoTrack)?.add(videoRenderer: screen)
    }
}

func turnDown(_ track: RemoteAudioTrack) {
    track.volume = 0.5
}
