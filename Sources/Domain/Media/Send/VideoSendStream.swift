// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Packetises the encoded pictures of one stream: `begin` a frame, then `next` until it returns nil.
///
/// A packet is at most `maximumPacketBytes` − 2 bytes, so that its retransmitted form (RFC 4588) fits as well. The
/// first packet of a frame carries the capture time and the mute flag, the last one the marker. Nothing is allocated. What
/// was sent of late can be sent again: `resend`.
public struct VideoSendStream: Sendable {
    /// The stream's SSRC.
    public let ssrc: UInt32
    /// Packets handed out, wrapping as in a sender report.
    public private(set) var packetsSent: UInt32 = 0
    /// Bytes of payload handed out: descriptors count, headers do not.
    public private(set) var payloadBytesSent: UInt64 = 0
    /// Frames handed out whole.
    public private(set) var framesSent: UInt64 = 0
    /// Keyframes handed out whole.
    public private(set) var keyframesSent: UInt64 = 0
    /// Frames begun and not handed out whole: another began before, or the slot or the payload was too small.
    public private(set) var framesAbandoned: UInt64 = 0
    /// Frames refused: their codec has no packetiser yet, or they were empty.
    public private(set) var framesRefused: UInt64 = 0

    /// Keyframe requests of the receiver that were ignored: it asked too often.
    public private(set) var keyframeRequestsRefused: UInt64 = 0

    private let timestampOffset: UInt32
    private let maximumPacketBytes: Int
    /// The number of the next packet.
    private var sequence: Int64
    private var pictureID: UInt16
    private var baseIndex: UInt8
    private var frame: Frame?
    private var resender: Resender?
    private var keyframeRequests = TokenBucket(capacity: 5, perSecond: 2)

    /// A frame in the course of being sent.
    private struct Frame {
        var packets: PacketisedFrame
        /// The fragment to be sent next.
        var next = 0
    }

    /// A stream with random first sequence number, picture id and base-layer index.
    ///
    /// - Parameters:
    ///   - ssrc: random, and new for each incarnation of the sender.
    ///   - timestampOffset: random; the timestamp of the clock's origin.
    ///   - generator: gives the random starts.
    ///   - maximumPacketBytes: most bytes of a packet in its retransmitted form; at least 128.
    ///   - retransmissionSSRC: the stream for packets sent again; nil: none is.
    public init(
        ssrc: UInt32, timestampOffset: UInt32, generator: inout SeededGenerator,
        maximumPacketBytes: Int = PacketBudget.datagram, retransmissionSSRC: UInt32? = nil
    ) {
        precondition(maximumPacketBytes >= PacketBudget.minimum, "a packet needs at least 128 bytes")
        self.ssrc = ssrc
        self.timestampOffset = timestampOffset
        self.maximumPacketBytes = maximumPacketBytes
        let random = generator.next()
        sequence = Int64(UInt16(truncatingIfNeeded: random))
        pictureID = UInt16(truncatingIfNeeded: random >> 16) & 0x7FFF
        baseIndex = UInt8(truncatingIfNeeded: random >> 32)
        resender = retransmissionSSRC.map {
            Resender(ssrc: $0, firstSequenceNumber: UInt16(truncatingIfNeeded: random >> 40))
        }
    }

    /// The RTP timestamp of an instant: the offset plus 90,000 ticks a second.
    public func timestamp(at instant: Instant) -> UInt32 {
        timestampOffset &+ UInt32(truncatingIfNeeded: MediaClock.video.ticks(at: instant))
    }

    /// Starts a frame. What is left of the frame before is given up.
    ///
    /// - Parameters:
    ///   - description: what there is to know besides the bytes.
    ///   - bytes: the coder's own; shared, not copied, and kept while packets of it may be asked for again.
    ///   - now: when sending begins.
    public mutating func begin(_ description: OutgoingVideoFrame, bytes: [UInt8], at now: Instant) {
        if frame != nil { abandon() }
        guard description.codec == .vp8, !bytes.isEmpty else {
            framesRefused &+= 1
            return
        }
        let descriptor = nextDescriptor(of: description)
        let capacity = PacketBudget.payload(in: maximumPacketBytes) - descriptor.byteCount
        let packets = PacketisedFrame(
            firstSequence: sequence, plan: FragmentPlan(byteCount: bytes.count, capacity: capacity),
            descriptor: descriptor, timestamp: timestamp(at: description.captureTime),
            captureNTP: description.captureNTP, isMuted: description.isPlaceholder, isKeyframe: description.isKeyframe,
            bytes: bytes, begunAt: now)
        frame = Frame(packets: packets)
    }

