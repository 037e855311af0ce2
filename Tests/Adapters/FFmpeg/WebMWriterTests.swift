// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueFFmpeg
import RevueOpus
import RevuePorts
import RevueTestPattern
import RevueTime
import RevueVpx
import Testing

@Suite struct `WebM writer` {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    @Test func `VP8 and Opus come out as they went in, with the right length`() throws {
        let path = scratch.path("both.webm")
        try StampedClip.write(to: path, seconds: 2, markAt: 1)
        let probe = try MediaProbe(path)
        #expect(probe.format.format_name.contains("webm"))
        #expect(probe.streams.count == 2)
        let video = try #require(probe.stream("video"))
        #expect((video.codec_name, video.width, video.height) == ("vp8", 320, 240))
        let audio = try #require(probe.stream("audio"))
        #expect((audio.codec_name, audio.sample_rate, audio.channels) == ("opus", "48000", 1))
        #expect(audio.extradata_size == 19)
        #expect(abs(probe.duration - 2) < 0.05)
        #expect(probe.packets.filter { $0.codec_type == "video" }.count == 50)
        #expect(probe.packets.filter { $0.codec_type == "audio" }.count == 100)
        let decoded = try MediaProbe.decode(path)
        #expect(decoded.frames == 50 && decoded.complaints == "")
        // The reader takes OpusHead's pre-skip into account, so the mark stands where it was put.
        let samples = try ClipReader.samples(of: path, format: .engine(channels: 1))
        let found = SoundMark().find(in: samples)
        #expect(found.count == 1)
        #expect(abs((found.first?.position ?? 0) - 48_000) < 24)
        let frames = try ClipReader.frames(of: path, width: 320, height: 240)
        #expect(frames.map { FrameStamp.read(from: $0.buffer)?.number } == (0..<50).map { UInt32($0) })
        #expect(frames.enumerated().allSatisfy { abs($1.position.milliseconds - Double($0) * 40) < 2 })
    }

    @Test func `times count from the earliest frame, and gaps stay gaps`() throws {
        let path = scratch.path("times.webm")
        let writer = WebMWriter(path: path)
        let begin = Instant(nanoseconds: 987_654_321_000_000)
        let packet = try opusPackets(1)[0]
        for milliseconds in [30, 50, 1_000] as [Int64] {
            try writer.write(opus: packet, channels: 1, at: begin + .milliseconds(milliseconds))
        }
        for (index, milliseconds) in ([0, 40, 500] as [Int64]).enumerated() {
            try writer.write(try frames(3)[index], at: begin + .milliseconds(milliseconds))
        }
        try writer.finish()
        let probe = try MediaProbe(path)
        func times(_ kind: String) -> [Int] {
            probe.packets.filter { $0.codec_type == kind }.map { Int(($0.seconds * 1_000).rounded()) }
        }
        #expect(times("video") == [0, 40, 500])
        // ffprobe shows the time of what is heard, before the pre-skip of 6.5 ms is cut off, to the millisecond.
        for (time, wanted) in zip(times("audio"), [30, 50, 1_000]) { #expect(abs(time - wanted) <= 8) }
    }

    @Test(arguments: [true, false]) func `one track alone makes a whole file`(isVideo: Bool) throws {
        let path = scratch.path("one-\(isVideo).webm")
        let writer = WebMWriter(path: path)
        if isVideo {
            for (index, frame) in try frames(30).enumerated() {
                try writer.write(frame, at: .zero + .seconds(Double(index) / 30))
            }
        } else {
            for (index, packet) in try opusPackets(50).enumerated() {
                try writer.write(opus: packet, channels: 1, at: .zero + .milliseconds(Int64(index) * 20))
            }
        }
        try writer.finish()
        let probe = try MediaProbe(path)
        #expect(probe.streams.map(\.codec_type) == [isVideo ? "video" : "audio"])
        #expect((0.9...1.05).contains(probe.duration))
        #expect(try MediaProbe.decode(path).complaints == "")
    }

    @Test func `one track alone is written on after ten seconds, and the other is refused then`() throws {
        let path = scratch.path("late.webm")
        let writer = WebMWriter(path: path)
        let packet = try opusPackets(1)[0]
        for index in 0..<600 {
            try writer.write(opus: packet, channels: 1, at: .zero + .milliseconds(Int64(index) * 20))
        }
        let frame = try frames(1)[0]
        #expect {
            try writer.write(frame, at: .zero + .seconds(12))
        } throws: { error in
            guard case MediaWriterError.unsupported = error else { return false }
            return true
        }
        try writer.finish()
        #expect(abs(try MediaProbe(path).duration - 12) < 0.05)
    }

