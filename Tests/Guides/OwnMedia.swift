// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor func makeVideo() async throws -> LocalVideoTrack {
    let track = LocalVideoTrack.createBufferTrack(name: "microscope", source: .camera)
    try await track.capturer?.startCapture()
    return track
}

func push(_ track: LocalVideoTrack, _ picture: CVPixelBuffer, _ capturedAt: Int64) {
    guard let capturer = track.capturer as? BufferCapturer else { return }
    capturer.capture(picture)
    capturer.capture(picture, timeStampNs: capturedAt, rotation: ._90)
}

func makeSilence() -> AVAudioPCMBuffer? {
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1),
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 960)
    else { return nil }
    if let samples = buffer.floatChannelData?[0] {
        for index in 0..<960 { samples[index * buffer.stride] = 0 }
    }
    buffer.frameLength = 960
    return buffer
}

func push(_ track: LocalAudioTrack, _ sound: AVAudioPCMBuffer) {
    (track.capturer as? AudioBufferCapturer)?.capture(sound)
}

final class EverySecond: VideoProcessor {
    private var count = 0

    func process(pixelBuffer: CVPixelBuffer) -> CVPixelBuffer? {
        count += 1
        return count.isMultiple(of: 2) ? pixelBuffer : nil
    }
}
