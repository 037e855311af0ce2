// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// Sound of this device: a microphone, or what the app pushes.
public class LocalAudioTrack: AudioTrack, @unchecked Sendable {
    // SAFETY: what changes is behind `fanouts`; the rest as in `Track`.
    private let fanouts = Locked<[AudioFanout]>([])
    let owner = TrackOwner()

    /// What fills the track: an `AudioBufferCapturer` for sound that the app pushes.
    public let capturer: (any AudioCapturer)?

    init(source: Source, name: String, capturer: any AudioCapturer & SoundSource) {
        self.capturer = capturer
        super.init(source: source, name: name)
        capturer.setSink { [weak self] sound, time in self?.captured(sound, time) }
    }

    /// A track that the app fills with its own sound, through its `AudioBufferCapturer`.
    ///
    /// - Parameter name: what recipients see as the track's name; at most 128 bytes count.
    public static func createBufferTrack(name: String = "audio_buffer") -> LocalAudioTrack {
        LocalAudioTrack(source: .unknown, name: name, capturer: AudioBufferCapturer())
    }

    /// Sends everyone silence in place of the track's sound. The microphone runs on.
    @MainActor public func mute() async throws { setMuted(true) }

    /// Sends the track's sound again to everyone whose own publication is not muted.
    @MainActor public func unmute() async throws { setMuted(false) }

    // MARK: - Inside

    func attach(_ fanout: AudioFanout) { fanouts.withLock { $0.append(fanout) } }
    func detach(_ fanout: AudioFanout) { fanouts.withLock { $0.removeAll { $0 === fanout } } }

    /// Whether anybody takes its sound: a renderer or a recipient.
    var isHeard: Bool { hasRenderers || !fanouts.withLock { $0.isEmpty } }

    private func captured(_ sound: AudioBuffer, _ captureTime: Instant?) {
        render(sound)
        if source == .microphone, !isMuted, let driver = owner.driver {
            driver.heardLocally(level: AudioMeter.level(of: sound), lasting: sound.duration)
        }
        let fanouts = fanouts.withLock { $0 }
        guard !fanouts.isEmpty, let scheduler = owner.scheduler else { return }
        let time = captureTime ?? scheduler.now - sound.duration
        for fanout in fanouts { fanout.push(AudioChunk(buffer: sound, captureTime: time)) }
    }
}
