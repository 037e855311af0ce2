// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// Adds up what all participants say, 20 ms at a time, for as long as anybody is heard and there is somebody to hear it:
/// a loudspeaker, or a renderer or recipient of `output`.
final class PlaybackMixer: Sendable {
    private struct Source {
        var sid: String
        var samples: [Float] = []
    }

    private struct State {
        var sources: [Source] = []
        var timer: (any LaneTimer)?
        var next: Instant?
        var isMuted = false
        var idleTicks = 0
    }

    /// Frames of a source that may wait to be mixed; the oldest go first.
    private static let mostWaitingFrames = 10

    /// The mix, as a track.
    let output: LocalAudioTrack
    private let outlet = RoomOutputCapturer()
    private let sink: (any AudioSink)?
    private let scheduler: any Scheduler
    private let lane: any Lane
    private let channels: Int
    private let state = Locked(State())

    init(sink: (any AudioSink)?, scheduler: any Scheduler) {
        self.sink = sink
        self.scheduler = scheduler
        channels = min(2, max(1, sink?.format.channelCount ?? 2))
        output = LocalAudioTrack(source: .unknown, name: "room_output", capturer: outlet)
        lane = scheduler.makeLane("playback")
    }

    /// Stops playing; what is received is received, and mixed into `output`, all the same.
    var isMuted: Bool {
        get { state.withLock { $0.isMuted } }
        set { state.withLock { $0.isMuted = newValue } }
    }

    /// Whether a frame is due: nobody is heard, or nobody listens, when not.
    var isMixing: Bool { state.withLock { $0.timer != nil } }

    /// Takes sound of a participant; without anybody to hear it this does nothing.
    func play(_ sound: AudioBuffer, from sid: String) {
        guard sink != nil || output.isHeard else { return }
        let samples = AudioChannels.convert(sound, to: channels)
        let most = Self.mostWaitingFrames * AudioFrame.samples * channels
        state.withLock { state in
            if let index = state.sources.firstIndex(where: { $0.sid == sid }) {
                state.sources[index].samples += samples
                let excess = state.sources[index].samples.count - most
                if excess > 0 { state.sources[index].samples.removeFirst(excess) }
            } else {
                state.sources.append(Source(sid: sid, samples: samples))
            }
            arm(&state)
        }
    }

    func remove(_ sid: String) { state.withLock { $0.sources.removeAll { $0.sid == sid } } }

    func close() {
        state.withLock { state in
            state.sources = []
            state.timer?.cancel()
            state.timer = nil
        }
        sink?.flush()
    }

    private func arm(_ state: inout State) {
        guard state.timer == nil else { return }
        let now = scheduler.now
        let due = state.next.map { $0 < now - .milliseconds(100) ? now : $0 } ?? now
        state.next = due
        state.timer = lane.schedule(at: due) { [weak self] in self?.tick() }
    }

    private func tick() {
        let (mixed, isMuted) = state.withLock { state in
            state.timer = nil
            state.next = state.next.map { $0 + AudioFrame.duration }
            let mixed = mix(&state)
            state.idleTicks = mixed == nil ? state.idleTicks + 1 : 0
            if state.idleTicks < 50 { arm(&state) } else { (state.next, state.idleTicks) = (nil, 0) }
            return (mixed, state.isMuted)
        }
        guard let mixed else { return }
        outlet.emit(mixed)
        if !isMuted { sink?.play(mixed) }
    }

    /// One frame of all sources that have one; nil when none has. Limited after the sum, not source by source.
    private func mix(_ state: inout State) -> AudioBuffer? {
        let count = AudioFrame.samples * channels
        var sum = [Float](repeating: 0, count: count)
        var isEmpty = true
        for index in state.sources.indices where state.sources[index].samples.count >= count {
            isEmpty = false
            for position in 0..<count { sum[position] += state.sources[index].samples[position] }
            state.sources[index].samples.removeFirst(count)
        }
        guard !isEmpty,
            let buffer = AudioBuffer(format: .engine(channels: channels), frameCapacity: AudioFrame.samples)
        else { return nil }
        buffer.withSamples { samples in
            for position in 0..<count { samples[position] = min(1, max(-1, sum[position])) }
        }
        return buffer
    }
}
