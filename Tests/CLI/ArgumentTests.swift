// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Testing

@testable import revue

@Suite struct ArgumentTests {
    private static let root = CommandSpec(
        name: "revue", summary: "A tool.",
        subcommands: [
            CommandSpec(
                name: "call", summary: "Calls.", positionals: [.init(name: "ID", summary: "Whom.")],
                options: [
                    .option("--seconds", "N", "How long."), .option("--node", "NODE", "A node.", isRepeatable: true),
                    .flag("--quiet", "Says less."),
                ]),
            CommandSpec(
                name: "friend", summary: "Friends.",
                subcommands: [CommandSpec(name: "list", summary: "Lists."), CommandSpec(name: "add", summary: "Adds.")]),
            CommandSpec(name: "secret", summary: "Hidden.", isHidden: true),
        ])

    private func parse(_ line: String) throws(UsageError) -> (CommandSpec, Arguments) {
        try Arguments.parse(line.split(separator: " ").map(String.init), as: Self.root)
    }

    @Test func `options are read as a word of their own or after an equals sign`() throws {
        for line in ["call --seconds 5 abc", "call abc --seconds=5"] {
            let (spec, arguments) = try parse(line)
            #expect(spec.name == "call")
            #expect(arguments.positionals == ["abc"])
            #expect(try arguments.integer("--seconds", in: 1...10, default: 2) == 5)
        }
    }

    @Test func `what is not given has its default`() throws {
        let (_, arguments) = try parse("call abc")
        #expect(try arguments.integer("--seconds", in: 1...10, default: 2) == 2)
        #expect(!arguments.has("--quiet"))
        #expect(arguments.allValues("--node").isEmpty)
    }

    @Test func `a repeatable option keeps every value in order`() throws {
        let (_, arguments) = try parse("call abc --node one --node=two --quiet")
        #expect(arguments.allValues("--node") == ["one", "two"])
        #expect(arguments.has("--quiet"))
    }

    @Test func `words after two dashes are arguments even when they look like options`() throws {
        let (_, arguments) = try parse("call -- --seconds")
        #expect(arguments.positionals == ["--seconds"])
    }

    @Test(arguments: [
        ("", UsageError.missingCommand),
        ("cal x", .unknownCommand("cal", nearest: "call")),
        ("secrte", .unknownCommand("secrte", nearest: nil)),
        ("friend", .missingCommand),
        ("friend lsit", .unknownCommand("lsit", nearest: "list")),
        ("call x --second 5", .unknownOption("--second", nearest: "--seconds")),
        ("call x --zebra-crossing", .unknownOption("--zebra-crossing", nearest: nil)),
        ("call x --seconds", .missingValue(option: "--seconds")),
        ("call x --quiet=yes", .unexpectedValue(option: "--quiet")),
        ("call x --seconds 1 --seconds 2", .repeatedOption("--seconds")),
        ("call", .missingArgument(name: "ID")),
        ("call x y", .unexpectedArgument("y")),
    ])
    func `a line that cannot be carried out says why`(line: String, error: UsageError) {
        #expect(throws: error) { try parse(line) }
    }

    @Test(arguments: ["0", "11", "x", "-1", ""])
    func `a number outside its range is refused with the range`(text: String) throws {
        let (_, arguments) = try Arguments.parse(["call", "x", "--seconds=\(text)"], as: Self.root)
        let reason = "it must be a whole number from 1 to 10"
        #expect(throws: UsageError.invalidValue(name: "--seconds", value: text, reason: reason)) {
            try arguments.integer("--seconds", in: 1...10, default: 2)
        }
    }

    @Test(arguments: ["--help", "friend --help", "friend list -h", "call --seconds --help", "help"])
    func `help wins wherever it stands`(line: String) throws {
        #expect(try parse(line).1.has("--help"))
    }

    @Test func `help names every visible command and option with its value`() throws {
        let top = HelpText(spec: Self.root, path: []).text
        #expect(top.contains("call") && top.contains("friend") && !top.contains("secret"))
        #expect(top.contains("exit codes"))
        let call = HelpText(spec: Self.root.subcommands[0], path: ["call"]).text
        #expect(call.hasPrefix("usage: revue call ID [OPTIONS]\n"))
        #expect(call.contains("--node NODE") && call.contains("--help"))
    }

    @Test(arguments: [
        ("call", "call", 0), ("cal", "call", 1), ("clal", "call", 1), ("", "ab", 2), ("kitten", "sitting", 3),
    ])
    func `edits are counted with a swap as one`(left: String, right: String, edits: Int) {
        #expect(editDistance(left, right) == edits)
        #expect(editDistance(right, left) == edits)
    }
}
