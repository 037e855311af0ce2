// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
public import RevueTime

/// A loudspeaker that writes down what it plays, and when.
public final class RecordingAudioSink: AudioSink {
    /// Sound that was taken, and when it is heard.
    public struct Played: Sendable {
        /// The samples.
        public var buffer: AudioBuffer
        /// When the first of them leaves the loudspeaker.
        public var time: Instant
    }
    private struct State {
        var played: [Played] = []
        /// When what waits has been played.
        var end: Instant
        var dropped = 0
    }

    /// The format that it takes.
    public let format: AudioFormat
    private let scheduler: any Scheduler
    private let capacity: Interval
    private let state: Locked<State>

    /// A silent loudspeaker.
    ///
    /// - Parameters:
    ///   - scheduler: the clock that it plays by.
    ///   - format: what it takes; a buffer in another format is dropped.
    ///   - capacity: how much may wait; what does not fit is dropped whole.
    public init(
        scheduler: any Scheduler, format: AudioFormat = .engine(channels: 1), capacity: Interval = .seconds(1)
    ) {
        self.scheduler = scheduler
        self.format = format
        self.capacity = capacity
        state = Locked(State(end: scheduler.now))
    }

    /// Puts sound behind what waits.
    public func play(_ buffer: AudioBuffer) {
        let now = scheduler.now
        state.withLock { state in
            let start = max(now, state.end)
            guard buffer.format == format, start - now + buffer.duration <= capacity else {
                state.dropped += 1
                return
            }
            state.played.append(Played(buffer: buffer, time: start))
            state.end = start + buffer.duration
        }
    }

    /// What has not left the loudspeaker yet.
    public var queued: Interval {
        let now = scheduler.now
        return state.withLock { max(.zero, $0.end - now) }
    }

    /// Forgets the buffers that have not begun to play.
    public func flush() {
        let now = scheduler.now
        state.withLock { state in
            state.played.removeAll { $0.time > now }
            state.end = now
        }
    }

    /// Everything that was played or waits.
    public var played: [Played] { state.withLock { $0.played } }
    /// Buffers that did not fit.
    public var dropped: Int { state.withLock { $0.dropped } }
    /// All samples, one buffer after the other.
    public var samples: [Float] { played.flatMap(\.buffer.interleaved) }
}
