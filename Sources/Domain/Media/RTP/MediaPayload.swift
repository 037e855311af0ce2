// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The RTP payload types that RevueSDK declares and uses.
public enum MediaPayload: UInt8, Hashable, Sendable, CaseIterable {
    /// VP8, RFC 7741.
    case vp8 = 96
    /// H.264, RFC 6184.
    case h264 = 97
    /// Retransmitted VP8, RFC 4588.
    case rtxVP8 = 98
    /// Retransmitted H.264, RFC 4588.
    case rtxH264 = 99
    /// Opus, RFC 7587.
    case opus = 111
}

/// The sizes that bound a packet.
public enum PacketBudget {
    /// Most bytes in a datagram of media.
    public static let datagram = 1_188
    /// Least that a packetiser can be told to use.
    public static let minimum = 128
    /// The original sequence number that RFC 4588 puts before a retransmitted payload.
    public static let retransmission = 2
    /// RTP's fixed header.
    static let header = 12
    /// The largest block of header extensions, the transport-wide sequence number included: 4 bytes of header, then
    /// 9 for the capture time, 3 for the transport-wide number, 2 each for level and mute, filled up to whole words.
    static let extensions = 20

    /// Bytes left for payload in a packet that may grow to its retransmitted form.
    static func payload(in packet: Int) -> Int { packet - header - extensions - retransmission }
}
