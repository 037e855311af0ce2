// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Why a text is not a peer's identifier or a friend address. Positions count bytes of UTF-8 from 0.
public enum IdentityTextError: Error, Hashable, Sendable {
    /// There is no text.
    case empty
    /// A space, a tab or a line break; trim the text before.
    case whitespace(at: Int)
    /// A character outside ASCII.
    case notASCII(at: Int)
    /// A character that neither Base58 (no 0, O, I, l) nor, at the length of hexadecimal, a hexadecimal digit is.
    case badCharacter(at: Int)
    /// More characters than any form has.
    case tooLong(count: Int, limit: Int)
    /// So many bytes where the form has `expected` of them.
    case wrongLength(count: Int, expected: Int)
    /// A friend address where a peer's identifier is expected: use `FriendAddress`.
    case isFriendAddress
    /// A peer's identifier where a friend address is expected: ask for the address.
    case isPeerID
    /// A friend address whose checksum does not match: a character is wrong.
    case badChecksum
}
