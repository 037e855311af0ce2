// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

extension String {
    /// The text without NUL characters, which some clients take for its end.
    var withoutNUL: String {
        guard unicodeScalars.contains("\u{0}") else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars where scalar != "\u{0}" { scalars.append(scalar) }
        return String(scalars)
    }

    /// The longest start of the text that fits into so many bytes of UTF-8 without cutting a scalar.
    func fitted(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var result = String.UnicodeScalarView()
        var bytes = 0
        for scalar in unicodeScalars {
            bytes += UTF8.width(scalar)
            if bytes > limit { break }
            result.append(scalar)
        }
        return String(result)
    }
}
