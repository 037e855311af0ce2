// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Puts the packets of one video stream together again: `receive` each packet, then `poll` until it returns nil.
///
/// Tolerates loss, reordering and copies; asks for missing packets when the sender has a retransmission stream, and for a
/// keyframe when it cannot go on. Memory is bounded: see `PacketRing`, `FrameOrder`, `MissingPackets`, `ReceptionTracker`.
public struct VideoReceiveStream {
    /// What there is to do.
    public enum Output: Hashable, Sendable {
        /// The next frame to decode.
        case frame(IncomingVideoFrame)
        /// Ask the sender for these packets again (generic NACK): unwrapped numbers, ascending; at most 1,000.
        case requestPackets([Int64])
        /// Ask the sender for a keyframe (PLI).
        case requestKeyframe
    }

    /// The stream's SSRC.
    public let ssrc: UInt32
    /// The SSRC of the stream in which packets are sent again, if there is one.
    public let retransmissionSSRC: UInt32?
    private let formats: VideoFormats
    private var reception: ReceptionTracker
    private var ring = PacketRing()
    private var order = FrameOrder()
    private var requests = KeyframeRequests()
    private var pictureIDs = PictureIDUnwrapper(.long)
    private var baseIndexes = Unwrapper(bits: 8)
    private var progress = StreamProgress()
    private var missing = MissingPackets()
    private var playout = VideoPlayout()
    private var timing = RecoveryTiming()
    private var isRoundTripMeasured = false
    private var counts = VideoReceiveStatistics()

    /// A stream of which nothing was received; it starts with a keyframe.
    ///
    /// - Parameters:
    ///   - ssrc: the stream.
    ///   - formats: its payload types.
    ///   - retransmissionSSRC: where packets are sent again; nil: nowhere, and none is asked for.
    public init(ssrc: UInt32, formats: VideoFormats = .standard, retransmissionSSRC: UInt32? = nil) {
        self.ssrc = ssrc
        self.formats = formats
        self.retransmissionSSRC = retransmissionSSRC
        reception = ReceptionTracker(ssrc: ssrc, clock: .video)
        if retransmissionSSRC != nil { requests.patience = timing.patience }
    }

    /// Takes a measured round trip: how long a retransmission takes.
    public mutating func measured(roundTrip: Interval) {
        isRoundTripMeasured = true
        take(roundTrip: roundTrip)
    }

    private mutating func take(roundTrip: Interval) {
        timing = RecoveryTiming(roundTrip: roundTrip)
        if retransmissionSSRC != nil { requests.patience = timing.patience }
    }

    /// Takes one packet, of the stream itself or of its retransmissions. Any bytes are safe.
    ///
    /// - Parameters:
    ///   - packet: the whole datagram.
    ///   - header: its header, as parsed.
    ///   - now: when it came.
    public mutating func receive(
        _ packet: UnsafeRawBufferPointer, header: RTPHeader, at now: Instant
    ) -> PacketVerdict {
        guard header.ssrc == retransmissionSSRC else {
            return receive(packet, header, isRetransmission: false, at: now)
        }
        guard let payloadType = formats.original(of: header.payloadType) else {
            counts.unknownPayload &+= 1
            return .unknownPayload
        }
        guard let original = header.original(in: packet, payloadType: payloadType, ssrc: ssrc) else {
            return malformed()
        }
        return receive(packet, original, isRetransmission: true, at: now)
    }

