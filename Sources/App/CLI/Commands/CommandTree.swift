// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What a command may use of its surroundings.
@MainActor struct CommandContext {
    let terminal = Terminal.shared
    let interruption: Interruption
}

/// Every command, by the words that name it.
enum CommandTree {
    typealias Command = @MainActor (Arguments, CommandContext) async throws -> ExitCode

    static let root = CommandSpec(
        name: "revue", summary: "Voice and video between two people, without a server between them.",
        subcommands: [
            DemoCommand.spec, NodeCommand.spec, IdentityCommand.spec, FriendCommand.spec, CallCommand.callSpec,
            CallCommand.answerSpec, LicenceCommand.spec, BenchCommand.spec, DemoPeerCommand.spec,
        ])

    static let commands: [[String]: Command] = [
        ["demo"]: DemoCommand.run,
        ["node"]: NodeCommand.run,
        ["id"]: IdentityCommand.run,
        ["friend", "add"]: FriendCommand.add,
        ["friend", "accept"]: FriendCommand.accept,
        ["friend", "requests"]: FriendCommand.requests,
        ["friend", "list"]: FriendCommand.list,
        ["friend", "remove"]: FriendCommand.remove,
        ["call"]: CallCommand.call,
        ["answer"]: CallCommand.answer,
        ["licence", "issue"]: LicenceCommand.issue,
        ["licence", "show"]: LicenceCommand.show,
        ["bench"]: BenchCommand.run,
        ["demo-peer"]: DemoPeerCommand.run,
    ]
}
