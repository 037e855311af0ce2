// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Why bytes are no RTP packet. The packet is to be dropped and counted.
public enum RTPParseError: Error, Hashable, Sendable {
    /// Shorter than what its own fields announce.
    case truncated
    /// Not version 2.
    case unsupportedVersion(UInt8)
    /// A header-extension element runs past its block.
    case malformedExtensions
    /// The padding's length is zero or longer than the payload.
    case malformedPadding
}

/// An RTP header (RFC 3550 §5.1) with the header extensions that RevueSDK knows.
public struct RTPHeader: Hashable, Sendable {
    /// 0…127.
    public var payloadType: UInt8
    /// Video: the frame's last packet. Audio: the first packet after a pause.
    public var marker: Bool
    /// One more with each packet, wrapping.
    public var sequenceNumber: UInt16
    /// The capture time in ticks of the media clock, from a random origin, wrapping.
    public var timestamp: UInt32
    /// The stream.
    public var ssrc: UInt32
    /// The header extensions.
    public var extensions: RTPExtensions
    /// Where a parsed packet's payload lies, padding excluded; empty for a header that was not parsed.
    public private(set) var payloadRange: Range<Int> = 0..<0

    /// A header to be written.
    public init(
        payloadType: UInt8, marker: Bool, sequenceNumber: UInt16, timestamp: UInt32, ssrc: UInt32,
        extensions: RTPExtensions = RTPExtensions()
    ) {
        self.payloadType = payloadType & 0x7F
        self.marker = marker
        self.sequenceNumber = sequenceNumber
        self.timestamp = timestamp
        self.ssrc = ssrc
        self.extensions = extensions
    }

    /// Reads the header of a packet. Any bytes are safe.
    ///
    /// - Throws: `RTPParseError`; drop the packet and count it.
    public static func parse(_ bytes: UnsafeRawBufferPointer) throws(RTPParseError) -> RTPHeader {
        var reader = ByteReader(bytes)
        guard let first = reader.u8(), let second = reader.u8(), let sequenceNumber = reader.u16(),
            let timestamp = reader.u32(), let ssrc = reader.u32()
        else { throw .truncated }
        guard first >> 6 == 2 else { throw .unsupportedVersion(first >> 6) }
        guard reader.skip(Int(first & 0x0F) * 4) else { throw .truncated }
        var header = RTPHeader(
            payloadType: second, marker: second & 0x80 != 0, sequenceNumber: sequenceNumber, timestamp: timestamp,
            ssrc: ssrc)
        if first & 0x10 != 0 { try header.readExtensions(from: &reader) }
        var end = bytes.count
        if first & 0x20 != 0 {
            guard end > reader.offset else { throw .malformedPadding }
            let padding = Int(bytes[end - 1])
            guard padding > 0, padding <= end - reader.offset else { throw .malformedPadding }
            end -= padding
        }
        header.payloadRange = reader.offset..<end
        return header
    }

    private mutating func readExtensions(from reader: inout ByteReader) throws(RTPParseError) {
        guard let profile = reader.u16(), let words = reader.u16(), var block = reader.take(Int(words) * 4) else {
            throw .truncated
        }
        // Other profiles (the two-byte form among them) are not ours: skipped.
        guard profile == RTPExtensions.oneByteProfile else { return }
        guard extensions.read(from: &block) else { throw .malformedExtensions }
    }

    /// Writes the header.
    ///
    /// - Returns: its length; nil when the slot is too small.
    public func write(into slot: UnsafeMutableRawBufferPointer) -> Int? {
        var writer = ByteWriter(slot)
        write(to: &writer)
        return writer.didOverflow ? nil : writer.count
    }

    func write(to writer: inout ByteWriter) {
        writer.u8(extensions.isEmpty ? 0x80 : 0x90)
        writer.u8((marker ? 0x80 : 0) | (payloadType & 0x7F))
        writer.u16(sequenceNumber)
        writer.u32(timestamp)
        writer.u32(ssrc)
        if !extensions.isEmpty { extensions.write(to: &writer) }
    }

    /// The header that a retransmitted packet had at first: its number stands before its payload (RFC 4588 §4).
    ///
    /// - Returns: nil when there is no room for the number, or nothing behind it: padding.
    func original(in packet: UnsafeRawBufferPointer, payloadType: UInt8, ssrc: UInt32) -> RTPHeader? {
        guard let payload = payload(of: packet), payload.count > PacketBudget.retransmission else { return nil }
        var original = self
        original.payloadType = payloadType
        original.ssrc = ssrc
        original.sequenceNumber = UInt16(payload[0]) << 8 | UInt16(payload[1])
        original.payloadRange = payloadRange.lowerBound + PacketBudget.retransmission..<payloadRange.upperBound
        return original
    }

    /// A parsed packet's payload; nil when `packet` is shorter than the one that was parsed.
    public func payload(of packet: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard payloadRange.upperBound <= packet.count else { return nil }
        return UnsafeRawBufferPointer(rebasing: packet[payloadRange])
    }
}