    private mutating func receive(
        _ packet: UnsafeRawBufferPointer, _ header: RTPHeader, isRetransmission: Bool, at now: Instant
    ) -> PacketVerdict {
        guard formats.codec(of: header.payloadType) == .vp8 else {
            counts.unknownPayload &+= 1
            return .unknownPayload
        }
        guard header.ssrc == ssrc, let payload = header.payload(of: packet), payload.count <= PacketRing.slotBytes
        else { return malformed() }
        let parsed = VP8Descriptor.read(payload)
        guard parsed != nil || payload.isEmpty else { return malformed() }
        let arrival = isRetransmission ? reception.recover(header) : reception.receive(header, at: now)
        let (sequence, timestamp): (Int64, Int64)
        switch arrival {
        case .duplicate, .stale:
            if isRetransmission { counts.retransmissionsUseless &+= 1 }
            return arrival == .duplicate ? .duplicate : .stale
        case .new(let number, let time): (sequence, timestamp) = (number, time)
        case .restarted(let number, let time):
            (sequence, timestamp) = (number, time)
            counts.restarts &+= 1
            forget(through: number &- 1)
        }
        counts.payloadBytes &+= UInt64(payload.count)
        if retransmissionSSRC != nil {
            missing.received(sequence, isRetransmission: isRetransmission, at: now)
            if !isRoundTripMeasured, let roundTrip = missing.answeredAfter { take(roundTrip: roundTrip) }
        }
        guard sequence > order.floor else {
            if payload.isEmpty { counts.paddingOnly &+= 1 } else { counts.late &+= 1 }
            return .accepted
        }
        if isRetransmission {
            counts.packetsRecovered &+= 1
            playout.repaired(at: now)
        }
        let entry = entry(header, sequence, timestamp, parsed?.descriptor, payload, parsed?.length ?? 0)
        take(entry, UnsafeRawBufferPointer(rebasing: payload[(parsed?.length ?? 0)...]), at: now)
        return .accepted
    }

    private mutating func take(_ entry: PacketRing.Packet, _ share: UnsafeRawBufferPointer, at now: Instant) {
        if entry.isPadding {
            counts.paddingOnly &+= 1
            order.passed(padding: entry.sequence)
        } else {
            noteArrival(of: entry, at: now)
        }
        let completed = ring.insert(entry, payload: share)
        if let end = completed.earlier { assemble(endingWith: end, at: now) }
        if let end = completed.own { assemble(endingWith: end, at: now) }
        judge(at: now)
    }

    private mutating func malformed() -> PacketVerdict {
        counts.malformed &+= 1
        return .malformed
    }

    private func entry(
        _ header: RTPHeader, _ sequence: Int64, _ timestamp: Int64, _ descriptor: VP8Descriptor?,
        _ payload: UnsafeRawBufferPointer, _ length: Int
    ) -> PacketRing.Packet {
        // RFC 7741 §4.3: the lowest bit of a frame's first byte is 0 in a keyframe.
        let isKeyframe = descriptor?.isFrameStart == true && length < payload.count && payload[length] & 1 == 0
        return PacketRing.Packet(
            sequence: sequence, timestamp: timestamp,
            descriptor: descriptor ?? VP8Descriptor(isPartitionStart: false),
            captureNTP: header.extensions.absoluteCaptureTime, isMuted: header.extensions.isMuted ?? false,
            isEnd: header.marker && descriptor != nil, isKeyframeStart: isKeyframe, isPadding: descriptor == nil)
    }

    /// Judges by a packet, before its frame is whole, whether a keyframe will be needed.
    private mutating func noteArrival(of entry: PacketRing.Packet, at now: Instant) {
        progress.received(entry.timestamp, isEssential: entry.descriptor.layer?.temporal ?? 0 == 0)
        requests.received(timestamp: entry.timestamp, startsKeyframe: entry.isKeyframeStart, at: now)
        guard order.isClosed else { return }
        // A frame that builds on others is no use at the start; of a packet in mid-frame one cannot tell.
        let isCertain = entry.isStart && !entry.isKeyframeStart
        requests.want(from: isCertain ? now : now + KeyframeRequests.reorderingWait)
    }

    private mutating func assemble(endingWith end: Int64, at now: Instant) {
        guard let taken = ring.takeFrame(endingWith: end) else { return }
        counts.framesAssembled &+= 1
        playout.completed(timestamp: taken.start.timestamp, timing, at: now)
        let frame = IncomingVideoFrame(
            codec: .vp8, bytes: taken.bytes, isKeyframe: taken.start.isKeyframeStart,
            temporalLayer: Int(taken.start.descriptor.layer?.temporal ?? 0), timestamp: taken.start.timestamp,
            captureNTP: taken.start.captureNTP, isPlaceholder: taken.start.isMuted, completedAt: now)
        order.add(
            AssembledFrame(frame: frame, sequences: taken.sequences, dependency: dependency(of: taken.start)))
    }

