// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Packetises the encoded pictures of one stream: `begin` a frame, then `next` until it returns nil.
///
/// A packet is at most `maximumPacketBytes` − 2 bytes, so that its retransmitted form (RFC 4588) fits as well. The
/// first packet of a frame carries the capture time and the mute flag, the last one the marker. Nothing is allocated.
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

    private let timestampOffset: UInt32
    private let maximumPacketBytes: Int
    private var sequenceNumber: UInt16
    private var pictureID: UInt16
    private var baseIndex: UInt8
    private var frame: Frame?

    /// A frame in the course of being sent.
    private struct Frame {
        var plan: FragmentPlan
        var descriptor: VP8Descriptor
        var timestamp: UInt32
        var captureNTP: UInt64
        var isMuted: Bool
        var isKeyframe: Bool
    }

    /// A stream with random first sequence number, picture id and base-layer index.
    ///
    /// - Parameters:
    ///   - ssrc: random, and new for each incarnation of the sender.
    ///   - timestampOffset: random; the timestamp of the clock's origin.
    ///   - generator: gives the random starts.
    ///   - maximumPacketBytes: most bytes of a packet in its retransmitted form; at least 128.
    public init(
        ssrc: UInt32, timestampOffset: UInt32, generator: inout SeededGenerator,
        maximumPacketBytes: Int = PacketBudget.datagram
    ) {
        precondition(maximumPacketBytes >= PacketBudget.minimum, "a packet needs at least 128 bytes")
        self.ssrc = ssrc
        self.timestampOffset = timestampOffset
        self.maximumPacketBytes = maximumPacketBytes
        let random = generator.next()
        sequenceNumber = UInt16(truncatingIfNeeded: random)
        pictureID = UInt16(truncatingIfNeeded: random >> 16) & 0x7FFF
        baseIndex = UInt8(truncatingIfNeeded: random >> 32)
    }

    /// The RTP timestamp of an instant: the offset plus 90,000 ticks a second.
    public func timestamp(at instant: Instant) -> UInt32 {
        timestampOffset &+ UInt32(truncatingIfNeeded: MediaClock.video.ticks(at: instant))
    }

    /// Starts a frame of `byteCount` bytes. What is left of the frame before is given up.
    public mutating func begin(_ description: OutgoingVideoFrame, byteCount: Int) {
        if frame != nil { framesAbandoned &+= 1 }
        frame = nil
        guard description.codec == .vp8, byteCount > 0 else {
            framesRefused &+= 1
            return
        }
        let descriptor = nextDescriptor(of: description)
        let capacity = PacketBudget.payload(in: maximumPacketBytes) - descriptor.byteCount
        frame = Frame(
            plan: FragmentPlan(byteCount: byteCount, capacity: capacity), descriptor: descriptor,
            timestamp: timestamp(at: description.captureTime), captureNTP: description.captureNTP,
            isMuted: description.isPlaceholder, isKeyframe: description.isKeyframe)
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
    /// - Parameters:
    ///   - payload: the whole frame, as many bytes as `begin` was told.
    ///   - slot: takes the packet; `maximumPacketBytes` are always enough.
    /// - Returns: the packet's length; nil when the frame is done, or was given up because a size was wrong.
    public mutating func next(
        of payload: UnsafeRawBufferPointer, into slot: UnsafeMutableRawBufferPointer
    ) -> Int? {
        guard let frame, let range = frame.plan.current else { return nil }
        guard payload.count == frame.plan.byteCount else { return abandon() }
        var descriptor = frame.descriptor
        descriptor.isPartitionStart = frame.plan.isFirst
        let header = header(of: frame)
        var writer = ByteWriter(slot)
        header.write(to: &writer)
        let headerBytes = writer.count
        descriptor.write(to: &writer)
        writer.copy(UnsafeRawBufferPointer(rebasing: payload[range]))
        guard !writer.didOverflow else { return abandon() }
        assert(writer.count + PacketBudget.retransmission <= maximumPacketBytes)
        sent(payloadBytes: writer.count - headerBytes)
        return writer.count
    }

    private func header(of frame: Frame) -> RTPHeader {
        var header = RTPHeader(
            payloadType: MediaPayload.vp8.rawValue, marker: frame.plan.isLast, sequenceNumber: sequenceNumber,
            timestamp: frame.timestamp, ssrc: ssrc)
        if frame.plan.isFirst {
            header.extensions.absoluteCaptureTime = frame.captureNTP
            header.extensions.isMuted = frame.isMuted
        }
        return header
    }

    private mutating func sent(payloadBytes: Int) {
        sequenceNumber &+= 1
        packetsSent &+= 1
        payloadBytesSent &+= UInt64(payloadBytes)
        frame?.plan.advance()
        guard let frame, frame.plan.current == nil else { return }
        framesSent &+= 1
        if frame.isKeyframe { keyframesSent &+= 1 }
        self.frame = nil
    }

    private mutating func abandon() -> Int? {
        frame = nil
        framesAbandoned &+= 1
        return nil
    }

    /// What a sender report says at `now`: this instant on both clocks, never the time of some packet.
    ///
    /// - Parameter ntp: the same instant by the wall clock, NTP 32.32.
    public func senderInfo(at now: Instant, ntp: UInt64) -> SenderInfo {
        SenderInfo(
            ntp: ntp, timestamp: timestamp(at: now), packetCount: packetsSent,
            octetCount: UInt32(truncatingIfNeeded: payloadBytesSent))
    }
}
