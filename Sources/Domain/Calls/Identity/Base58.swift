// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Base58 with Bitcoin's alphabet: a number in base 58, with a leading 1 for each leading zero byte. No checksum.
enum Base58 {
    /// The text of these bytes. Takes time with the square of their number: for identifiers, not for data.
    static func encoded(_ bytes: [UInt8]) -> String {
        let zeros = bytes.prefix { $0 == 0 }.count
        var digits: [UInt8] = []
        for byte in bytes.dropFirst(zeros) {
            var carry = Int(byte)
            for index in digits.indices {
                carry += Int(digits[index]) << 8
                digits[index] = UInt8(carry % 58)
                carry /= 58
            }
            while carry > 0 {
                digits.append(UInt8(carry % 58))
                carry /= 58
            }
        }
        var text = String(repeating: "1", count: zeros)
        for digit in digits.reversed() { text.unicodeScalars.append(Unicode.Scalar(alphabet[Int(digit)])) }
        return text
    }

    /// The bytes of a text that is known to be short.
    static func decoded(_ text: [UInt8]) throws(IdentityTextError) -> [UInt8] {
        let zeros = text.prefix { $0 == alphabet[0] }.count
        var bytes: [UInt8] = []
        for (position, character) in text.enumerated().dropFirst(zeros) {
            guard let digit = alphabet.firstIndex(of: character) else { throw .badCharacter(at: position) }
            var carry = digit
            for index in bytes.indices {
                carry += Int(bytes[index]) * 58
                bytes[index] = UInt8(carry & 0xFF)
                carry >>= 8
            }
            if carry > 0 { bytes.append(UInt8(carry)) }
        }
        return Array(repeating: 0, count: zeros) + bytes.reversed()
    }

    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
}
