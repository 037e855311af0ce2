// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What both kinds of identity have in common as text: Base58, or twice as many hexadecimal digits as bytes.
enum IdentityText {
    /// The bytes of either form, of whatever length. The time is bounded: nothing longer than the longest form is read.
    static func bytes(of text: String) throws(IdentityTextError) -> [UInt8] {
        let count = text.utf8.count
        guard count > 0 else { throw .empty }
        guard count <= longest else { throw .tooLong(count: count, limit: longest) }
        let characters = Array(text.utf8)
        for (position, character) in characters.enumerated() {
            guard character < 0x80 else { throw .notASCII(at: position) }
            let isSpace = character == 0x20 || (0x09...0x0D).contains(character)
            guard !isSpace else { throw .whitespace(at: position) }
        }
        // No Base58 form of 32 or 38 bytes is as long as either hexadecimal one.
        let isHexadecimal = count == 2 * PeerID.byteCount || count == longest
        return isHexadecimal ? try Hexadecimal.decoded(characters) : try Base58.decoded(characters)
    }

    private static let longest = 2 * FriendAddress.byteCount
}

extension PeerID {
    /// The peer named by a text: Base58 of the 32 bytes, or 64 hexadecimal digits in either case.
    public init(parsing text: String) throws(IdentityTextError) {
        let bytes = try IdentityText.bytes(of: text)
        guard bytes.count != FriendAddress.byteCount else { throw .isFriendAddress }
        guard let peer = PeerID(bytes: bytes) else {
            throw .wrongLength(count: bytes.count, expected: Self.byteCount)
        }
        self = peer
    }

    /// The identifier as users see it: Base58 with Bitcoin's alphabet, at most 44 characters.
    public var base58: String { Base58.encoded(bytes) }
    /// The identifier as other Tox clients show it: 64 hexadecimal digits in capitals.
    public var hexadecimal: String { Hexadecimal.encoded(bytes) }
}

extension FriendAddress {
    /// The address in a text: Base58 of the 38 bytes, or 76 hexadecimal digits in either case.
    public init(parsing text: String) throws(IdentityTextError) {
        let bytes = try IdentityText.bytes(of: text)
        guard bytes.count != PeerID.byteCount else { throw .isPeerID }
        try self.init(bytes: bytes)
    }

    /// The address of these 38 bytes: public key, nospam, checksum.
    public init(bytes: some Collection<UInt8>) throws(IdentityTextError) {
        let content = Array(bytes)
        guard content.count == Self.byteCount, let peer = PeerID(bytes: content.prefix(PeerID.byteCount)),
            let nospam = UInt32(bigEndianBytes: content[PeerID.byteCount..<PeerID.byteCount + 4])
        else { throw .wrongLength(count: content.count, expected: Self.byteCount) }
        self.init(peer: peer, nospam: nospam)
        guard self.bytes == content else { throw .badChecksum }
    }

    /// The address as users see it: Base58 with Bitcoin's alphabet, at most 52 characters.
    public var base58: String { Base58.encoded(bytes) }
    /// The address as other Tox clients show it: 76 hexadecimal digits in capitals.
    public var hexadecimal: String { Hexadecimal.encoded(bytes) }
}
