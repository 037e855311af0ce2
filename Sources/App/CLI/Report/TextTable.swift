// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A table for a terminal: the first column to the left, the others to the right.
struct TextTable {
    var header: [String]
    var rows: [[String]]

    var lines: [String] {
        let all = [header] + rows
        let columns = all.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in all.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "──")
        let body = all.map { row in
            (0..<columns).map { column in
                let cell = column < row.count ? row[column] : ""
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }
        return [body[0], rule] + body.dropFirst()
    }
}
