// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Reads the packets of an RTCP compound one by one (RFC 3550 §6.1).
///
/// The bytes must outlive the reader. A compound that does not start with a report (RFC 5506) is read as well.
public struct RTCPReader {
    private var reader: ByteReader

    /// A reader over one datagram. Any bytes are safe.
    public init(_ bytes: UnsafeRawBufferPointer) { reader = ByteReader(bytes) }

    /// The next packet; nil at the end, and after an error.
    ///
    /// - Throws: `RTCPParseError`; drop the rest of the datagram and count it.
    public mutating func next() throws(RTCPParseError) -> RTCPPacket? {
        guard reader.remaining > 0 else { return nil }
        do {
            return try read()
        } catch {
            _ = reader.skip(reader.remaining)
            throw error
        }
    }

    private mutating func read() throws(RTCPParseError) -> RTCPPacket {
        guard let first = reader.u8(), let packetType = reader.u8(), let words = reader.u16() else { throw .truncated }
        guard first >> 6 == 2 else { throw .unsupportedVersion(first >> 6) }
        guard var body = reader.take(Int(words) * 4) else { throw .truncated }
        if first & 0x20 != 0 {
            guard reader.remaining == 0, let shorter = body.withoutPadding() else { throw .malformedPadding }
            body = shorter
        }
        let count = Int(first & 0x1F)
        switch packetType {
        case PacketType.senderReport.rawValue: return try Self.senderReport(count, &body)
        case PacketType.receiverReport.rawValue:
            guard let ssrc = body.u32() else { throw .truncated }
            return .receiverReport(ssrc: ssrc, try Self.reports(count, &body))
        case PacketType.goodbye.rawValue: return try Self.goodbye(count, &body)
        case PacketType.application.rawValue: return try Self.application(&body)
        case PacketType.transportFeedback.rawValue: return try Self.transportFeedback(count, &body)
        case PacketType.payloadFeedback.rawValue: return try Self.payloadFeedback(count, &body)
        default: return .unknown(packetType: packetType)
        }
    }

    /// The packet types (RFC 3550 §12.1, RFC 4585 §6.1).
    enum PacketType: UInt8 {
        case senderReport = 200
        case receiverReport = 201
        case goodbye = 203
        case application = 204
        case transportFeedback = 205
        case payloadFeedback = 206
    }

    /// Feedback formats: RFC 4585 §6.2.1 and §6.3.1, RFC 5104 §4.3.1.
    enum Format {
        static let genericNACK = 1
        static let pictureLoss = 1
        static let fullIntra = 4
    }
}

extension RTCPReader {
    private static func senderReport(
        _ count: Int, _ body: inout ByteReader
    ) throws(RTCPParseError) -> RTCPPacket {
        guard let ssrc = body.u32(), let ntp = body.u64(), let timestamp = body.u32(), let packets = body.u32(),
            let octets = body.u32()
        else { throw .truncated }
        let info = SenderInfo(ntp: ntp, timestamp: timestamp, packetCount: packets, octetCount: octets)
        return .senderReport(ssrc: ssrc, info, try reports(count, &body))
    }

    private static func reports(_ count: Int, _ body: inout ByteReader) throws(RTCPParseError) -> [ReportBlock] {
        var blocks: [ReportBlock] = []
        for _ in 0..<count {
            guard let ssrc = body.u32(), let fraction = body.u8(), let lost = body.integer(bytes: 3),
                let highest = body.u32(), let jitter = body.u32(), let last = body.u32(), let delay = body.u32()
            else { throw .truncated }
            // The 24 bits are signed.
            let signed = Int32(truncatingIfNeeded: lost << 8) >> 8
            var block = ReportBlock(
                ssrc: ssrc, fractionLost: fraction, cumulativeLost: signed, highestSequence: highest, jitter: jitter)
            block.lastSenderReport = last
            block.delaySinceLastSenderReport = delay
            blocks.append(block)
        }
        return blocks
    }

    private static func goodbye(_ count: Int, _ body: inout ByteReader) throws(RTCPParseError) -> RTCPPacket {
        var sources: [UInt32] = []
        for _ in 0..<count {
            guard let source = body.u32() else { throw .truncated }
            sources.append(source)
        }
        return .bye(sources)
    }

    private static func application(_ body: inout ByteReader) throws(RTCPParseError) -> RTCPPacket {
        guard let ssrc = body.u32(), let name = body.u32() else { throw .truncated }
        guard name == KeepAlive.name else { return .unknown(packetType: PacketType.application.rawValue) }
        guard let keepAlive = KeepAlive(from: &body) else { throw .truncated }
        return .application(ssrc: ssrc, keepAlive)
    }

    private static func transportFeedback(
        _ format: Int, _ body: inout ByteReader
    ) throws(RTCPParseError) -> RTCPPacket {
        guard let sender = body.u32(), let media = body.u32() else { throw .truncated }
        guard format == Format.genericNACK else { return .unknown(packetType: PacketType.transportFeedback.rawValue) }
        return .genericNACK(sender: sender, media: media, try GenericNACK.read(from: &body))
    }

    private static func payloadFeedback(
        _ format: Int, _ body: inout ByteReader
    ) throws(RTCPParseError) -> RTCPPacket {
        guard let sender = body.u32(), let media = body.u32() else { throw .truncated }
        switch format {
        case Format.pictureLoss: return .pictureLossIndication(sender: sender, media: media)
        case Format.fullIntra:
            var entries: [FullIntraEntry] = []
            while let media = body.u32(), let sequence = body.u8(), body.skip(3) {
                entries.append(FullIntraEntry(media: media, commandSequence: sequence))
            }
            return .fullIntraRequest(sender: sender, entries)
        default: return .unknown(packetType: PacketType.payloadFeedback.rawValue)
        }
    }
}
