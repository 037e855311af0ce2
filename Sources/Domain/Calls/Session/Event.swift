// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What the outside tells the session.
public enum Event: Sendable, Equatable {
    /// A deadline has come.
    case timer
    /// A control frame arrived (first byte 'R'); any bytes are safe.
    case datagram(PeerID, [UInt8])
    /// A control frame arrived while nothing further of the peer can be taken: only what it acknowledges counts, and the
    /// peer sends the rest again. Any bytes are safe.
    case unreadDatagram(PeerID, [UInt8])
    /// A fresh RTP or RTCP packet arrived: the path lives. Duplicates and replays must not be reported.
    case heard(PeerID)
    /// Something from the transport.
    case transport(TransportEvent)
}
