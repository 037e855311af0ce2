// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What a datagram carries, told by its first two bytes (as RFC 7983 and RFC 5761 §4 do).
public enum DatagramKind: UInt8, Hashable, Sendable, CaseIterable {
    /// A frame of the control link: the first byte is `R`.
    case control
    /// An RTP packet.
    case rtp
    /// A compound RTCP packet.
    case rtcp
    /// None of these: to be ignored and counted.
    case unknown

    /// The kind of a datagram. Any bytes are safe.
    public static func of(_ bytes: UnsafeRawBufferPointer) -> DatagramKind {
        guard bytes.count >= 2 else { return .unknown }
        switch bytes[0] {
        case 0x52: return .control
        // RTCP's packet types 192–223 cannot be an RTP payload type with its marker, for 64–95 are never used.
        case 128...191: return (192...223).contains(bytes[1]) ? .rtcp : .rtp
        default: return .unknown
        }
    }
}
