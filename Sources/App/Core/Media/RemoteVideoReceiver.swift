// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueMedia
import RevuePorts
import RevueTime

/// One video publication of a peer, from its packets to the renderers of its track.
///
/// Packets come on the transport's thread; decoding and rendering have a lane of their own with a bounded queue before it.
/// A renderer that is too slow loses pictures up to the next keyframe and holds up nothing else.
final class RemoteVideoReceiver: Sendable {
    private struct State {
        var stream: VideoReceiveStream
        var queue: [IncomingVideoFrame] = []
        var isDecoding = false
        var timer: (any LaneTimer)?
        var timerDeadline: Instant?
        var isClosed = false
        /// Set when frames went by undecoded: what refers to them cannot be shown.
        var hasSkipped = false
        var overflowed: UInt64 = 0
    }

    private struct Decoding {
        var codec: VideoCodecKind?
        var decoder: (any VideoDecoder)?
    }

    /// Frames that may wait for the decoder: half a second at 60 frames a second.
    private static let mostQueued = 30

    let id: PublicationID
    let ssrc: UInt32
    let retransmissionSSRC: UInt32?
    let track: RemoteVideoTrack
    private let media: PeerMedia
    private let scheduler: any Scheduler
    private let lane: any Lane
    private let state: Locked<State>
    private let decoding = Locked(Decoding())

    init(_ id: PublicationID, _ stream: StreamDescription, media: PeerMedia) {
        self.id = id
        ssrc = stream.ssrc
        self.media = media
        scheduler = media.adapters.scheduler
        lane = scheduler.makeLane("decoder")
        track = RemoteVideoTrack(stream, sid: "\(stream.trackName)-\(id.rawValue)")
        let formats = VideoFormats(stream.formats)
        retransmissionSSRC = formats.formats.contains { $0.retransmission != nil } ? stream.rtxSSRC : nil
        var receiving = VideoReceiveStream(
            ssrc: stream.ssrc, formats: formats, retransmissionSSRC: retransmissionSSRC)
        if let roundTrip = media.roundTrip { receiving.measured(roundTrip: roundTrip) }
        state = Locked(State(stream: receiving))
    }

    var statistics: VideoReceiveStatistics { state.withLock { $0.stream.statistics } }

    func report(at now: Instant) -> ReportBlock { state.withLock { $0.stream.reportBlock(at: now) } }

    func receive(_ packet: UnsafeRawBufferPointer, _ header: RTPHeader) -> PacketVerdict {
        let now = scheduler.now
        return update(now) { $0.stream.receive(packet, header: header, at: now) }
    }

    func measured(roundTrip: Interval) { update(scheduler.now) { $0.stream.measured(roundTrip: roundTrip) } }

    func received(_ info: SenderInfo, at now: Instant) { state.withLock { $0.stream.received(info, at: now) } }

