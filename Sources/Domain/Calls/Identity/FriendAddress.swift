// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What someone gives away so that others can ask for friendship: public key, nospam and checksum, 38 bytes.
public struct FriendAddress: Hashable, Sendable {
    /// The address's length in bytes.
    public static let byteCount = 38

    /// Whose address it is.
    public let peer: PeerID
    /// The four bytes that make an address replaceable.
    public let nospam: UInt32

    /// The address of `peer` with this nospam; its checksum follows from both.
    public init(peer: PeerID, nospam: UInt32) {
        self.peer = peer
        self.nospam = nospam
    }

    /// Key and nospam as bytes, then the checksum: the XOR of all 16-bit words before it.
    public var bytes: [UInt8] {
        var result = peer.bytes
        for shift in [24, 16, 8, 0] as [UInt32] { result.append(UInt8(truncatingIfNeeded: nospam >> shift)) }
        var checksum: (UInt8, UInt8) = (0, 0)
        for index in stride(from: 0, to: result.count, by: 2) {
            checksum.0 ^= result[index]
            checksum.1 ^= result[index + 1]
        }
        return result + [checksum.0, checksum.1]
    }
}
