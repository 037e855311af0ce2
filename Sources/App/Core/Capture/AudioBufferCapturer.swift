// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// What fills a local audio track.
protocol SoundSource: AnyObject {
    func setSink(_ sink: @escaping @Sendable (AudioBuffer, Instant?) -> Void)
}

/// Takes the app's own sound into a track: 48 kHz, 1…8 channels. Idle, it drops what it is given.
public class AudioBufferCapturer: AudioCapturer, SoundSource, @unchecked Sendable {
    // SAFETY: what changes is behind `state`.
    private struct State {
        var captureState = CaptureState.idle
        var sink: (@Sendable (AudioBuffer, Instant?) -> Void)?
        var droppedForRate: UInt64 = 0
    }

    private let state = Locked(State())

    init() {}

    /// Whether it takes sound.
    public var captureState: CaptureState { state.withLock { $0.captureState } }

    /// Begins to take sound.
    public func startCapture() async throws { state.withLock { $0.captureState = .capturing } }

    /// Stops taking sound.
    public func stopCapture() async throws { state.withLock { $0.captureState = .idle } }

    /// Takes sound that ends now, to the track's renderers and to everyone it is published to. Any thread but main.
    ///
    /// Sound at another rate than 48 kHz is dropped and counted.
    public func capture(_ pcmBuffer: AVAudioPCMBuffer) {
        let sink = state.withLock { state -> (@Sendable (AudioBuffer, Instant?) -> Void)? in
            guard state.captureState == .capturing else { return nil }
            guard pcmBuffer.audioBuffer.format.sampleRate == Double(AudioFrame.sampleRate) else {
                state.droppedForRate &+= 1
                return nil
            }
            return state.sink
        }
        sink?(pcmBuffer.audioBuffer, nil)
    }

    /// Buffers that were dropped because their rate was not 48 kHz.
    var droppedForRate: UInt64 { state.withLock { $0.droppedForRate } }

    func setSink(_ sink: @escaping @Sendable (AudioBuffer, Instant?) -> Void) { state.withLock { $0.sink = sink } }
}
