// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Puts the packets of one video stream together again: `receive` each packet, then `poll` until it returns nil.
///
/// Tolerates loss, reordering and copies; asks for a keyframe when it cannot go on. Memory is bounded: see `PacketRing`,
/// `FrameOrder` and `ReceptionTracker`.
public struct VideoReceiveStream {
    /// What there is to do.
    public enum Output: Hashable, Sendable {
        /// The next frame to decode.
        case frame(IncomingVideoFrame)
        /// Ask the sender for a keyframe (PLI).
        case requestKeyframe
    }

    /// The stream's SSRC.
    public let ssrc: UInt32
    private let formats: VideoFormats
    private var reception: ReceptionTracker
    private var ring = PacketRing()
    private var order = FrameOrder()
    private var requests = KeyframeRequests()
    private var pictureIDs = PictureIDUnwrapper(.long)
    private var baseIndexes = Unwrapper(bits: 8)
    private var progress = Progress()
    private var counts = VideoReceiveStatistics()

    /// How far the stream has come, in timestamps.
    private struct Progress {
        var delivered: Int64?
        /// The oldest frame begun and not handed out, among those without which the stream cannot go on.
        var pending: Int64?
        var newest: Int64?
        var newestEssential: Int64?

        mutating func received(_ timestamp: Int64, isEssential: Bool) {
            newest = max(newest ?? timestamp, timestamp)
            guard isEssential else { return }
            newestEssential = max(newestEssential ?? timestamp, timestamp)
            if timestamp > delivered ?? .min { pending = min(pending ?? timestamp, timestamp) }
        }

        mutating func delivered(_ timestamp: Int64) {
            // Frames go out in order: a smaller timestamp is a new time base.
            if timestamp < delivered ?? .min { (newest, newestEssential) = (timestamp, timestamp) }
            delivered = timestamp
            pending = newestEssential.flatMap { $0 > timestamp ? $0 : nil }
        }

        /// Whether a frame was begun that a later one has overtaken.
        var isOvertaken: Bool {
            guard let pending, let newest else { return false }
            return newest > pending
        }
    }

    /// A stream of which nothing was received; it starts with a keyframe.
    public init(ssrc: UInt32, formats: VideoFormats = .standard) {
        self.ssrc = ssrc
        self.formats = formats
        reception = ReceptionTracker(ssrc: ssrc, clock: .video)
    }

    /// Takes one packet. Any bytes are safe.
    ///
    /// - Parameters:
    ///   - packet: the whole datagram.
    ///   - header: its header, as parsed.
    ///   - now: when it came.
    public mutating func receive(
        _ packet: UnsafeRawBufferPointer, header: RTPHeader, at now: Instant
    ) -> PacketVerdict {
        guard formats.codec(of: header.payloadType) == .vp8 else {
            counts.unknownPayload &+= 1
            return .unknownPayload
        }
        guard header.ssrc == ssrc, let payload = header.payload(of: packet), payload.count <= PacketRing.slotBytes
        else { return malformed() }
        let parsed = VP8Descriptor.read(payload)
        guard parsed != nil || payload.isEmpty else { return malformed() }
        let (sequence, timestamp): (Int64, Int64)
        switch reception.receive(header, at: now) {
        case .duplicate: return .duplicate
        case .stale: return .stale
        case .new(let number, let time): (sequence, timestamp) = (number, time)
        case .restarted(let number, let time):
            (sequence, timestamp) = (number, time)
            counts.restarts &+= 1
            forget(through: number &- 1)
        }
        counts.payloadBytes &+= UInt64(payload.count)
        guard sequence > order.floor else {
            if payload.isEmpty { counts.paddingOnly &+= 1 } else { counts.late &+= 1 }
            return .accepted
        }
        let entry = entry(header, sequence, timestamp, parsed?.descriptor, payload, parsed?.length ?? 0)
        let share = UnsafeRawBufferPointer(rebasing: payload[(parsed?.length ?? 0)...])
        if entry.isPadding {
            counts.paddingOnly &+= 1
            order.passed(padding: sequence)
        } else {
            noteArrival(of: entry, at: now)
        }
        let completed = ring.insert(entry, payload: share)
        if let end = completed.earlier { assemble(endingWith: end, at: now) }
        if let end = completed.own { assemble(endingWith: end, at: now) }
        judge(at: now)
        return .accepted
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
            requests.want(from: now + KeyframeRequests.reorderingWait)
        } else if !order.isClosed {
            requests.satisfied()
        }
    }

    /// What is to be done now; nil when there is nothing until another packet or `nextDeadline`.
    public mutating func poll(at now: Instant) -> Output? {
        if let frame = order.takeNext() {
            delivered(frame, at: now)
            return .frame(frame)
        }
        return requests.takeDue(at: now) ? .requestKeyframe : nil
    }

    private mutating func delivered(_ frame: IncomingVideoFrame, at now: Instant) {
        counts.framesDelivered &+= 1
        ring.discard(through: order.floor)
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
        requests.satisfied()
        requests.arrived()
        progress = Progress()
        pictureIDs = PictureIDUnwrapper(.long)
        baseIndexes = Unwrapper(bits: 8)
    }

    /// When `poll` may have something without another packet; nil when it will not.
    public var nextDeadline: Instant? { requests.deadline }

    /// Takes the stream's sender report.
    public mutating func received(_ info: SenderInfo, at now: Instant) { reception.received(info, at: now) }

    /// The report block on this stream, since the one before.
    public mutating func reportBlock(at now: Instant) -> ReportBlock { reception.reportBlock(at: now) }

    /// What came and what was dropped.
    public var statistics: VideoReceiveStatistics {
        var statistics = counts
        statistics.packetsReceived = reception.packetsReceived
        statistics.packetsLost = reception.packetsLost
        statistics.duplicates = reception.duplicates
        statistics.reordered = reception.reordered
        statistics.stale = reception.stale
        statistics.packetsDiscarded = ring.discarded
        statistics.framesDropped = order.dropped
        statistics.keyframesRequested = requests.made
        statistics.jitter = reception.jitter
        return statistics
    }
}
