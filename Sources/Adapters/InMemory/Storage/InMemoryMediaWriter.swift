// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
public import RevueTime

/// A file that is only remembered.
public final class InMemoryMediaWriter: MediaWriter {
    /// What a finished file holds; times count from the first frame of all.
    public struct Recording: Sendable {
        /// Pictures in the order of writing.
        public var video: [(frame: EncodedVideoFrame, time: Interval)] = []
        /// Opus packets in the order of writing.
        public var audio: [(packet: [UInt8], time: Interval)] = []
        /// Channels of the sound; 0 without any.
        public var channels = 0
    }
    private struct State {
        var recording = Recording()
        var start: Instant?
        var isFinished = false

        mutating func offset(of time: Instant) -> Interval {
            let first = start ?? time
            start = first
            return time - first
        }
    }
    private let state = Locked(State())

    /// A file without frames.
    public init() {}

    /// Adds a picture; the first must be a keyframe, and all have one codec.
    public func write(_ frame: EncodedVideoFrame, at time: Instant) throws(MediaWriterError) {
        try state.withLock { state throws(MediaWriterError) in
            guard !state.isFinished else { throw .finished }
            if let first = state.recording.video.first {
                guard first.frame.codec == frame.codec else { throw .unsupported(reason: "the codec changed") }
            } else if !frame.isKeyframe {
                throw .unsupported(reason: "a track begins with a keyframe")
            }
            state.recording.video.append((frame, state.offset(of: time)))
        }
    }

    /// Adds 20 ms of sound.
    public func write(opus packet: [UInt8], channels: Int, at time: Instant) throws(MediaWriterError) {
        try state.withLock { state throws(MediaWriterError) in
            guard !state.isFinished else { throw .finished }
            guard (1...2).contains(channels), state.recording.channels == 0 || state.recording.channels == channels
            else { throw .unsupported(reason: "\(channels) channels") }
            state.recording.channels = channels
            state.recording.audio.append((packet, state.offset(of: time)))
        }
    }

    /// Completes the file.
    public func finish() throws(MediaWriterError) {
        try state.withLock { state throws(MediaWriterError) in
            guard !state.isFinished else { throw .finished }
            state.isFinished = true
        }
    }

    /// The finished file; nil before, and when nothing was written.
    public var recording: Recording? {
        state.withLock { $0.isFinished && $0.start != nil ? $0.recording : nil }
    }
}
