// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
package import RevuePorts
import RevueTime

/// Pictures from a friend.
public class RemoteVideoTrack: VideoTrack, @unchecked Sendable {
    // SAFETY: what changes is behind `state`; the rest as in `Track`.
    private struct State {
        var isHandled = true
        var framesReceived: UInt64 = 0
        var framesRendered: UInt64 = 0
        var codec: VideoCodecKind?
        var tap: EncodedTap?
        var freezes = FreezeCounter()
        var codecChanged: (@Sendable (VideoCodecKind) -> Void)?
    }

    /// Sees encoded frames as they arrive, on the decoder's lane.
    package typealias EncodedTap = @Sendable (EncodedVideoFrame) -> Void

    private let state = Locked(State())

    init(_ stream: StreamDescription, sid: String) {
        super.init(source: Source(stream.source), name: stream.trackName, sid: sid)
    }

    /// Gives every encoded frame to `tap` before it is decoded; nil takes the tap away.
    package func setEncodedTap(_ tap: EncodedTap?) { state.withLock { $0.tap = tap } }

    /// Whether what arrives is decoded.
    var isHandled: Bool {
        get { state.withLock { $0.isHandled } }
        set { state.withLock { $0.isHandled = newValue } }
    }

    /// Frames that came, placeholders included, and pictures that were given to renderers, without them.
    package var frameCounts: (received: UInt64, rendered: UInt64) {
        state.withLock { ($0.framesReceived, $0.framesRendered) }
    }

    /// Called with each codec that differs from the one before, beginning with the first frame's.
    func onCodecChange(_ action: @escaping @Sendable (VideoCodecKind) -> Void) {
        let known = state.withLock { state in
            state.codecChanged = action
            return state.codec
        }
        if let known { action(known) }
    }

    func received(_ frame: EncodedVideoFrame, isPlaceholder: Bool) {
        let (tap, changed) = state.withLock { state in
            state.framesReceived &+= 1
            let changed = state.codec == frame.codec ? nil : state.codecChanged
            state.codec = frame.codec
            return (state.tap, changed)
        }
        changed?(frame.codec)
        tap?(frame)
        if trackState != .started { trackState = .started }
    }

    /// Shows a decoded picture. The black 16×16 placeholder is held back; another one is shown but not counted.
    func show(_ picture: PixelBuffer, isPlaceholder: Bool, at now: Instant) {
        if isPlaceholder {
            state.withLock { $0.freezes.pause() }
            if picture.width == 16, picture.height == 16 { return }
        } else {
            measure(picture)
            state.withLock { state in
                state.framesRendered &+= 1
                state.freezes.pictureShown(at: now)
            }
        }
        render(picture)
    }

    /// Gaps between pictures that were due.
    var freezes: FreezeCounter { state.withLock { $0.freezes } }
    /// No pictures are due: the track is muted or switched off, or its path is lost.
    func pauseFreezes() { state.withLock { $0.freezes.pause() } }
    /// The codec of the newest frame.
    var mimeType: String? { state.withLock { $0.codec?.mimeType } }

    func end() {
        trackState = .stopped
        state.withLock { state in
            state.tap = nil
            state.codecChanged = nil
        }
    }
}