    @Test func `a size that changes in mid-stream decodes`() throws {
        let path = scratch.path("sizes.webm")
        let writer = WebMWriter(path: path)
        let encoder = try VpxCodecFactory().makeEncoder(VideoEncoderSettings(keyframeInterval: 30))
        for step in 0..<20 {
            let picture = try TestPicture.waves(width: step < 10 ? 320 : 161, height: step < 10 ? 240 : 99, step: step)
            let coded = try #require(try encoder.encode(picture.frame(step), forceKeyframe: false))
            try writer.write(coded, at: .zero + .milliseconds(Int64(step) * 33))
        }
        try writer.finish()
        let decoded = try MediaProbe.decode(path)
        #expect(decoded.frames == 20 && decoded.complaints == "")
        #expect(try ClipReader.frames(of: path, width: 320, height: 240).count == 20)
    }

    @Test func `times that repeat or go back are moved on`() throws {
        let path = scratch.path("back.webm")
        let writer = WebMWriter(path: path)
        for (frame, milliseconds) in zip(try frames(6), [100, 100, 50, 200, 199, 300] as [Int64]) {
            try writer.write(frame, at: .zero + .milliseconds(milliseconds))
        }
        try writer.finish()
        let times = try MediaProbe(path).packets.map(\.seconds)
        #expect(times.count == 6)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `without a frame there is no file`() throws {
        let path = scratch.path("none.webm")
        let writer = WebMWriter(path: path)
        try writer.finish()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a writer that goes without finish leaves a whole file`() throws {
        let path = scratch.path("left.webm")
        do {
            let writer = WebMWriter(path: path)
            for (index, frame) in try frames(10).enumerated() {
                try writer.write(frame, at: .zero + .milliseconds(Int64(index) * 100))
            }
        }
        #expect(abs(try MediaProbe(path).duration - 0.9) < 0.2)
    }

    @Test func `after finish everything is refused`() throws {
        let writer = WebMWriter(path: scratch.path("done.webm"))
        let (frame, packet) = (try frames(1)[0], try opusPackets(1)[0])
        try writer.write(frame, at: .zero)
        try writer.finish()
        #expect(throws: MediaWriterError.finished) { try writer.finish() }
        #expect(throws: MediaWriterError.finished) { try writer.write(frame, at: .zero) }
        #expect(throws: MediaWriterError.finished) { try writer.write(opus: packet, channels: 1, at: .zero) }
    }

    @Test func `what WebM does not take is refused`() throws {
        let writer = WebMWriter(path: scratch.path("refused.webm"))
        let coded = try frames(2)
        var h264 = coded[0]
        h264.codec = .h264
        var empty = coded[0]
        empty.bytes = []
        for frame in [h264, empty, coded[1]] {
            #expect(throws: MediaWriterError.self) { try writer.write(frame, at: .zero) }
        }
        #expect(throws: MediaWriterError.self) { try writer.write(opus: [], channels: 1, at: .zero) }
        let packet = try opusPackets(1)[0]
        #expect(throws: MediaWriterError.self) { try writer.write(opus: packet, channels: 3, at: .zero) }
        try writer.write(opus: packet, channels: 1, at: .zero)
        #expect(throws: MediaWriterError.self) { try writer.write(opus: packet, channels: 2, at: .zero) }
        #expect(throws: MediaWriterError.self) { try writer.write(coded[1], at: .zero) }
    }

    @Test func `a place that cannot be written is an error with its path`() throws {
        let path = scratch.path("missing/file.webm")
        let writer = WebMWriter(path: path)
        let frame = try frames(1)[0]
        #expect {
            try writer.write(frame, at: .zero)
        } throws: { error in
            guard case MediaWriterError.cannotWrite(let named, _) = error else { return false }
            return named == path
        }
    }

    private func frames(_ count: Int) throws -> [EncodedVideoFrame] {
        let encoder = try VpxCodecFactory().makeEncoder(VideoEncoderSettings(frameRate: 30, keyframeInterval: 100))
        return try (0..<count).map { step in
            let picture = try TestPicture.waves(width: 64, height: 48, step: step)
            return try #require(try encoder.encode(picture.frame(step), forceKeyframe: false))
        }
    }

    private func opusPackets(_ count: Int) throws -> [[UInt8]] {
        try OpusCodecFactory().makeEncoder(AudioEncoderSettings())
            .encodeAll(TestTone.sine(440, seconds: Double(count) / 50))
    }
}
