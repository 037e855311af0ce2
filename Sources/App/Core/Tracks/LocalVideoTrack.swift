// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
public import RevuePorts
import RevueTime

/// Pictures of this device: a camera, a shared screen, or frames that the app pushes.
public class LocalVideoTrack: VideoTrack, @unchecked Sendable {
    // SAFETY: what changes is behind `state`; the rest as in `Track`.
    private struct State {
        var processor: (any VideoProcessor)?
        var mutePlaceholder: PixelBuffer?
        var fanouts: [VideoFanout] = []
    }

    private let state = Locked(State())
    let owner = TrackOwner()

    /// What fills the track: a `BufferCapturer` for frames that the app pushes.
    public let capturer: VideoCapturer?

    init(source: Source, name: String, capturer: VideoCapturer) {
        self.capturer = capturer
        super.init(source: source, name: name)
        capturer.setSink { [weak self] frame in self?.captured(frame) }
    }

    /// A track that the app fills with its own frames, through its `BufferCapturer`.
    ///
    /// - Parameters:
    ///   - name: what recipients see as the track's name; at most 128 bytes count.
    ///   - source: what recipients take it for.
    public static func createBufferTrack(name: String = "buffer", source: Track.Source = .unknown) -> LocalVideoTrack {
        LocalVideoTrack(source: source, name: name, capturer: BufferCapturer())
    }

    /// Sees each frame before it is shown and sent, on the capture thread; nil drops the frame.
    public var processor: (any VideoProcessor)? {
        get { state.withLock { $0.processor } }
        set { state.withLock { $0.processor = newValue } }
    }

    /// What recipients see while the track is muted or its camera off; nil: 16×16 black pixels.
    public var mutePlaceholder: CVPixelBuffer? {
        get { state.withLock { $0.mutePlaceholder } }
        set {
            let fanouts = state.withLock { state in
                state.mutePlaceholder = newValue
                return state.fanouts
            }
            for fanout in fanouts { fanout.placeholderChanged() }
        }
    }

    /// Sends everyone the placeholder in place of the track's frames. The hardware runs on, and what each publication's
    /// own `isMuted` says stays.
    @MainActor public func mute() async throws { setMuted(true) }

    /// Sends the track's frames again to everyone whose own publication is not muted.
    @MainActor public func unmute() async throws { setMuted(false) }

    // MARK: - Inside

    func attach(_ fanout: VideoFanout) { state.withLock { $0.fanouts.append(fanout) } }
    func detach(_ fanout: VideoFanout) { state.withLock { $0.fanouts.removeAll { $0 === fanout } } }

    /// A frame from the capturer, upright; runs on the capturer's thread.
    private func captured(_ frame: CapturedFrame) {
        let (processor, fanouts) = state.withLock { ($0.processor, $0.fanouts) }
        var picture = frame.picture
        if let processor {
            guard let processed = processor.process(pixelBuffer: picture) else { return }
            picture = processed
        }
        capturer?.measure(picture)
        measure(picture)
        // A muted track shows its owner what everyone else sees.
        if !isMuted { render(picture) }
        guard !fanouts.isEmpty, let time = frame.captureTime ?? owner.scheduler?.now else { return }
        for fanout in fanouts { fanout.push(VideoFrame(buffer: picture, captureTime: time)) }
    }
}
