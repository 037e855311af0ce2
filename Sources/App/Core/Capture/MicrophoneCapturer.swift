// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// The microphone of a microphone track, switched by `LocalParticipant.setMicrophone(enabled:)`.
public class MicrophoneCapturer: AudioCapturer, SoundSource, @unchecked Sendable {
    // SAFETY: what changes is behind `state`.
    private struct State {
        var source: (any AudioSource)?
        var isWanted = false
        var captureState = CaptureState.idle
        var sink: (@Sendable (AudioBuffer, Instant?) -> Void)?
    }

    private let state = Locked(State())
    private let makeMicrophone: Adapters.MicrophoneMaker?
    private let lane: any Lane

    init(makeMicrophone: Adapters.MicrophoneMaker?, scheduler: any Scheduler) {
        self.makeMicrophone = makeMicrophone
        lane = scheduler.makeLane("microphone")
    }

    /// Whether it captures.
    public var captureState: CaptureState { state.withLock { $0.captureState } }

    /// Starts the microphone past its switch; prefer `LocalParticipant.setMicrophone(enabled:)`.
    public func startCapture() async throws { setRunning(true) { _ in } }

    /// Stops the microphone past its switch; prefer `LocalParticipant.setMicrophone(enabled:)`.
    public func stopCapture() async throws { setRunning(false) { _ in } }

    func setSink(_ sink: @escaping @Sendable (AudioBuffer, Instant?) -> Void) { state.withLock { $0.sink = sink } }

    /// Switches the microphone; the last call wins. `failed` is called when it could not be started.
    func setRunning(_ wanted: Bool, failed: @escaping @Sendable (CaptureError) -> Void) {
        state.withLock { $0.isWanted = wanted }
        lane.async { [weak self] in self?.settle(failed) }
    }

    private func settle(_ failed: @Sendable (CaptureError) -> Void) {
        let (isWanted, running) = state.withLock { ($0.isWanted, $0.source) }
        if isWanted, running == nil {
            do throws(CaptureError) {
                guard let makeMicrophone else { throw .notFound(name: "microphone") }
                let source = try makeMicrophone()
                try source.start(.engine(channels: 1)) { [weak self] chunk in self?.captured(chunk) }
                state.withLock { state in
                    state.source = source
                    state.captureState = .capturing
                }
            } catch {
                state.withLock { $0.isWanted = false }
                failed(error)
            }
        } else if !isWanted, let running {
            running.stop()
            state.withLock { state in
                state.source = nil
                state.captureState = .idle
            }
        }
    }

    private func captured(_ chunk: AudioChunk) {
        let sink = state.withLock { $0.isWanted ? $0.sink : nil }
        sink?(chunk.buffer, chunk.captureTime)
    }
}
