// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts

/// A stream of sound. Renderers get each piece on the thread that delivers it.
public class AudioTrack: Track, @unchecked Sendable {
    // SAFETY: the renderer list guards itself; the rest as in `Track`.
    private let renderers = RendererList<any AudioRenderer>()

    init(source: Source, name: String, sid: String? = nil) {
        super.init(kind: .audio, source: source, name: name, sid: sid)
    }

    /// Gives all further sound to the renderer, which the track does not keep alive. Any thread.
    public func add(audioRenderer: any AudioRenderer) { renderers.add(audioRenderer) }

    /// Stops giving it sound. Any thread.
    public func remove(audioRenderer: any AudioRenderer) { renderers.remove(audioRenderer) }

    /// Whether any renderer is there.
    var hasRenderers: Bool { !renderers.isEmpty }

    func render(_ sound: AudioBuffer) {
        guard !renderers.isEmpty else { return }
        let buffer = AVAudioPCMBuffer(sound)
        renderers.forEach { $0.render(pcmBuffer: buffer) }
    }
}