    private mutating func dependency(of start: PacketRing.Packet) -> AssembledFrame.Dependency {
        let descriptor = start.descriptor
        let picture = descriptor.pictureID.map { pictureIDs.unwrap($0.value, $0.width) }
        let baseIndex = descriptor.baseIndex.map { baseIndexes.unwrap(UInt32($0)) }
        if start.isKeyframeStart { return .none(picture: picture, baseIndex: baseIndex) }
        guard let layer = descriptor.layer, let baseIndex else { return .previous(picture: picture) }
        return .layered(picture: picture, baseIndex: baseIndex, layer: layer)
    }

    /// Whether the stream can go on as it stands.
    private mutating func judge(at now: Instant) {
        guard !order.hasNext else { return }
        if order.isStuck || progress.isOvertaken {
            requests.want(from: now + requests.patience)
        } else if !order.isClosed {
            requests.satisfied()
        }
    }

    /// What is to be done now; nil when there is nothing until another packet or `nextDeadline`.
    public mutating func poll(at now: Instant) -> Output? {
        let waiting = waiting
        if now >= release(waiting), let frame = order.takeNext() {
            delivered(frame, at: now)
            return .frame(frame)
        }
        let due = missing.takeDue(at: now, timing, waiting: waiting)
        if missing.takeGivenUp(), !order.hasNext { requests.want(from: now) }
        if !due.isEmpty { return .requestPackets(due) }
        return requests.takeDue(at: now) ? .requestKeyframe : nil
    }

    /// When the next frame goes out: not before its place in time, nor while it waits for others.
    private func release(_ waiting: MissingPackets.Waiting?) -> Instant {
        max(order.nextDue(playout) ?? .zero, waiting?.until ?? .zero)
    }

    /// The next frame, if it waits for packets before it.
    private var waiting: MissingPackets.Waiting? {
        guard retransmissionSSRC != nil, let first = order.nextAfterGap, let until = missing.hold(before: first, timing)
        else { return nil }
        return MissingPackets.Waiting(first: first, until: until)
    }

    private mutating func delivered(_ frame: IncomingVideoFrame, at now: Instant) {
        counts.framesDelivered &+= 1
        ring.discard(through: order.floor)
        missing.discard(through: order.floor)
        progress.delivered(frame.timestamp)
        if frame.isKeyframe {
            counts.keyframesDelivered &+= 1
            requests.arrived()
        }
        requests.satisfied()
        judge(at: now)
    }

    /// The decoder could not decode what it was given: only a keyframe is handed out next, and it is asked for.
    public mutating func decoderFailed(at now: Instant) {
        order.close()
        requests.want(from: now)
    }

    /// A path was lost or the stream paused: frames begun are void, the next to go out is a keyframe.
    public mutating func reset() {
        forget(through: reception.highestSequence ?? .min)
        requests.reset()
        reception.paused()
    }

    private mutating func forget(through last: Int64) {
        ring.removeAll()
        order.reset(through: last)
        missing.reset(through: last)
        playout.reset()
        requests.satisfied()
        requests.arrived()
        progress = StreamProgress()
        pictureIDs = PictureIDUnwrapper(.long)
        baseIndexes = Unwrapper(bits: 8)
    }

    /// When `poll` may have something without another packet; nil when it will not.
    public var nextDeadline: Instant? {
        var earliest = requests.deadline ?? .distantFuture
        if let asking = missing.deadline { earliest = min(earliest, asking) }
        if order.hasNext { earliest = min(earliest, release(waiting)) }
        return earliest == .distantFuture ? nil : earliest
    }

    /// Takes the stream's sender report.
    public mutating func received(_ info: SenderInfo, at now: Instant) { reception.received(info, at: now) }

    /// The report block on this stream, since the one before.
    public mutating func reportBlock(at now: Instant) -> ReportBlock { reception.reportBlock(at: now) }

    /// What came and what was dropped.
    public var statistics: VideoReceiveStatistics {
        var statistics = counts
        statistics.packetsReceived = reception.packetsReceived
        statistics.packetsLost = reception.packetsLost
        statistics.packetsRequested = missing.requested
        statistics.packetsAbandoned = missing.abandoned
        statistics.duplicates = reception.duplicates
        statistics.reordered = reception.reordered
        statistics.stale = reception.stale
        statistics.packetsDiscarded = ring.discarded
        statistics.framesDropped = order.dropped
        statistics.keyframesRequested = requests.made
        statistics.jitter = reception.jitter
        statistics.playoutDelay = playout.delay
        return statistics
    }
}
