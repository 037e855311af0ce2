// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Plays the packets of one audio stream out in order: `receive` each packet, `pull` one frame of 20 ms at each
/// `nextDeadline`.
///
/// While nothing plays there is no deadline: a silent stream costs no wake-ups. Memory is bounded by 200 packets.
public struct AudioReceiveStream {
    /// What to give to the decoder for the next 20 ms.
    public enum Output: Hashable, Sendable {
        /// Decode this packet.
        case packet(IncomingAudio)
        /// The frame before this packet is missing: decode it from the packet's FEC. The packet itself comes next.
        case lostBefore(IncomingAudio)
        /// Nothing came: make the frame up.
        case lost
    }

    /// The stream's SSRC.
    public let ssrc: UInt32
    private let payloadType: UInt8
    private var reception: ReceptionTracker
    private var timeline = CaptureTimeline(clock: .audio)
    private var playout = AudioPlayout()
    private var counts = AudioReceiveStatistics()

    /// A stream of which nothing was received.
    public init(ssrc: UInt32, payloadType: UInt8 = MediaPayload.opus.rawValue) {
        self.ssrc = ssrc
        self.payloadType = payloadType
        reception = ReceptionTracker(ssrc: ssrc, clock: .audio)
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
        guard header.payloadType == payloadType else {
            counts.unknownPayload &+= 1
            return .unknownPayload
        }
        guard header.ssrc == ssrc, let payload = header.payload(of: packet),
            payload.isEmpty || OpusPacket.samples(in: payload) == OpusPacket.frameSamples
        else {
            counts.malformed &+= 1
            return .malformed
        }
        switch reception.receive(header, at: now) {
        case .duplicate: return .duplicate
        case .stale: return .stale
        case .new(let sequence, let timestamp): take(payload, header, sequence, timestamp, at: now)
        case .restarted(let sequence, let timestamp):
            playout.startAnew()
            timeline = CaptureTimeline(clock: .audio)
            take(payload, header, sequence, timestamp, at: now)
        }
        return .accepted
    }

    private mutating func take(
        _ payload: UnsafeRawBufferPointer, _ header: RTPHeader, _ sequence: Int64, _ timestamp: Int64, at now: Instant
    ) {
        guard !payload.isEmpty else {
            counts.paddingOnly &+= 1
            return
        }
        counts.payloadBytes &+= UInt64(payload.count)
        let extensions = header.extensions
        let captured = timeline.captureTime(of: timestamp, told: extensions.absoluteCaptureTime)
        let audio = IncomingAudio(
            bytes: Array(payload), timestamp: timestamp, captureNTP: captured, level: extensions.audioLevel?.level,
            isMuted: extensions.isMuted ?? false)
        playout.insert(audio, sequence: sequence, at: now)
    }

    /// When to pull next; nil while nothing plays.
    public var nextDeadline: Instant? { playout.nextDeadline }

    /// The next 20 ms; nil when it is not time, or when nothing is to be played. Call again until it returns nil.
    public mutating func pull(at now: Instant) -> Output? { playout.pull(at: now) }

    /// A path was lost or the stream paused: the next packet starts anew.
    public mutating func reset() {
        playout.reset()
        timeline = CaptureTimeline(clock: .audio)
        reception.paused()
    }

    /// Takes the stream's sender report.
    public mutating func received(_ info: SenderInfo, at now: Instant) { reception.received(info, at: now) }

    /// The report block on this stream, since the one before.
    public mutating func reportBlock(at now: Instant) -> ReportBlock { reception.reportBlock(at: now) }

    /// What came, what was made up and what was dropped.
    public var statistics: AudioReceiveStatistics {
        var statistics = playout.statistics
        statistics.malformed = counts.malformed
        statistics.unknownPayload = counts.unknownPayload
        statistics.paddingOnly = counts.paddingOnly
        statistics.payloadBytes = counts.payloadBytes
        statistics.packetsReceived = reception.packetsReceived
        statistics.packetsLost = reception.packetsLost
        statistics.duplicates = reception.duplicates
        statistics.reordered = reception.reordered
        statistics.stale = reception.stale
        statistics.jitter = reception.jitter
        return statistics
    }
}
