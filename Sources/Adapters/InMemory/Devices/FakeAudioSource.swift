// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
public import RevuePorts
import RevueTime

/// A tone by the scheduler's clock, in chunks of 20 ms.
public final class FakeAudioSource: AudioSource {
    private struct Running: Sendable {
        var format: AudioFormat
        var sink: @Sendable (AudioChunk) -> Void
        var start: Instant
        var chunks: Int64 = 0
    }
    private let scheduler: any Scheduler
    private let lane: any Lane
    private let frequency: Double
    private let amplitude: Double
    private let running = Locked<(run: UInt64, state: Running?)>((0, nil))

    /// A source that has not started.
    ///
    /// - Parameters:
    ///   - scheduler: the clock that it runs by.
    ///   - frequency: in Hz.
    ///   - amplitude: 0…1.
    public init(scheduler: any Scheduler, frequency: Double = 400, amplitude: Double = 0.5) {
        self.scheduler = scheduler
        self.frequency = frequency
        self.amplitude = amplitude
        lane = scheduler.makeLane("fake audio source")
    }

    /// The first chunk comes 20 ms later, when its samples are complete.
    public func start(_ format: AudioFormat, sink: @escaping @Sendable (AudioChunk) -> Void) throws(CaptureError) {
        guard AudioBuffer(format: format, frameCapacity: 1) != nil else {
            throw .unreadable(name: "fake audio source", reason: "no such format")
        }
        let start = scheduler.now
        let run = running.withLock { slot -> UInt64? in
            guard slot.state == nil else { return nil }
            slot.run += 1
            slot.state = Running(format: format, sink: sink, start: start)
            return slot.run
        }
        if let run { schedule(run, at: start + AudioFrame.duration) }
    }

    /// Ends after the chunk in delivery.
    public func stop() {
        running.withLock { $0.state = nil }
        lane.sync {}
    }

    private func schedule(_ run: UInt64, at time: Instant) {
        _ = lane.schedule(at: time) { [weak self] in self?.produce(run) }
    }

    private func produce(_ run: UInt64) {
        let current = running.withLock { slot -> Running? in
            guard slot.run == run else { return nil }
            defer { slot.state?.chunks += 1 }
            return slot.state
        }
        guard let current else { return }
        let time = current.start + AudioFrame.duration * current.chunks
        schedule(run, at: time + AudioFrame.duration * 2)
        guard let buffer = chunk(current) else { return }
        current.sink(AudioChunk(buffer: buffer, captureTime: time))
    }

    private func chunk(_ current: Running) -> AudioBuffer? {
        let rate = current.format.sampleRate
        let length = Int(rate / 50)
        guard let buffer = AudioBuffer(format: current.format, frameCapacity: length) else { return nil }
        let first = Int(current.chunks) * length
        for index in 0..<length {
            let sample = Float(amplitude * sin(2 * .pi * frequency * Double(first + index) / rate))
            for channel in 0..<current.format.channelCount {
                buffer.withChannel(channel) { start, step in start[index * step] = sample }
            }
        }
        return buffer
    }
}
