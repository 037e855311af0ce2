// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What a command is called, takes and does, as far as parsing and help need to know.
struct CommandSpec: Sendable {
    /// The word on the command line.
    var name: String
    /// One line for the list of commands.
    var summary: String
    /// What it needs after its name, in order.
    var positionals: [Positional] = []
    /// Its options.
    var options: [OptionSpec] = []
    /// Further sentences for its help.
    var notes: [String] = []
    /// The commands below it; a command with some does nothing by itself.
    var subcommands: [CommandSpec] = []
    /// Left out of the list of commands.
    var isHidden = false

    /// An argument without a name.
    struct Positional: Sendable {
        var name: String
        var summary: String
        var isRequired = true
    }
}

/// An option: a flag, or one that takes a value.
struct OptionSpec: Sendable {
    /// With its dashes.
    var name: String
    /// The value's name in help; nil for a flag.
    var value: String?
    /// One line for help.
    var summary: String
    /// Whether it may be given more than once.
    var isRepeatable = false

    static func flag(_ name: String, _ summary: String) -> OptionSpec {
        OptionSpec(name: name, value: nil, summary: summary)
    }

    static func option(
        _ name: String, _ value: String, _ summary: String, isRepeatable: Bool = false
    ) -> OptionSpec {
        OptionSpec(name: name, value: value, summary: summary, isRepeatable: isRepeatable)
    }

    static let help = flag("--help", "Shows this.")
}
