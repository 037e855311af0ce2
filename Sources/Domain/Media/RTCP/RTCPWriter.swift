// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Writes an RTCP compound into a slot. It starts with a report (RFC 3550 §6.1): a sender report, or a receiver report,
/// empty if need be; there is no way to leave it out.
public struct RTCPWriter {
    private var writer: ByteWriter
    private let ssrc: UInt32

    /// Starts a compound with a report.
    ///
    /// - Parameters:
    ///   - slot: takes the compound; must outlive the writer.
    ///   - ssrc: the sender of all packets in it.
    ///   - info: makes it a sender report; nil makes it a receiver report.
    ///   - reports: those that fit, and at most 31, are written.
    /// - Returns: nil when not even a report without blocks fits.
    public init?(
        into slot: UnsafeMutableRawBufferPointer, ssrc: UInt32, info: SenderInfo? = nil, reports: [ReportBlock] = []
    ) {
        writer = ByteWriter(slot)
        self.ssrc = ssrc
        let fixed = info == nil ? 8 : 28
        guard slot.count >= fixed else { return nil }
        let blocks = min(reports.count, 31, (slot.count - fixed) / 24)
        let type: RTCPReader.PacketType = info == nil ? .receiverReport : .senderReport
        head(type, blocks, bytes: fixed + 24 * blocks)
        writer.u32(ssrc)
        if let info {
            writer.u64(info.ntp)
            writer.u32(info.timestamp)
            writer.u32(info.packetCount)
            writer.u32(info.octetCount)
        }
        for block in reports.prefix(blocks) { write(block) }
    }

    /// Bytes of the compound so far: what is to be sent.
    public var count: Int { writer.count }

    /// Asks for a keyframe of `media`. False when it did not fit; the compound is then as before.
    public mutating func appendPictureLossIndication(media: UInt32) -> Bool {
        append(.payloadFeedback, RTCPReader.Format.pictureLoss, bytes: 12) { writer in writer.u32(media) }
    }

    /// Asks for a keyframe of each entry's stream, unconditionally. False when it did not fit.
    public mutating func appendFullIntraRequest(_ entries: [FullIntraEntry]) -> Bool {
        append(.payloadFeedback, RTCPReader.Format.fullIntra, bytes: 12 + 8 * entries.count) { writer in
            // RFC 5104 §4.3.1.2: the media source of the header is unused.
            writer.u32(0)
            for entry in entries {
                writer.u32(entry.media)
                writer.u8(entry.commandSequence)
                writer.integer(0, bytes: 3)
            }
        }
    }

    /// Asks for missing packets of `media` again.
    ///
    /// - Parameter missing: unwrapped sequence numbers, ascending.
    /// - Returns: how many of them are in the compound, counted from the first; at most `GenericNACK.maximumCount`.
    public mutating func appendGenericNACK(media: UInt32, missing: [Int64]) -> Int {
        guard !missing.isEmpty, writer.remaining >= 16 else { return 0 }
        let start = writer.count
        head(.transportFeedback, RTCPReader.Format.genericNACK, bytes: 16)
        writer.u32(ssrc)
        writer.u32(media)
        let written = GenericNACK.write(missing, to: &writer)
        writer.patch(UInt16(truncatingIfNeeded: (writer.count - start) / 4 - 1), at: start + 2)
        return written
    }

    /// Adds a keep-alive, 36 bytes. False when it did not fit.
    public mutating func append(_ keepAlive: KeepAlive) -> Bool {
        append(.application, 0, bytes: 12 + KeepAlive.byteCount) { writer in
            writer.u32(KeepAlive.name)
            keepAlive.write(to: &writer)
        }
    }

    /// Says that the compound's sender ends. False when it did not fit.
    public mutating func appendGoodbye() -> Bool {
        append(.goodbye, 1, bytes: 8) { _ in }
    }

    /// Appends one packet: its header, our SSRC, and what `body` writes.
    private mutating func append(
        _ type: RTCPReader.PacketType, _ count: Int, bytes: Int, _ body: (inout ByteWriter) -> Void
    ) -> Bool {
        guard writer.remaining >= bytes else { return false }
        head(type, count, bytes: bytes)
        writer.u32(ssrc)
        body(&writer)
        return true
    }

    private mutating func head(_ type: RTCPReader.PacketType, _ count: Int, bytes: Int) {
        writer.u8(0x80 | UInt8(truncatingIfNeeded: count & 0x1F))
        writer.u8(type.rawValue)
        writer.u16(UInt16(truncatingIfNeeded: bytes / 4 - 1))
    }

    private mutating func write(_ block: ReportBlock) {
        let lost = max(-0x80_0000, min(block.cumulativeLost, 0x7F_FFFF))
        writer.u32(block.ssrc)
        writer.u8(block.fractionLost)
        writer.integer(UInt64(truncatingIfNeeded: lost), bytes: 3)
        writer.u32(block.highestSequence)
        writer.u32(block.jitter)
        writer.u32(block.lastSenderReport)
        writer.u32(block.delaySinceLastSenderReport)
    }
}
