// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A command's help, laid out for a terminal of 100 columns.
struct HelpText {
    var spec: CommandSpec
    /// The names that lead to the command, outermost first, without the program's own.
    var path: [String]

    var text: String {
        var lines = ["usage: \(usage)", "", spec.summary]
        if !spec.notes.isEmpty { lines += [""] + spec.notes }
        let commands = spec.subcommands.filter { !$0.isHidden }.map { ($0.name, $0.summary) }
        lines += section("commands", commands)
        lines += section("arguments", spec.positionals.map { ($0.name, $0.summary) })
        let options = (spec.options + [.help]).map { option in
            (option.value.map { "\(option.name) \($0)" } ?? option.name, option.summary)
        }
        lines += section("options", options)
        if !commands.isEmpty {
            let prefix = (["revue"] + path).joined(separator: " ")
            lines += ["", "`\(prefix) COMMAND --help` says more about a command."]
        }
        lines += section("exit codes", path.isEmpty ? ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) } : [])
        return lines.joined(separator: "\n") + "\n"
    }

    private var usage: String {
        var words = ["revue"] + path
        if !spec.subcommands.isEmpty { words.append("COMMAND") }
        for positional in spec.positionals {
            words.append(positional.isRequired ? positional.name : "[\(positional.name)]")
        }
        if !spec.options.isEmpty { words.append("[OPTIONS]") }
        return words.joined(separator: " ")
    }

    private func section(_ title: String, _ rows: [(String, String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let width = min(30, rows.map(\.0.count).max() ?? 0)
        var lines = ["", "\(title):"]
        for (name, summary) in rows {
            let padding = String(repeating: " ", count: max(0, width - name.count))
            lines.append("  \(name)\(padding)  \(summary)")
        }
        return lines
    }
}