    func reset() {
        track.pauseFreezes()
        update(scheduler.now) { $0.stream.reset() }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.queue = []
            state.timer?.cancel()
            state.timer = nil
        }
        track.end()
    }

    /// Changes the stream, then takes out of it what that made ready.
    private func update<Result>(_ now: Instant, _ change: (inout State) -> Result) -> Result {
        var asksForKeyframe = false
        var missing: [Int64] = []
        let (result, mustDecode) = state.withLock { state in
            let result = change(&state)
            while let output = state.stream.poll(at: now) {
                switch output {
                case .frame(let frame): enqueue(frame, now, &state)
                case .requestPackets(let numbers): missing = numbers
                case .requestKeyframe: asksForKeyframe = true
                }
            }
            arm(&state)
            defer { if !state.queue.isEmpty { state.isDecoding = true } }
            return (result, !state.isDecoding && !state.queue.isEmpty)
        }
        if !missing.isEmpty { media.sendGenericNACK(for: ssrc, missing) }
        if asksForKeyframe { media.sendPictureLossIndication(for: ssrc) }
        if mustDecode { lane.async { [weak self] in self?.decodeQueue() } }
        return result
    }

    private func enqueue(_ frame: IncomingVideoFrame, _ now: Instant, _ state: inout State) {
        guard !state.isClosed else { return }
        if state.queue.count >= Self.mostQueued {
            state.overflowed &+= UInt64(state.queue.count)
            state.queue.removeAll()
            state.stream.decoderFailed(at: now)
            return
        }
        state.queue.append(frame)
    }

    private func arm(_ state: inout State) {
        guard state.stream.nextDeadline != state.timerDeadline else { return }
        state.timer?.cancel()
        state.timer = nil
        state.timerDeadline = state.stream.nextDeadline
        guard !state.isClosed, let deadline = state.timerDeadline else { return }
        state.timer = lane.schedule(at: deadline) { [weak self] in
            guard let self else { return }
            update(scheduler.now) { $0.timerDeadline = nil }
        }
    }

    private func decodeQueue() {
        while true {
            let frame = state.withLock { state in
                guard !state.queue.isEmpty else {
                    state.isDecoding = false
                    return nil as IncomingVideoFrame?
                }
                return state.queue.removeFirst()
            }
            guard let frame else { return }
            decode(frame)
        }
    }

    private func decode(_ frame: IncomingVideoFrame) {
        let encoded = EncodedVideoFrame(
            codec: frame.codec.kind, bytes: frame.bytes, isKeyframe: frame.isKeyframe, width: 0, height: 0,
            captureTime: frame.completedAt, temporalLayer: frame.temporalLayer)
        track.received(encoded, isPlaceholder: frame.isPlaceholder)
        guard mustDecode(frame) else { return }
        do throws(CodecError) {
            guard let picture = try decoder(for: frame.codec.kind).decode(encoded) else { return }
            track.show(picture, isPlaceholder: frame.isPlaceholder, at: scheduler.now)
        } catch {
            decoding.withLock { $0 = Decoding() }
            update(scheduler.now) { $0.stream.decoderFailed(at: scheduler.now) }
        }
    }

    /// False while the integrator does not want the track, and from then until the next keyframe, which is asked for.
    private func mustDecode(_ frame: IncomingVideoFrame) -> Bool {
        guard track.isHandled else {
            state.withLock { $0.hasSkipped = true }
            track.pauseFreezes()
            return false
        }
        let hasGap = state.withLock { state in
            defer { state.hasSkipped = false }
            return state.hasSkipped && !frame.isKeyframe
        }
        if hasGap { update(scheduler.now) { $0.stream.decoderFailed(at: scheduler.now) } }
        return !hasGap
    }

    private func decoder(for codec: VideoCodecKind) throws(CodecError) -> any VideoDecoder {
        if let known = decoding.withLock({ $0.codec == codec ? $0.decoder : nil }) { return known }
        let decoder = try media.adapters.makeDecoder(codec)
        decoding.withLock { $0 = Decoding(codec: codec, decoder: decoder) }
        return decoder
    }
}

extension VideoPayloadCodec {
    var kind: VideoCodecKind {
        switch self {
        case .vp8: .vp8
        case .h264: .h264
        }
    }
}

extension VideoFormats {
    /// A declaration's formats: one for retransmission belongs to the format right before it.
    fileprivate init(_ declared: [PayloadFormat]) {
        var formats: [Format] = []
        for (index, format) in declared.enumerated() {
            guard let codec = format.codec.videoPayload else { continue }
            let next = index + 1 < declared.count ? declared[index + 1] : nil
            formats.append(
                Format(
                    payloadType: format.payloadType, codec: codec,
                    retransmission: next?.codec == .rtx ? next?.payloadType : nil))
        }
        self.init(formats)
    }
}

extension MediaCodec {
    fileprivate var videoPayload: VideoPayloadCodec? {
        switch self {
        case .vp8: .vp8
        case .h264: .h264
        case .opus, .rtx: nil
        }
    }
}
