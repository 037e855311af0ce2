// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDispatch
import RevueFFmpeg
import RevuePorts
import RevueTestPattern
import RevueTime
import Testing

@Suite(.serialized) struct `Clip source` {
    private let scratch: ScratchDirectory
    private let scheduler = DispatchScheduler()
    private let small = VideoCaptureRequest(width: 320, height: 180, frameRate: 30)

    init() throws { scratch = try ScratchDirectory() }

    private func now() -> @Sendable () -> Instant {
        let scheduler = scheduler
        return { scheduler.now }
    }

    @Test func `pictures and sound come in real time, at the file's own times`() throws {
        let clip = try ClipSource(fixture("clip.mp4"), now: now())
        let got = Locked<(frames: [(VideoFrame, Instant)], chunks: [(AudioChunk, Instant)])>(([], []))
        let scheduler = scheduler
        let begin = scheduler.now
        try clip.video.start(small) { frame in got.withLock { $0.frames.append((frame, scheduler.now)) } }
        try clip.audio.start(.engine(channels: 2)) { chunk in got.withLock { $0.chunks.append((chunk, scheduler.now)) }
        }
        pause(milliseconds: 1_600)
        clip.video.stop()
        clip.audio.stop()
        let elapsed = (scheduler.now - begin).seconds
        let (frames, chunks) = got.withLock { $0 }
        // Never more than the time allows; on a busy machine fewer, for what is late is left out.
        #expect((5...(elapsed * 25 + 2)).contains(Double(frames.count)))
        #expect((10...(elapsed * 50 + 2)).contains(Double(chunks.count)))
        let origin = try #require(frames.first?.0.captureTime)
        for (frame, arrival) in frames {
            #expect((frame.buffer.width, frame.buffer.height) == (320, 180))
            #expect(arrival >= frame.captureTime)
            let offset = (frame.captureTime - origin).milliseconds
            if offset < 5_000 { #expect(abs(offset.remainder(dividingBy: 40)) < 1) }
        }
        for (one, next) in zip(chunks, chunks.dropFirst()) {
            let distance = (next.0.captureTime - one.0.captureTime).milliseconds
            #expect(distance > 19 && abs(distance.remainder(dividingBy: 20)) < 0.001)
        }
        for (chunk, arrival) in chunks {
            #expect(chunk.buffer.frameLength == 960)
            #expect(arrival >= chunk.captureTime + .milliseconds(19))
        }
    }

    @Test func `fewer pictures a second are given when fewer are asked for`() throws {
        let clip = try ClipSource(video: fixture("clip.mp4"), audio: nil, now: now())
        let frames = Locked<[VideoFrame]>([])
        try clip.video.start(VideoCaptureRequest(width: 64, height: 36, frameRate: 10)) { frame in
            frames.withLock { $0.append(frame) }
        }
        pause(milliseconds: 1_300)
        clip.video.stop()
        let got = frames.withLock { $0 }
        let first = try #require(got.first), last = try #require(got.last)
        let span = (last.captureTime - first.captureTime).seconds
        #expect(span > 0.6)
        #expect(abs(Double(got.count - 1) / span - 10) < 1)
    }

    @Test func `it loops without a gap, and both tracks stay in step`() throws {
        let path = scratch.path("short.webm")
        try StampedClip.write(to: path, seconds: 0.6, markAt: 0.2)
        let clip = try ClipSource(path, now: now())
        let got = Locked<(frames: [VideoFrame], chunks: [AudioChunk])>(([], []))
        try clip.video.start(VideoCaptureRequest(width: 320, height: 240, frameRate: 60)) { frame in
            got.withLock { $0.frames.append(frame) }
        }
        try clip.audio.start(.engine(channels: 1)) { chunk in got.withLock { $0.chunks.append(chunk) } }
        pause(milliseconds: 2_200)
        clip.video.stop()
        clip.audio.stop()
        let (frames, chunks) = got.withLock { $0 }
        let begins = frames.filter { FrameStamp.read(from: $0.buffer)?.number == 0 }.map(\.captureTime)
        try #require(begins.count >= 3)
        for (one, next) in zip(begins, begins.dropFirst()) {
            // The header's length: the last picture or the last sound, rounded to a millisecond.
            #expect((580...640).contains((next - one).milliseconds))
        }
        for (one, next) in zip(frames, frames.dropFirst()) {
            #expect((next.captureTime - one.captureTime).milliseconds > 19)
        }
        let sound = chunks.flatMap(\.buffer.interleaved)
        let marks = SoundMark().find(in: sound)
        try #require(marks.count >= 3)
        let soundBegin = try #require(chunks.first?.captureTime)
        for mark in marks {
            let time = soundBegin + .seconds(mark.position / 48_000)
            // Each mark stands 0.2 s after a picture 0.
            guard let begin = begins.last(where: { $0 < time }) else { continue }
            #expect(abs((time - begin).milliseconds - 200) < 1)
        }
    }

    @Test func `a track that starts later joins where the other is`() throws {
        let path = scratch.path("join.webm")
        try StampedClip.write(to: path, seconds: 2, markAt: 1.2)
        let clip = try ClipSource(path, now: now())
        let (first, chunks) = (Locked<VideoFrame?>(nil), Locked<[AudioChunk]>([]))
        try clip.video.start(VideoCaptureRequest(width: 320, height: 240, frameRate: 25)) { frame in
            first.withLock { $0 = $0 ?? frame }
        }
        pause(milliseconds: 700)
        try clip.audio.start(.engine(channels: 1)) { chunk in chunks.withLock { $0.append(chunk) } }
        pause(milliseconds: 900)
        clip.video.stop()
        clip.audio.stop()
        let frame = try #require(first.withLock { $0 })
        let number = try #require(FrameStamp.read(from: frame.buffer)?.number)
        let origin = frame.captureTime - .milliseconds(Int64(number) * 40)
        let got = chunks.withLock { $0 }
        let begin = try #require(got.first?.captureTime)
        // What it missed is left out, but for the second that a microphone may be late.
        #expect((begin - origin).seconds >= 0)
        let mark = try #require(SoundMark().find(in: got.flatMap(\.buffer.interleaved)).first)
        #expect(abs((begin - origin).seconds + mark.position / 48_000 - 1.2) < 0.003)
    }

    @Test func `sound may come from another file`() throws {
        let clip = try ClipSource(video: fixture("clip.mp4"), audio: fixture("speech.wav"), now: now())
        let (frames, level) = (Locked(0), Locked(0.0))
        try clip.video.start(small) { _ in frames.withLock { $0 += 1 } }
        try clip.audio.start(AudioFormat(sampleRate: 44_100, channelCount: 2, isInterleaved: false)) { chunk in
            level.withLock { $0 = max($0, TestTone.level(chunk.buffer.interleaved)) }
        }
        pause(milliseconds: 1_500)  // the voice begins after a second
        clip.video.stop()
        clip.audio.stop()
        #expect(frames.withLock { $0 } > 5)
        #expect(level.withLock { $0 } > 0.02)
    }

    @Test func `nothing comes after stop has returned, and it can start again`() throws {
        let clip = try ClipSource(fixture("clip.mp4"), now: now())
        for _ in 0..<4 {
            let (isStopped, late, count) = (Locked(false), Locked(0), Locked(0))
            let note: @Sendable () -> Void = {
                count.withLock { $0 += 1 }
                if isStopped.withLock({ $0 }) { late.withLock { $0 += 1 } }
            }
            try clip.video.start(small) { _ in note() }
            try clip.audio.start(.engine(channels: 1)) { _ in note() }
            pause(milliseconds: 150)
            clip.video.stop()
            clip.audio.stop()
            isStopped.withLock { $0 = true }
            pause(milliseconds: 60)
            #expect(late.withLock { $0 } == 0)
            clip.video.stop()
        }
    }

    @Test func `a stop from the sink is the last call of it, and a start may follow`() throws {
        let clip = try ClipSource(video: fixture("clip.mp4"), audio: nil, now: now())
        let count = Locked(0)
        let video = clip.video
        for round in 1...2 {
            try video.start(small) { _ in
                count.withLock { $0 += 1 }
                video.stop()
            }
            pause(milliseconds: 600)
            #expect(count.withLock { $0 } == round)
        }
    }

    @Test func `a clip that goes while it runs ends`() throws {
        let count = Locked(0)
        do {
            let clip = try ClipSource(fixture("clip.mp4"), now: now())
            try clip.video.start(small) { _ in count.withLock { $0 += 1 } }
            pause(milliseconds: 300)
        }
        pause(milliseconds: 100)
        let before = count.withLock { $0 }
        pause(milliseconds: 200)
        #expect(count.withLock { $0 } == before)
    }

    @Test func `what cannot be played is an error that names the file`() throws {
        let missing = scratch.path("missing.mp4")
        #expect(throws: CaptureError.notFound(name: missing)) { try ClipSource(missing, now: now()) }
        #expect(throws: CaptureError.self) { try ClipSource(video: nil, audio: nil, now: now()) }
        #expect {
            try ClipSource(video: fixture("speech.wav"), audio: nil, now: now())
        } throws: { error in
            guard case CaptureError.unreadable(let name, let reason) = error else { return false }
            return name == fixture("speech.wav") && reason.contains("video")
        }
        let damaged = scratch.path("damaged.mp4")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture("clip.mp4")))
        try bytes.prefix(2_000).write(to: URL(fileURLWithPath: damaged))
        #expect(throws: CaptureError.self) { try ClipSource(damaged, now: now()) }
    }

    @Test func `a track that the clip has no file for does not start`() throws {
        let clip = try ClipSource(video: nil, audio: fixture("speech.wav"), now: now())
        #expect(throws: CaptureError.self) { try clip.video.start(small) { _ in } }
    }

    @Test func `an impossible request is an error`() throws {
        let clip = try ClipSource(fixture("clip.mp4"), now: now())
        for request in [
            VideoCaptureRequest(width: 0, height: 10, frameRate: 10),
            VideoCaptureRequest(width: 10, height: 10, frameRate: 0),
        ] {
            #expect(throws: CaptureError.self) { try clip.video.start(request) { _ in } }
        }
        #expect(throws: CaptureError.self) { try clip.audio.start(.engine(channels: 0)) { _ in } }
    }
}
