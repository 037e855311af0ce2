// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
package import RevueTime

/// Sound from a friend.
public class RemoteAudioTrack: AudioTrack, @unchecked Sendable {
    // SAFETY: what changes is behind `state`; the rest as in `Track`.
    private struct State {
        var isHandled = true
        var volume = 1.0
        var tap: EncodedTap?
        var framesReceived: UInt64 = 0
        var lastLevel: Float = 0
    }

    /// Sees encoded packets as they are played, on the decoder's lane.
    package typealias EncodedTap = @Sendable ([UInt8], Instant) -> Void

    private let state = Locked(State())

    init(_ stream: StreamDescription, sid: String) {
        super.init(source: Source(stream.source), name: stream.trackName, sid: sid)
    }

    /// How loud it is heard: 0 (silent) to 10, 1 leaves it as it is; what lies outside is clamped, NaN changes nothing.
    ///
    /// Applied once, before renderers, recordings and the loudspeaker. Any thread; at once.
    public var volume: Double {
        get { state.withLock { $0.volume } }
        set {
            guard !newValue.isNaN else { return }
            state.withLock { $0.volume = min(10, max(0, newValue)) }
        }
    }

    /// Gives every packet to `tap` when it is played; nil takes the tap away.
    package func setEncodedTap(_ tap: EncodedTap?) { state.withLock { $0.tap = tap } }

    /// Whether what arrives is decoded.
    var isHandled: Bool {
        get { state.withLock { $0.isHandled } }
        set { state.withLock { $0.isHandled = newValue } }
    }

    func received(_ packet: [UInt8], at time: Instant) {
        let tap = state.withLock { state in
            state.framesReceived &+= 1
            return state.tap
        }
        tap?(packet, time)
        if trackState != .started { trackState = .started }
    }

    /// Changes the samples of a buffer that nobody else has seen yet.
    func apply(gainTo sound: AudioBuffer) {
        let gain = Float(volume)
        guard gain != 1 else { return }
        sound.withSamples { samples in for index in samples.indices { samples[index] *= gain } }
    }

    func play(_ sound: AudioBuffer) {
        let level = AudioMeter.rootMeanSquare(of: sound)
        state.withLock { $0.lastLevel = level }
        render(sound)
    }

    /// Packets that were played.
    var framesReceived: UInt64 { state.withLock { $0.framesReceived } }
    /// The root mean square of the newest frame.
    var lastLevel: Float { state.withLock { $0.lastLevel } }

    func end() {
        trackState = .stopped
        state.withLock { $0.tap = nil }
    }
}