    private mutating func nextDescriptor(of description: OutgoingVideoFrame) -> VP8Descriptor {
        var descriptor = VP8Descriptor(isPartitionStart: true)
        pictureID = (pictureID &+ 1) & 0x7FFF
        descriptor.pictureID = VP8Descriptor.PictureID(pictureID, .long)
        guard description.usesLayers else { return descriptor }
        let layer = description.isKeyframe ? 0 : UInt8(clamping: min(description.temporalLayer, 3))
        if layer == 0 { baseIndex &+= 1 }
        descriptor.baseIndex = baseIndex
        descriptor.layer = VP8Descriptor.Layer(temporal: layer, isSync: description.isLayerSync)
        return descriptor
    }

    /// Writes the frame's next packet.
    ///
    /// - Parameter slot: takes the packet; `maximumPacketBytes` are always enough.
    /// - Returns: the packet's length; nil when the frame is done, or was given up because the slot is too small.
    public mutating func next(into slot: UnsafeMutableRawBufferPointer) -> Int? {
        guard let frame else { return nil }
        var writer = ByteWriter(slot)
        let envelope = PacketisedFrame.Envelope(
            ssrc: ssrc, payloadType: MediaPayload.vp8.rawValue, sequenceNumber: UInt16(truncatingIfNeeded: sequence))
        let payloadBytes = frame.packets.write(packet: frame.next, envelope, to: &writer)
        guard !writer.didOverflow else {
            abandon()
            return nil
        }
        assert(writer.count + PacketBudget.retransmission <= maximumPacketBytes)
        sent(payloadBytes: payloadBytes, of: frame)
        resender?.sent(packetBytes: writer.count)
        return writer.count
    }

    private mutating func sent(payloadBytes: Int, of sent: Frame) {
        sequence &+= 1
        packetsSent &+= 1
        payloadBytesSent &+= UInt64(payloadBytes)
        // From its first packet on: a request may come while the frame is still being sent.
        if sent.next == 0 { resender?.sent(sent.packets) }
        guard sent.next + 1 == sent.packets.plan.count else {
            frame?.next += 1
            return
        }
        framesSent &+= 1
        if sent.packets.isKeyframe { keyframesSent &+= 1 }
        frame = nil
    }

    private mutating func abandon() {
        // Its numbers that were not sent are the next frame's.
        frame = nil
        framesAbandoned &+= 1
        resender?.forget()
    }

    // MARK: - Retransmission

    /// Writes a packet that the receiver asked for once more (RFC 4588), if it is still of use and within its share.
    ///
    /// - Parameters:
    ///   - number: the packet's own number, from a NACK. Any number is safe.
    ///   - slot: takes the packet; `maximumPacketBytes` are always enough.
    ///   - now: the time.
    /// - Returns: nil when it is not to be sent, counted in `resendStatistics`.
    public mutating func resend(
        _ number: UInt16, into slot: UnsafeMutableRawBufferPointer, at now: Instant
    ) -> Resend? {
        resender?.resend(number, newest: sequence &- 1, into: slot, at: now)
    }

    /// Whether to heed a keyframe request of the receiver: five in a row and two a second are. One encoder may serve many
    /// receivers, and a keyframe costs all of them.
    public mutating func acceptsKeyframeRequest(at now: Instant) -> Bool {
        if keyframeRequests.take(1, at: now) { return true }
        keyframeRequestsRefused &+= 1
        return false
    }

    /// Takes a measured round trip.
    public mutating func measured(roundTrip: Interval) { resender?.timing = RecoveryTiming(roundTrip: roundTrip) }

    /// Nothing sent so far may be sent again: what it shows is not to be shown any more.
    public mutating func forgetSent() { resender?.forget() }

    /// What became of the receiver's requests for packets.
    public var resendStatistics: ResendStatistics { resender?.statistics ?? ResendStatistics() }

    /// What a sender report says at `now`: this instant on both clocks, never the time of some packet.
    ///
    /// - Parameter ntp: the same instant by the wall clock, NTP 32.32.
    public func senderInfo(at now: Instant, ntp: UInt64) -> SenderInfo {
        SenderInfo(
            ntp: ntp, timestamp: timestamp(at: now), packetCount: packetsSent,
            octetCount: UInt32(truncatingIfNeeded: payloadBytesSent))
    }
}
