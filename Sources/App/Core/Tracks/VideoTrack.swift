// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts

/// A stream of pictures. Renderers get each one on the thread that delivers it.
public class VideoTrack: Track, @unchecked Sendable {
    // SAFETY: the renderer list guards itself; the rest as in `Track`.
    private let renderers = RendererList<any VideoRenderer>()

    init(source: Source, name: String, sid: String? = nil) {
        super.init(kind: .video, source: source, name: name, sid: sid)
    }

    /// Gives each further picture to the renderer, which the track does not keep alive. Any thread.
    public func add(videoRenderer: any VideoRenderer) { renderers.add(videoRenderer) }

    /// Stops giving it pictures. Any thread.
    public func remove(videoRenderer: any VideoRenderer) { renderers.remove(videoRenderer) }

    func render(_ picture: PixelBuffer) {
        renderers.forEach { $0.render(pixelBuffer: picture) }
    }
}
