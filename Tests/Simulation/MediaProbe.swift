// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevuePorts
import RevueTime

/// Counts and fingerprints the pictures of a track, and remembers when they came.
final class PictureProbe: VideoRenderer, Sendable {
    struct State {
        var times: [Instant] = []
        var digest = Digest()
        var lastSize: (width: Int, height: Int)?
    }

    private let scheduler: any Scheduler
    private let state = Locked(State())

    init(_ scheduler: any Scheduler) { self.scheduler = scheduler }

    var count: Int { state.withLock { $0.times.count } }
    var times: [Instant] { state.withLock { $0.times } }
    var digest: UInt64 { state.withLock { $0.digest.value } }
    var lastSize: (width: Int, height: Int)? { state.withLock { $0.lastSize } }
    func count(since instant: Instant) -> Int { state.withLock { $0.times.filter { $0 >= instant }.count } }

    func render(pixelBuffer: CVPixelBuffer) {
        state.withLock { state in
            state.times.append(scheduler.now)
            state.lastSize = (pixelBuffer.width, pixelBuffer.height)
            pixelBuffer.withPlanes { planes in
                for index in planes.indices {
                    for row in 0..<planes[index].height {
                        state.digest.add(UnsafeBufferPointer(start: planes[index].row(row), count: planes[index].width))
                    }
                }
            }
        }
    }
}

/// Counts the sound of a track and measures how loud it was.
final class SoundProbe: AudioRenderer, Sendable {
    struct State {
        var frames = 0
        var silentFrames = 0
        var digest = Digest()
    }

    private let state = Locked(State())

    var frames: Int { state.withLock { $0.frames } }
    var silentFrames: Int { state.withLock { $0.silentFrames } }
    var digest: UInt64 { state.withLock { $0.digest.value } }
    func forget() { state.withLock { $0 = State() } }

    func render(pcmBuffer: AVAudioPCMBuffer) {
        let samples = pcmBuffer.audioBuffer.interleaved
        let peak = samples.reduce(Float(0)) { max($0, abs($1)) }
        state.withLock { state in
            state.frames += 1
            if peak < 0.001 { state.silentFrames += 1 }
            for sample in samples { state.digest.add(sample.bitPattern) }
        }
    }
}

/// FNV-1a: the same bytes in the same order give the same value in every process.
struct Digest {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) { for byte in bytes { add(byte) } }
    mutating func add(_ text: String) { for byte in text.utf8 { add(byte) } }
    mutating func add(_ word: UInt32) {
        for shift in stride(from: 0, to: 32, by: 8) { add(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
    }
    private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
