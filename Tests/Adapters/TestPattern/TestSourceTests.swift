// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDispatch
import RevueInMemory
import RevuePorts
import RevueTestPattern
import RevueTime
import Testing

@Suite struct `Test sources` {
    private let request = VideoCaptureRequest(width: 320, height: 240, frameRate: 30)

    @Test func `in virtual time pictures come at their rate, numbered and timed`() throws {
        let scheduler = VirtualScheduler()
        let source = TestPatternSource(scheduler: scheduler)
        let frames = Locked<[VideoFrame]>([])
        let (begin, wall) = (scheduler.now, scheduler.wallClockNanoseconds)
        try source.start(request) { frame in frames.withLock { $0.append(frame) } }
        try scheduler.advanceSynchronously(by: .seconds(2))
        source.stop()
        try scheduler.advanceSynchronously(by: .seconds(1))
        let got = frames.withLock { $0 }
        #expect((60...61).contains(got.count))
        for (index, frame) in got.enumerated() {
            let offset = Interval.seconds(Double(index) / 30)
            #expect(frame.captureTime == begin + offset)
            let stamp = try #require(FrameStamp.read(from: frame.buffer))
            #expect(stamp.number == UInt32(index))
            #expect(abs(stamp.captureTime - (wall + offset.nanoseconds) / 1_000) <= 1)
        }
    }

    @Test func `the pattern moves`() throws {
        let scheduler = VirtualScheduler()
        let source = TestPatternSource(scheduler: scheduler)
        let frames = Locked<[VideoFrame]>([])
        try source.start(request) { frame in frames.withLock { $0.append(frame) } }
        try scheduler.advanceSynchronously(by: .milliseconds(200))
        source.stop()
        let got = frames.withLock { $0 }
        for (one, next) in zip(got, got.dropFirst()) { #expect(TestPicture.psnr(one.buffer, next.buffer) < 40) }
    }

    @Test func `a source can be started again, and its numbers go on`() throws {
        let scheduler = VirtualScheduler()
        let source = TestPatternSource(scheduler: scheduler)
        let numbers = Locked<[UInt32]>([])
        for _ in 0..<3 {
            try source.start(request) { frame in
                numbers.withLock { $0.append(FrameStamp.read(from: frame.buffer)?.number ?? .max) }
            }
            try scheduler.advanceSynchronously(by: .milliseconds(100))
            source.stop()
            source.stop()
        }
        let got = numbers.withLock { $0 }
        #expect(got.count >= 9)
        #expect(got == got.indices.map { UInt32($0) })
    }

    @Test func `a start while running does nothing`() throws {
        let scheduler = VirtualScheduler()
        let source = TestPatternSource(scheduler: scheduler)
        let counts = Locked<(Int, Int)>((0, 0))
        try source.start(request) { _ in counts.withLock { $0.0 += 1 } }
        try source.start(request) { _ in counts.withLock { $0.1 += 1 } }
        try scheduler.advanceSynchronously(by: .seconds(1))
        source.stop()
        let (first, second) = counts.withLock { $0 }
        #expect(first >= 30 && second == 0)
    }

    @Test func `a stop from the sink is the last call of it`() throws {
        let scheduler = VirtualScheduler()
        let source = TestPatternSource(scheduler: scheduler)
        let count = Locked(0)
        try source.start(request) { _ in
            count.withLock { $0 += 1 }
            source.stop()
        }
        try scheduler.advanceSynchronously(by: .seconds(1))
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `in real time no picture comes after stop has returned`() throws {
        let source = TestPatternSource(scheduler: DispatchScheduler())
        for _ in 0..<10 {
            let (count, isStopped, late) = (Locked(0), Locked(false), Locked(0))
            try source.start(VideoCaptureRequest(width: 112, height: 80, frameRate: 1_000)) { _ in
                count.withLock { $0 += 1 }
                if isStopped.withLock({ $0 }) { late.withLock { $0 += 1 } }
            }
            while count.withLock({ $0 }) < 3 { pause(milliseconds: 1) }
            source.stop()
            isStopped.withLock { $0 = true }
            pause(milliseconds: 5)
            #expect(late.withLock { $0 } == 0)
        }
    }

    @Test(arguments: [
        AudioFormat(sampleRate: 48_000, channelCount: 1), AudioFormat(sampleRate: 48_000, channelCount: 2),
        AudioFormat(sampleRate: 44_100, channelCount: 2, isInterleaved: false),
        AudioFormat(sampleRate: 16_000, channelCount: 1),
    ])
    func `the tone has no gap, and a mark at each second`(format: AudioFormat) throws {
        let scheduler = VirtualScheduler()
        let source = ToneSource(scheduler: scheduler)
        let chunks = Locked<[AudioChunk]>([])
        let begin = scheduler.now
        try source.start(format) { chunk in chunks.withLock { $0.append(chunk) } }
        try scheduler.advanceSynchronously(by: .seconds(3))
        source.stop()
        let got = chunks.withLock { $0 }
        #expect((149...150).contains(got.count))
        var left: [Float] = []
        for (index, chunk) in got.enumerated() {
            #expect(chunk.buffer.format == format)
            #expect(abs((chunk.captureTime - begin).seconds - Double(index) * 0.02) < 1e-6)
            let channels = format.channelCount
            let samples = chunk.buffer.interleaved
            left += stride(from: 0, to: samples.count, by: channels).map { samples[$0] }
        }
        let rate = Int(format.sampleRate)
        let found = SoundMark(sampleRate: rate).find(in: left)
        #expect(found.map { Int(($0.position / Double(rate)).rounded()) } == [0, 1, 2])
        for finding in found {
            #expect(abs(finding.position.remainder(dividingBy: Double(rate))) < Double(rate) / 4_000)
        }
        // Between marks nothing but the tone: no step is larger than the tone's own.
        let quiet = left[(rate / 10)..<(rate - 1)]
        let steepest = zip(quiet, quiet.dropFirst()).map { abs($0 - $1) }.max() ?? 0
        #expect(Double(steepest) < 0.2 * 2 * .pi * 1_000 / Double(rate) * 1.02)
    }

    @Test(arguments: [(0, 100, 30), (100, 16_385, 30), (100, 100, 0), (100, 100, 1_001)])
    func `an impossible request is an error`(width: Int, height: Int, rate: Int) {
        let source = TestPatternSource(scheduler: VirtualScheduler())
        #expect(throws: CaptureError.self) {
            try source.start(VideoCaptureRequest(width: width, height: height, frameRate: rate)) { _ in }
        }
    }

    @Test func `an impossible format is an error`() {
        let source = ToneSource(scheduler: VirtualScheduler())
        for format in [
            AudioFormat(sampleRate: 8_000, channelCount: 1), AudioFormat(sampleRate: 48_000, channelCount: 0),
        ] {
            #expect(throws: CaptureError.self) { try source.start(format) { _ in } }
        }
    }
}
