// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// What fills the track of everything that is received: the mixer. Runs from the start.
final class RoomOutputCapturer: AudioCapturer, SoundSource, Sendable {
    private struct State: Sendable {
        var captureState = CaptureState.capturing
        var sink: (@Sendable (AudioBuffer, Instant?) -> Void)?
    }

    private let state = Locked(State())

    var captureState: CaptureState { state.withLock { $0.captureState } }
    func startCapture() async throws { state.withLock { $0.captureState = .capturing } }
    func stopCapture() async throws { state.withLock { $0.captureState = .idle } }

    func setSink(_ sink: @escaping @Sendable (AudioBuffer, Instant?) -> Void) { state.withLock { $0.sink = sink } }

    /// Takes a frame of the mix, which ends now.
    func emit(_ mixed: AudioBuffer) {
        state.withLock { $0.captureState == .capturing ? $0.sink : nil }?(mixed, nil)
    }
}
