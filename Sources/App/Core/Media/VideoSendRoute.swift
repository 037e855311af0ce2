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
        var stream = VideoSendStream(
            ssrc: publication.stream.ssrc, timestampOffset: publication.timestampOffset, generator: &generator,
            retransmissionSSRC: publication.stream.retransmissionSSRC)
        if let roundTrip = media.roundTrip { stream.measured(roundTrip: roundTrip) }
        state = Locked(State(stream: stream))
    }

    var content: OutletContent {
        get { state.withLock { $0.content } }
        set {
            state.withLock { state in
                if newValue == .media, state.content != .media { state.awaitsKeyframe = true }
                // What was seen before a mute is not sent again after it.
                if newValue != state.content { state.stream.forgetSent() }
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
    func keyframeWanted() {
        let now = scheduler.now
        state.withLock { $0.stream.acceptsKeyframeRequest(at: now) ? $0.keyframeWanted : nil }?()
    }

    /// The peer lacks these packets: they go out again, as far as they are of use and their share allows.
    func packetsWanted(_ numbers: [UInt16]) {
        let now = scheduler.now
        state.withLock { state in
            for number in numbers {
                guard let resend = state.stream.resend(number, into: state.slot.bytes, at: now) else { continue }
                for _ in 0..<resend.copies { media.send(state.slot.prefix(resend.byteCount)) }
            }
        }
    }

    func measured(roundTrip: Interval) { state.withLock { $0.stream.measured(roundTrip: roundTrip) } }

    /// What became of the packets that the peer asked for.
    var resendStatistics: ResendStatistics { state.withLock { $0.stream.resendStatistics } }

    /// Sends an encoded picture, unless something else goes into this stream now.
    func send(_ frame: EncodedVideoFrame, isPlaceholder: Bool, usesLayers: Bool) {
        let now = scheduler.now
        let wall = scheduler.wallClockNanoseconds - (now - frame.captureTime).nanoseconds
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
                bytes: frame.bytes, at: now)
            while let count = state.stream.next(into: state.slot.bytes) { media.send(state.slot.prefix(count)) }
        }
    }

    /// What the stream's sender report says: an instant on the media clock and by the wall clock.
    func senderInfo(at now: Instant, ntp: UInt64) -> SenderInfo {
        state.withLock { $0.stream.senderInfo(at: now, ntp: ntp) }
    }

    func close() { media.removeSender(id) }
}

extension StreamDescription {
    /// Where packets are sent again; nil when the declaration has no format for it.
    fileprivate var retransmissionSSRC: UInt32? { formats.contains { $0.codec == .rtx } ? rtxSSRC : nil }
}

extension VideoCodecKind {
    var payload: VideoPayloadCodec {
        switch self {
        case .vp8: .vp8
        case .h264: .h264
        }
    }
}
