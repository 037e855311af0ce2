// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A peer's long-term public key: 32 bytes. The only name by which peers are known inside.
public struct PeerID: Hashable, Comparable, Sendable {
    /// The key's length in bytes.
    public static let byteCount = 32

    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The peer with this public key; nil unless there are exactly 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var parts: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var position = 0
        for byte in bytes {
            switch position >> 3 {
            case 0: parts.0 = parts.0 << 8 | UInt64(byte)
            case 1: parts.1 = parts.1 << 8 | UInt64(byte)
            case 2: parts.2 = parts.2 << 8 | UInt64(byte)
            default: parts.3 = parts.3 << 8 | UInt64(byte)
            }
            position += 1
        }
        words = parts
    }

    /// The key's 32 bytes.
    public var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(Self.byteCount)
        for word in [words.0, words.1, words.2, words.3] {
            for shift in stride(from: 56, through: 0, by: -8) {
                result.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return result
    }

    /// Whether both are the same key.
    public static func == (left: PeerID, right: PeerID) -> Bool { left.words == right.words }
    /// Whether the left key is the smaller one, byte by byte: what settles two invitations at once.
    public static func < (left: PeerID, right: PeerID) -> Bool { left.words < right.words }

    /// Feeds the key into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.3)
    }
}
