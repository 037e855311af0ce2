// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What a command line said, checked against the command's own description.
struct Arguments: Sendable, Equatable {
    /// The commands' names, outermost first.
    var path: [String]
    /// What came without a name.
    var positionals: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    init(path: [String]) { self.path = path }

    /// Whether a flag was given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The value of an option, when it was given.
    func value(_ option: String) -> String? { values[option]?.last }

    /// Every value of a repeatable option, in order.
    func allValues(_ option: String) -> [String] { values[option] ?? [] }

    /// The value of an option as a whole number in a range.
    func integer(_ option: String, in range: ClosedRange<Int>, default fallback: Int) throws(UsageError) -> Int {
        guard let text = value(option) else { return fallback }
        guard let number = Int(text), range.contains(number) else {
            let reason = "it must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            throw .invalidValue(name: option, value: text, reason: reason)
        }
        return number
    }

    /// The value of an option as one of a few words.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ option: String, default fallback: Choice
    ) throws(UsageError) -> Choice where Choice.RawValue == String {
        guard let text = value(option) else { return fallback }
        if let choice = Choice(rawValue: text) { return choice }
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw .invalidValue(name: option, value: text, reason: "it must be one of \(words)")
    }

    /// Reads a command line. `--help` anywhere wins over what is wrong elsewhere in it.
    ///
    /// - Returns: the command that was named, and what was said to it.
    static func parse(_ words: [String], as root: CommandSpec) throws(UsageError) -> (CommandSpec, Arguments) {
        var rest = words[...]
        var spec = root
        var path: [String] = []
        while !spec.subcommands.isEmpty {
            guard let word = rest.first else {
                if wantsHelp(words) { break }
                throw .missingCommand
            }
            if ["--help", "-h", "help"].contains(word) { break }
            guard let next = spec.subcommands.first(where: { $0.name == word }) else {
                let names = spec.subcommands.filter { !$0.isHidden }.map(\.name)
                if word.hasPrefix("-") { throw .unknownOption(word, nearest: nil) }
                throw .unknownCommand(word, nearest: nearest(to: word, among: names))
            }
            rest = rest.dropFirst()
            path.append(word)
            spec = next
        }
        var arguments = Arguments(path: path)
        if wantsHelp(words) || !spec.subcommands.isEmpty {
            arguments.flags.insert("--help")
            return (spec, arguments)
        }
        try arguments.read(rest, for: spec)
        return (spec, arguments)
    }

    private static func wantsHelp(_ words: [String]) -> Bool {
        let beforeEnd = words.prefix { $0 != "--" }
        return beforeEnd.contains("--help") || beforeEnd.contains("-h")
    }

    private mutating func read(_ words: ArraySlice<String>, for spec: CommandSpec) throws(UsageError) {
        var rest = words
        var optionsEnded = false
        while let word = rest.popFirst() {
            if optionsEnded || !word.hasPrefix("-") || word == "-" {
                positionals.append(word)
            } else if word == "--" {
                optionsEnded = true
            } else {
                try readOption(word, &rest, for: spec)
            }
        }
        let required = spec.positionals.filter(\.isRequired)
        if positionals.count < required.count { throw .missingArgument(name: required[positionals.count].name) }
        if positionals.count > spec.positionals.count {
            throw .unexpectedArgument(positionals[spec.positionals.count])
        }
    }

    private mutating func readOption(
        _ word: String, _ rest: inout ArraySlice<String>, for spec: CommandSpec
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = spec.options.first(where: { $0.name == name }) else {
            throw .unknownOption(name, nearest: nearest(to: name, among: spec.options.map(\.name) + ["--help"]))
        }
        guard option.value != nil else {
            if parts.count > 1 { throw .unexpectedValue(option: name) }
            flags.insert(name)
            return
        }
        let value: String
        if parts.count > 1 {
            value = String(parts[1])
        } else if let next = rest.popFirst() {
            value = next
        } else {
            throw .missingValue(option: name)
        }
        if values[name] != nil, !option.isRepeatable { throw .repeatedOption(name) }
        values[name, default: []].append(value)
    }
}
