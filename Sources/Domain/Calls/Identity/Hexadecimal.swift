// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Two digits a byte, the higher one first; written in capitals as Tox clients do, read in either case.
enum Hexadecimal {
    /// The text of these bytes.
    static func encoded(_ bytes: [UInt8]) -> String {
        var text = ""
        for byte in bytes {
            for digit in [byte >> 4, byte & 0xF] { text.unicodeScalars.append(Unicode.Scalar(digits[Int(digit)])) }
        }
        return text
    }

    /// The bytes of a text of an even number of characters.
    static func decoded(_ text: [UInt8]) throws(IdentityTextError) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        for (position, character) in text.enumerated() {
            guard let digit = value(of: character) else { throw .badCharacter(at: position) }
            guard let pending = high else {
                high = digit
                continue
            }
            bytes.append(pending << 4 | digit)
            high = nil
        }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt8? {
        let isLower = (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(character)
        let upper = isLower ? character & ~0x20 : character
        return digits.firstIndex(of: upper).map { UInt8($0) }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
