// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueInMemory
import RevuePorts
import RevueTime
import RevueVpx
import Testing

@testable import revue

@Suite struct CodecTapTests {
    /// A writer that remembers.
    private final class Notes: MediaWriter {
        struct Entry: Equatable, Sendable {
            var isKeyframe: Bool
            var width: Int
            var height: Int
        }
        let pictures = Locked<[Entry]>([])
        let packets = Locked(0)
        let isFull: Bool

        init(isFull: Bool = false) { self.isFull = isFull }

        func write(_ frame: EncodedVideoFrame, at time: Instant) throws(MediaWriterError) {
            if isFull { throw .cannotWrite(path: "x", reason: "full") }
            pictures.withLock {
                $0.append(Entry(isKeyframe: frame.isKeyframe, width: frame.width, height: frame.height))
            }
        }
        func write(opus packet: [UInt8], channels: Int, at time: Instant) throws(MediaWriterError) {
            packets.withLock { $0 += 1 }
        }
        func finish() throws(MediaWriterError) {}
    }

    /// VP8 pictures of these sizes, as a decoder gets them: without a size beside them.
    private func encoded(_ sizes: [(Int, Int)]) throws -> [EncodedVideoFrame] {
        let encoder = try VpxCodecFactory().makeEncoder(VideoEncoderSettings(keyframeInterval: 100))
        return try sizes.enumerated().map { index, size in
            let picture = try #require(PixelBuffer(width: size.0, height: size.1, format: .i420))
            picture.fill(UInt8(60 + index))
            let frame = VideoFrame(buffer: picture, captureTime: .zero + .milliseconds(40) * Int64(index))
            var result = try #require(try encoder.encode(frame, forceKeyframe: false))
            (result.width, result.height) = (0, 0)
            return result
        }
    }

    @Test func `a recording knows sizes from the pictures, and leaves placeholders out`() throws {
        let scheduler = VirtualScheduler(seed: 1)
        let notes = Notes()
        let recorder = Recorder(writer: notes, scheduler: scheduler)
        for frame in try encoded([(64, 48), (64, 48), (16, 16), (16, 16), (64, 48), (64, 48)]) {
            recorder.record(frame)
        }
        recorder.record(.packet([1, 2, 3]), channels: 2)
        recorder.record(.lost, channels: 2)
        try scheduler.runUntilIdle()
        try recorder.finish()
        #expect(notes.pictures.withLock { $0.map(\.isKeyframe) } == [true, false, true, false])
        #expect(notes.pictures.withLock { $0.allSatisfy { $0.width == 64 && $0.height == 48 } })
        #expect(notes.packets.withLock { $0 } == 1)
    }

    @Test func `a recording that begins in the middle waits for a keyframe`() throws {
        let scheduler = VirtualScheduler(seed: 1)
        let notes = Notes()
        let recorder = Recorder(writer: notes, scheduler: scheduler)
        for frame in try encoded([(64, 48), (64, 48)]).dropFirst() { recorder.record(frame) }
        try scheduler.runUntilIdle()
        try recorder.finish()
        #expect(notes.pictures.withLock { $0.isEmpty })
    }

    @Test func `a write that fails ends the recording and is told`() throws {
        let scheduler = VirtualScheduler(seed: 1)
        let recorder = Recorder(writer: Notes(isFull: true), scheduler: scheduler)
        for frame in try encoded([(64, 48)]) { recorder.record(frame) }
        try scheduler.runUntilIdle()
        #expect(throws: MediaWriterError.cannotWrite(path: "x", reason: "full")) { try recorder.finish() }
    }

    @Test func `tapped codecs give what the codecs give, and somebody looks on`() throws {
        let scheduler = VirtualScheduler(seed: 1)
        let seen = Locked((encoded: 0, received: 0))
        let taps = CodecTaps(
            encodedVideo: { _, _ in seen.withLock { $0.encoded += 1 } },
            receivedVideo: { _ in seen.withLock { $0.received += 1 } })
        let factory = TappedVideoCodecs(base: VpxCodecFactory(), taps: taps, scheduler: scheduler)
        let encoder = try factory.makeEncoder(VideoEncoderSettings())
        let decoder = try factory.makeDecoder(.vp8)
        let picture = try #require(PixelBuffer(width: 64, height: 48, format: .i420))
        picture.fill(100)
        let frame = VideoFrame(buffer: picture, captureTime: .zero)
        let shown = try decoder.decode(try #require(try encoder.encode(frame, forceKeyframe: true)))
        #expect(shown?.width == 64)
        #expect(seen.withLock { $0 } == (1, 1))
        #expect(factory.codecs == [.vp8])
    }

    @Test(
        arguments: [[], [0], [1, 0, 0, 0x9D, 1, 0x2A, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0x2A, 64, 0, 48, 0]] as [[UInt8]])
    func `what is no keyframe of VP8 has no size`(bytes: [UInt8]) {
        #expect(CodedSize(vp8: bytes) == nil)
    }

    @Test func `pictures are counted without placeholders`() throws {
        let counters = StreamCounters()
        for frame in try encoded([(64, 48), (16, 16), (16, 16), (64, 48)]) {
            counters.encoded(frame, .milliseconds(3))
            counters.received(frame)
        }
        counters.received(.packet([1, 2, 3]))
        counters.received(.lost)
        #expect(counters.sent.encoded == 2 && counters.sent.keyframes == 2)
        #expect(counters.sent.encode.median == 3)
        #expect(counters.receivedPictures == 2)
        #expect(counters.receivedBytes > 3)
    }
}
