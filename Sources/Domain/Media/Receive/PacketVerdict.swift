// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What became of a received media packet. Only an accepted one says that the peer is there.
public enum PacketVerdict: UInt8, Hashable, Sendable, CaseIterable {
    /// New; also when it came too late to be of use.
    case accepted
    /// A copy of one received before.
    case duplicate
    /// Too far from the stream's newest packet to be told from a copy.
    case stale
    /// Of another stream, or not what its payload format allows.
    case malformed
    /// Of a payload type that was not declared, or whose codec has no payload format here.
    case unknownPayload
}
