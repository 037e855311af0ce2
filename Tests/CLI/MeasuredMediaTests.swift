// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueCore
import RevueInMemory
import RevuePorts
import RevueTestPattern
import RevueTime
import Testing

@testable import revue

@Suite struct MeasuredMediaTests {
    private let rate = 48_000

    /// 20 ms of silence that begin at a time.
    private func silence(at time: Instant, channels: Int) throws -> AudioChunk {
        let buffer = try #require(AudioBuffer(format: .engine(channels: channels), frameCapacity: 960))
        return AudioChunk(buffer: buffer, captureTime: time)
    }

    @Test(arguments: [1, 2])
    func `a mark begins at each whole second, also across chunks`(channels: Int) throws {
        let mark = SoundMark(sampleRate: rate)
        let start = Instant.zero + .milliseconds(2_500) + .microseconds(313)
        var sound: [Float] = []
        for index in 0..<100 {
            let chunk = try silence(at: start + .milliseconds(20) * Int64(index), channels: channels)
            let marked = MarkingMicrophone.marked(chunk, with: mark)
            #expect(marked.captureTime == chunk.captureTime)
            sound += marked.buffer.withChannel(channels - 1) { start, step in (0..<960).map { start[$0 * step] } }
        }
        let found = mark.find(in: sound).map { start + .seconds($0.position / Double(rate)) }
        #expect(found.count == 2)
        for (time, second) in zip(found, [3.0, 4.0]) { #expect(abs(time.nanoseconds - Int64(second * 1e9)) < 50_000) }
    }

    @Test func `a mark's delay is measured from its second to where it is rendered`() throws {
        let scheduler = VirtualScheduler(seed: 1)
        let meter = AudioMeter(scheduler: scheduler, keepsSound: true)
        let mark = SoundMark(sampleRate: rate)
        // Rendered 65 ms after it was captured.
        let delay = Interval.milliseconds(65)
        let start = scheduler.now + delay
        for index in 0..<150 {
            let offset = Interval.milliseconds(20) * Int64(index)
            try scheduler.advanceSynchronously(by: start + offset - scheduler.now)
            let captured = scheduler.now - delay
            let sound = MarkingMicrophone.marked(try silence(at: captured, channels: 2), with: mark).buffer
            meter.render(pcmBuffer: AVAudioPCMBuffer(sound))
        }
        let marks = meter.marks
        #expect(marks.count >= 2)
        for mark in marks { #expect(abs((mark.delay - delay).milliseconds) < 0.1) }
        #expect(meter.soundSeconds > 0 && meter.soundSeconds < 0.5)
    }

    @Test func `lip sync is a mark's delay less that of the pictures of its moment`() {
        func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }
        let marks = [
            AudioMeter.Mark(captured: at(1_000), heard: at(1_060)),
            AudioMeter.Mark(captured: at(9_000), heard: at(9_050)),
        ]
        let shown = [(900, 910), (1_000, 1_020), (1_100, 1_130), (2_000, 2_500)].map { captured, shown in
            VideoMeter.Shown(number: 0, captured: at(captured), shown: at(shown))
        }
        #expect(LipSync.offsets(of: marks, against: shown) == [40])
    }

    @Test func `pictures are recognised by what is drawn into them`() throws {
        let scheduler = VirtualScheduler(seed: 1)
        let meter = VideoMeter(scheduler: scheduler, readsStamps: true, store: nil)
        func picture(_ number: UInt32, _ time: Instant) throws -> PixelBuffer {
            let buffer = try #require(PixelBuffer(width: 640, height: 360, format: .i420))
            buffer.fill(100)
            let stamp = FrameStamp(number: number, captureTime: time.nanoseconds / 1_000)
            #expect(CornerStamp.draw(stamp, into: buffer))
            return buffer
        }
        let captured = scheduler.now
        try scheduler.advanceSynchronously(by: .milliseconds(30))
        meter.render(pixelBuffer: try picture(2, captured))
        meter.render(pixelBuffer: try picture(1, captured))
        let blank = try #require(PixelBuffer(width: 640, height: 360, format: .i420))
        blank.fill(100)
        meter.render(pixelBuffer: blank)
        meter.render(pixelBuffer: try #require(PixelBuffer(width: 16, height: 16, format: .i420)))
        #expect(meter.shown.map(\.number) == [2, 1])
        #expect(meter.shown.allSatisfy { $0.latency == .milliseconds(30) })
        #expect(meter.count == 3 && meter.unreadable == 1 && meter.outOfOrder == 1)
    }

    @Test(arguments: [
        (640, 360, PixelFormat.i420), (320, 180, .nv12), (1280, 720, .i420), (854, 480, .nv12), (333, 187, .i420),
    ])
    func `a stamp leaves most of the picture as it was`(width: Int, height: Int, format: PixelFormat) throws {
        let picture = try #require(PixelBuffer(width: width, height: height, format: format))
        picture.fill(90)
        let stamp = FrameStamp(number: 77, captureTime: 123_456_789)
        #expect(CornerStamp.draw(stamp, into: picture))
        #expect(CornerStamp.read(from: picture) == stamp)
        let luma = try #require(Luma(picture)).values
        #expect(luma.count { $0 == 90 } * 100 >= luma.count * 93)
    }

    @Test func `a picture without room has no stamp`() throws {
        let picture = try #require(PixelBuffer(width: 318, height: 180, format: .i420))
        #expect(!CornerStamp.draw(FrameStamp(number: 1, captureTime: 1), into: picture))
        #expect(CornerStamp.read(from: picture) == nil)
    }

    @Test func `a rate leaves out the time in which nothing came`() {
        let times: [Int64] = [0, 100, 200, 300, 2_300, 2_400]
        let shown = times.map { time in
            VideoMeter.Shown(number: 0, captured: .zero, shown: .zero + .milliseconds(time))
        }
        #expect(abs(shown.rate - 10) < 1e-9)
        #expect([VideoMeter.Shown]().rate == 0)
    }

    @Test func `kept pictures are compared by their numbers`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let scheduler = VirtualScheduler(seed: 1)
        let (sent, received) = (folder.appendingPathComponent("sent"), folder.appendingPathComponent("received"))
        for (place, shade, numbers) in [(sent, 100, 7...28), (received, 102, 8...21)]
            as [(URL, UInt8, ClosedRange<UInt32>)]
        {
            let store = try PictureStore(folder: place, scheduler: scheduler)
            for number in numbers {
                let buffer = try #require(PixelBuffer(width: 32, height: 16, format: .i420))
                buffer.fill(shade)
                store.keep(buffer, number: number)
            }
            try scheduler.runUntilIdle()
            try store.finish()
        }
        let compared = try PictureStore.compare(received, with: sent)
        #expect(compared.map(\.number) == [14, 21])
        for (_, quality) in compared { #expect(abs(quality.psnr - 42.11) < 0.01) }
    }
}

struct SoundMarkChoiceTests {
    @Test func `of findings nearer than half a second only the clearest is a mark`() {
        func finding(_ seconds: Double, _ confidence: Double) -> SoundMark.Finding {
            SoundMark.Finding(position: seconds * 48_000, confidence: confidence)
        }
        let real = [finding(1.09, 0.9), finding(2.09, 0.8), finding(3.09, 0.95)]
        let false_ = [finding(1.85, 0.55), finding(3.11, 0.6)]
        #expect(AudioMeter.likeliest((real + false_).sorted { $0.position < $1.position }) == real)
    }
}

extension PixelBuffer {
    /// Gives every byte of every plane this value.
    func fill(_ value: UInt8) {
        withPlanes { planes in for index in planes.indices { planes[index].bytes.update(repeating: value) } }
    }
}
