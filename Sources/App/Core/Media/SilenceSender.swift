// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// Sends silence in place of a muted track, every 20 ms, encoded once for all who hear it.
final class SilenceSender: Sendable {
    private struct State {
        var routes: [AudioSendRoute] = []
        var encoder: (any AudioEncoder)?
        var next: Instant?
        var timer: (any LaneTimer)?
        var isStopped = false
    }

    private let adapters: Adapters
    private let lane: any Lane
    private let log: @Sendable (LogLine) -> Void
    private let state = Locked(State())

    init(adapters: Adapters, log: @escaping @Sendable (LogLine) -> Void) {
        self.adapters = adapters
        self.log = log
        lane = adapters.scheduler.makeLane("silence")
    }

    func setRoutes(_ routes: [AudioSendRoute]) {
        state.withLock { state in
            state.routes = routes
            if routes.isEmpty { state.isStopped = true }
        }
        arm()
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.routes = []
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func arm() {
        let now = adapters.scheduler.now
        state.withLock { state in
            guard state.timer == nil, !state.isStopped else { return }
            let due = state.next ?? now
            state.timer = lane.schedule(at: due) { [weak self] in self?.tick(due) }
        }
    }

    private func tick(_ time: Instant) {
        let routes = state.withLock { state in
            state.timer = nil
            state.next = time + AudioFrame.duration
            return state.routes
        }
        if let packet = encodedSilence() {
            for route in routes { route.send(packet, capturedAt: time, level: 127, isSilence: true) }
        }
        arm()
    }

    private func encodedSilence() -> [UInt8]? {
        do throws(CodecError) {
            let encoder: any AudioEncoder
            if let known = state.withLock({ $0.encoder }) {
                encoder = known
            } else {
                encoder = try adapters.audioCodecs.makeEncoder(AudioEncoderSettings(bitrate: 6_000))
                state.withLock { $0.encoder = encoder }
            }
            let zeros = [Float](repeating: 0, count: AudioFrame.samples)
            return try zeros.withUnsafeBufferPointer { samples in
                Result { () throws(CodecError) in try encoder.encode(samples) }
            }.get()
        } catch {
            log(LogLine(.warning, "audio", "Silence was not encoded: \(error)."))
            stop()
            return nil
        }
    }
}
