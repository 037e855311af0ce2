// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueMedia
import RevuePorts
import RevueTime

/// One video publication on its way to one peer: its RTP stream, and what may go into it now.
final class VideoSendRoute: Sendable {
    private struct State {
        var stream: VideoSendStream
        var content: OutletContent = .nothing
        /// Set while only a keyframe may go out: at the start, after a mute, when the peer asked for one.
        var awaitsKeyframe = true
        var keyframeWanted: (@Sendable () -> Void)?
        var size: (width: Int, height: Int)?
        var codec = VideoCodecKind.vp8
        let slot = PacketSlot()
    }

    let id: PublicationID
    let peer: PeerID
    let ssrc: UInt32
    private let media: PeerMedia
    private let scheduler: any Scheduler
    private let state: Locked<State>

    init(_ publication: LocalPublication, _ media: PeerMedia, adapters: Adapters) {
        id = publication.id
        peer = publication.peer
        ssrc = publication.stream.ssrc
        self.media = media
        scheduler = adapters.scheduler
        var generator = SeededGenerator(seed: adapters.scheduler.randomSeed())
        state = Locked(
            State(
                stream: VideoSendStream(
                    ssrc: publication.stream.ssrc, timestampOffset: publication.timestampOffset,
                    generator: &generator)))
    }

    var content: OutletContent {
        get { state.withLock { $0.content } }
        set {
            state.withLock { state in
                if newValue == .media, state.content != .media { state.awaitsKeyframe = true }
                state.content = newValue
            }
        }
    }

    var awaitsKeyframe: Bool {
        get { state.withLock { $0.awaitsKeyframe } }
        set { state.withLock { $0.awaitsKeyframe = newValue } }
    }

    /// The size of the pictures that go out now.
    var size: (width: Int, height: Int)? { state.withLock { $0.size } }

    var mimeType: String { state.withLock { $0.codec.mimeType } }
    /// Pictures sent, placeholders included.
    var framesSent: UInt64 { state.withLock { $0.stream.framesSent } }

    /// Called when the peer asks for a keyframe.
    func onKeyframeWanted(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.keyframeWanted = action } }
    func keyframeWanted() { state.withLock({ $0.keyframeWanted })?() }

    /// Sends an encoded picture, unless something else goes into this stream now.
    func send(_ frame: EncodedVideoFrame, isPlaceholder: Bool, usesLayers: Bool) {
        let wall = scheduler.wallClockNanoseconds - (scheduler.now - frame.captureTime).nanoseconds
        state.withLock { state in
            guard state.content == (isPlaceholder ? .placeholder : .media) else { return }
            guard frame.isKeyframe || !state.awaitsKeyframe else { return }
            if !isPlaceholder { state.awaitsKeyframe = false }
            state.size = (frame.width, frame.height)
            state.codec = frame.codec
            state.stream.begin(
                OutgoingVideoFrame(
                    codec: frame.codec.payload, isKeyframe: frame.isKeyframe, temporalLayer: frame.temporalLayer,
                    isLayerSync: frame.isLayerSync, usesLayers: usesLayers, captureTime: frame.captureTime,
                    captureNTP: NTPTime.at(unixNanoseconds: wall), isPlaceholder: isPlaceholder),
                byteCount: frame.bytes.count)
            frame.bytes.withUnsafeBytes { payload in
                while let count = state.stream.next(of: payload, into: state.slot.bytes) {
                    media.send(state.slot.prefix(count))
                }
            }
        }
    }

    func close() { media.remove(self) }
}

extension VideoCodecKind {
    var payload: VideoPayloadCodec {
        switch self {
        case .vp8: .vp8
        case .h264: .h264
        }
    }
}
