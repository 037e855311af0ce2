// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime
import Testing

@Suite struct AudioBufferTests {
    @Test(arguments: [true, false])
    func `channels are found wherever they lie, and read interleaved`(isInterleaved: Bool) throws {
        let format = AudioFormat(sampleRate: 48_000, channelCount: 2, isInterleaved: isInterleaved)
        let buffer = try #require(AudioBuffer(format: format, frameCapacity: 4))
        for channel in 0..<2 {
            buffer.withChannel(channel) { start, step in
                for frame in 0..<4 { start[frame * step] = Float(10 * channel + frame) }
            }
        }
        #expect(buffer.interleaved == [0, 10, 1, 11, 2, 12, 3, 13])
        buffer.frameLength = 2
        #expect(buffer.interleaved == [0, 10, 1, 11])
        #expect(buffer.withSamples { $0.count } == 8)
    }

    @Test func `a new buffer is silent and full`() throws {
        let buffer = try #require(AudioBuffer(format: .engine(channels: 1), frameCapacity: 960))
        #expect(buffer.frameLength == 960 && buffer.interleaved.allSatisfy { $0 == 0 })
        #expect(buffer.duration == .milliseconds(20))
    }

    @Test(arguments: [(-5, 0), (3, 3), (11, 10)])
    func `the length stays within the capacity`(asked: Int, wanted: Int) throws {
        let buffer = try #require(AudioBuffer(format: .engine(channels: 1), frameCapacity: 10))
        buffer.frameLength = asked
        #expect(buffer.frameLength == wanted)
    }

    @Test(arguments: [(0, 48_000.0, 1), (9, 48_000, 1), (1, 0, 1), (1, 400_000, 1), (1, .nan, 1), (1, 48_000, -1)])
    func `a shape that no sound has gives no buffer`(channels: Int, rate: Double, frames: Int) {
        #expect(
            AudioBuffer(format: AudioFormat(sampleRate: rate, channelCount: channels), frameCapacity: frames) == nil)
    }

    @Test func `a buffer of no frames is allowed`() throws {
        let buffer = try #require(AudioBuffer(format: .engine(channels: 2), frameCapacity: 0))
        #expect(buffer.interleaved.isEmpty && buffer.duration == .zero)
    }
}

@Suite struct LockedTests {
    @Test func `changes by many tasks are all kept`() async {
        let count = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1_000 { count.withLock { $0 += 1 } } }
            }
        }
        #expect(count.withLock { $0 } == 8_000)
    }

    @Test func `an error leaves the lock free and the change in place`() {
        struct Planted: Error, Equatable {}
        let value = Locked(1)
        #expect(throws: Planted()) {
            try value.withLock { value throws(Planted) in
                value = 2
                throw Planted()
            }
        }
        #expect(value.withLock { $0 } == 2)
    }
}

@Suite struct LicenseDateTests {
    private let license = License(holder: "h", notBefore: 100, notAfter: 200)

    @Test(arguments: [(100, 0), (150, 0), (199, 199), (0, 150)] as [(Int64, Int64)])
    func `within its dates a licence counts`(now: Int64, highWater: Int64) throws {
        try license.check(now: now, highWater: highWater)
    }

    @Test(arguments: [(99, 0), (200, 0), (150, 200), (0, .max), (.max, 0)] as [(Int64, Int64)])
    func `outside of them, or once they were seen to be over, it does not`(now: Int64, highWater: Int64) {
        #expect(throws: LicenseError.expired) { try license.check(now: now, highWater: highWater) }
    }
}
