// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Text from a peer, made safe: toxcore checks no encoding and lets NULs through.
enum PeerText {
    /// The bytes up to the first NUL (other clients append fields of their own behind one), with every malformed
    /// sequence replaced by U+FFFD, cut to `limit` bytes between two characters.
    static func repaired(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int = .max) -> String {
        shortened(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self), to: limit)
    }

    /// The longest start of `text` that has at most `limit` bytes of UTF-8 and splits no Unicode scalar.
    static func shortened(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var count = 0
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            if count > limit { break }
            result.append(scalar)
        }
        return String(result)
    }
}
