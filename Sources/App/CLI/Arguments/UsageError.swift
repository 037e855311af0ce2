// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A command line that cannot be carried out as written.
enum UsageError: Error, Equatable {
    case unknownCommand(String, nearest: String?)
    case unknownOption(String, nearest: String?)
    case missingCommand
    case missingValue(option: String)
    case unexpectedValue(option: String)
    case repeatedOption(String)
    case missingArgument(name: String)
    case unexpectedArgument(String)
    case invalidValue(name: String, value: String, reason: String)

    /// What is wrong and what to write instead.
    var message: String {
        switch self {
        case .unknownCommand(let name, let nearest): "there is no command '\(name)'" + Self.hint(nearest)
        case .unknownOption(let name, let nearest): "there is no option '\(name)'" + Self.hint(nearest)
        case .missingCommand: "a command is missing"
        case .missingValue(let option): "\(option) needs a value"
        case .unexpectedValue(let option): "\(option) takes no value"
        case .repeatedOption(let option): "\(option) may be given once"
        case .missingArgument(let name): "\(name) is missing"
        case .unexpectedArgument(let argument): "'\(argument)' is one argument too many"
        case .invalidValue(let name, let value, let reason): "\(name) cannot be '\(value)': \(reason)"
        }
    }

    private static func hint(_ nearest: String?) -> String { nearest.map { "; did you mean '\($0)'?" } ?? "" }
}

/// The candidate that takes the fewest edits to reach from `word`, unless even that is more than a slip of the fingers.
func nearest(to word: String, among candidates: [String]) -> String? {
    let ranked = candidates.map { ($0, editDistance(word, $0)) }
    guard let best = ranked.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) else { return nil }
    return best.1 <= max(2, word.count / 3) ? best.0 : nil
}

/// Levenshtein distance, with a swap of neighbours as one edit.
func editDistance(_ left: String, _ right: String) -> Int {
    let (a, b) = (Array(left), Array(right))
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
        var row = [i + 1]
        for j in 0..<b.count {
            var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
            row.append(cost)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
