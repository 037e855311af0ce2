// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueContracts
import RevueDispatch
import RevueFFmpeg
import RevueInMemory
import RevueOpus
import RevuePorts
import RevueTestPattern
import RevueTime
import RevueVpx
import RevueYuv
import Testing

@Suite(.serialized) struct `Media contracts` {
    static let vp8 = VideoCodecContract(codec: .vp8) { VpxCodecFactory() }
    static let opus = AudioCodecContract { OpusCodecFactory() }
    static let yuv = PixelConverterContract { YuvConverter() }
    static let request = VideoCaptureRequest(width: 160, height: 120, frameRate: 25)

    @Test(arguments: vp8.promises) func `VP8 keeps the codec's promises`(promise: Promise) async throws {
        try await promise.check()
    }

    @Test(arguments: opus.promises) func `Opus keeps the codec's promises`(promise: Promise) async throws {
        try await promise.check()
    }

    @Test(arguments: yuv.promises) func `libyuv keeps the converter's promises`(promise: Promise) async throws {
        try await promise.check()
    }

    static let writer = MediaWriterContract {
        let scratch = try ScratchDirectory()
        let path = scratch.path("contract.webm")
        let encoder = try VpxCodecFactory().makeEncoder(VideoEncoderSettings())
        let video = try (0..<4).map { step in
            let picture = try TestPicture.waves(width: 64, height: 48, step: step)
            return try #require(try encoder.encode(picture.frame(step), forceKeyframe: false))
        }
        let audio = try OpusCodecFactory().makeEncoder(AudioEncoderSettings())
            .encodeAll(TestTone.sine(440, seconds: 0.1))
        return MediaWriterContract.Subject(writer: WebMWriter(path: path), video: video, audio: audio) {
            withExtendedLifetime(scratch) { FileManager.default.fileExists(atPath: path) }
        }
    }

    @Test(arguments: writer.promises) func `the WebM writer keeps its promises`(promise: Promise) async throws {
        try await promise.check()
    }

    static let pattern = CapturerContract.video(request: request) {
        let scheduler = VirtualScheduler()
        return (
            TestPatternSource(scheduler: scheduler), ContractTime(scheduler) { try await scheduler.advance(by: $0) }
        )
    }
    static let tone = CapturerContract.audio {
        let scheduler = VirtualScheduler()
        return (ToneSource(scheduler: scheduler), ContractTime(scheduler) { try await scheduler.advance(by: $0) })
    }

    @Test(arguments: pattern.promises + tone.promises)
    func `the test sources keep the capturer's promises`(promise: Promise) async throws { try await promise.check() }

    static let clipVideo = CapturerContract.video(request: request) {
        let scheduler = DispatchScheduler()
        let clip = try ClipSource(video: fixture("clip.mp4"), audio: nil) { scheduler.now }
        return (Forwarding(clip.video), ContractTime(scheduler) { pause(milliseconds: $0.milliseconds) })
    }
    static let clipAudio = CapturerContract.audio {
        let scheduler = DispatchScheduler()
        let clip = try ClipSource(video: nil, audio: fixture("speech.wav")) { scheduler.now }
        return (ForwardingSound(clip.audio), ContractTime(scheduler) { pause(milliseconds: $0.milliseconds) })
    }

    @Test(arguments: clipVideo.promises + clipAudio.promises)
    func `clips keep the capturer's promises`(promise: Promise) async throws { try await promise.check() }
}

/// A contract wants to know the source's type; a clip does not tell it.
final class Forwarding: VideoSource {
    private let source: any VideoSource
    init(_ source: any VideoSource) { self.source = source }
    func start(_ request: VideoCaptureRequest, sink: @escaping @Sendable (VideoFrame) -> Void) throws(CaptureError) {
        try source.start(request, sink: sink)
    }
    func stop() { source.stop() }
}

final class ForwardingSound: AudioSource {
    private let source: any AudioSource
    init(_ source: any AudioSource) { self.source = source }
    func start(_ request: AudioFormat, sink: @escaping @Sendable (AudioChunk) -> Void) throws(CaptureError) {
        try source.start(request, sink: sink)
    }
    func stop() { source.stop() }
}
