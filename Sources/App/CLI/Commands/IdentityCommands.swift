// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain
import RevueSDK
import RevueTime

/// `revue id`: who this is.
enum IdentityCommand {
    static let spec = CommandSpec(
        name: "id", summary: "Shows the identity, and makes one when there is none.",
        options: PeerOptions.identity,
        notes: [
            "The ID names you; the address is what others need to send you a friend request. Give them either form:",
            "the hexadecimal ones are what other Tox programs show.",
        ])

    @MainActor static func run(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        let options = try PeerOptions(arguments, needsNode: false)
        let peer = Peer(adapters: try options.adapters(), interruption: context.interruption, report: { _ in })
        try peer.start(options, isAlone: true)
        let (id, address) = (peer.revue.revueId, peer.revue.revueAddress)
        let name = peer.revue.selfName
        await peer.stop()
        context.terminal.say("id             \(id)")
        context.terminal.say("address        \(address)")
        context.terminal.say("id (hex)       \(try PeerID(parsing: id).hexadecimal)")
        context.terminal.say("address (hex)  \(try FriendAddress(parsing: address).hexadecimal)")
        if !name.isEmpty { context.terminal.say("name           \(name)") }
        context.terminal.say("kept in        \(options.folder.path)")
        return .ok
    }
}

/// `revue friend …`: who may call.
enum FriendCommand {
    static let spec = CommandSpec(
        name: "friend", summary: "Adds, lists and removes friends.",
        subcommands: [
            CommandSpec(
                name: "add", summary: "Sends a friend request, and waits until the friend is reachable.",
                positionals: [.init(name: "ADDRESS", summary: "Their address, in either form.")],
                options: [
                    .option("--message", "TEXT", "What the request says; \"Hi\" by default."),
                    .option("--seconds", "N", "How long to wait, 1…3600; 120 by default."),
                ] + PeerOptions.network),
            CommandSpec(name: "list", summary: "Lists the friends.", options: PeerOptions.identity),
            CommandSpec(
                name: "remove", summary: "Forgets a friend.",
                positionals: [.init(name: "ID", summary: "Their ID, in either form.")], options: PeerOptions.network,
                notes: ["With --node the friend is told, if they are reachable."]),
            CommandSpec(
                name: "requests", summary: "Goes on the network and shows the friend requests that come.",
                options: [
                    .option("--seconds", "N", "How long to listen, 1…3600; 60 by default."),
                    .flag("--accept", "Accepts every one of them."),
                ] + PeerOptions.network),
            CommandSpec(
                name: "accept", summary: "Makes whoever has this ID a friend, and waits until they are reachable.",
                positionals: [.init(name: "ID", summary: "Their ID, in either form.")],
                options: [.option("--seconds", "N", "How long to wait, 1…3600; 120 by default.")] + PeerOptions.network),
        ])

    @MainActor static func add(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        try await online(arguments, context) { peer in
            let address = arguments.positionals[0]
            let before = Set(peer.revue.friends.getFriendList())
            try peer.add(address: address, message: arguments.value("--message") ?? "Hi")
            let friend = peer.revue.friends.getFriendList().first { !before.contains($0) } ?? address
            context.terminal.say("asked; waiting until they accept and are reachable")
            let limit = Interval.seconds(Int64(try arguments.integer("--seconds", in: 1...3_600, default: 120)))
            try await peer.waitUntilReachable(friend, within: limit)
            context.terminal.say("\(friend) is a friend and reachable")
        }
    }

    @MainActor static func accept(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        try await online(arguments, context) { peer in
            let id = arguments.positionals[0]
            try peer.accept(request: id)
            let limit = Interval.seconds(Int64(try arguments.integer("--seconds", in: 1...3_600, default: 120)))
            try await peer.waitUntilReachable(id, within: limit)
            context.terminal.say("\(id) is a friend and reachable")
        }
    }

    @MainActor static func requests(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        try await online(arguments, context) { peer in
            let seconds = try arguments.integer("--seconds", in: 1...3_600, default: 60)
            let end = ContinuousClock.now + .seconds(seconds)
            var seen: Set<String> = []
            while ContinuousClock.now < end {
                let left = Interval.seconds(Double((end - .now).components.seconds) + 1)
                let next = try await peer.changes.first(within: left) { peer.requests.first { !seen.contains($0.id) } }
                guard let next else { break }
                seen.insert(next.id)
                context.terminal.say("\(next.id)  \(next.message)")
                if arguments.has("--accept") { try peer.accept(request: next.id) }
            }
            if seen.isEmpty { context.terminal.say("nobody asked within \(seconds) s") }
        }
    }

    @MainActor static func list(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        let options = try PeerOptions(arguments, needsNode: false)
        let peer = Peer(adapters: try options.adapters(), interruption: context.interruption, report: { _ in })
        try peer.start(options, isAlone: true)
        let friends = peer.revue.friends.getFriendList().map { ($0, peer.revue.friends.getFriendName(friendId: $0)) }
        await peer.stop()
        for (id, name) in friends { context.terminal.say(name.isEmpty ? id : "\(id)  \(name)") }
        if friends.isEmpty { context.terminal.say("no friends yet; `revue friend add ADDRESS` asks for one") }
        return .ok
    }

    @MainActor static func remove(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        let options = try PeerOptions(arguments, needsNode: false)
        let id = arguments.positionals[0]
        let peer = Peer(adapters: try options.adapters(), interruption: context.interruption, report: { _ in })
        try peer.start(options)
        do {
            if !options.nodes.isEmpty { try await peer.waitUntilReachable(id, within: .seconds(30)) }
        } catch let failure as CommandFailure where failure.code == .network {
            context.terminal.complain("they cannot be told now: \(failure.message)")
        }
        do {
            try peer.revue.friends.deleteFriend(friendId: id)
        } catch {
            await peer.stop()
            throw CommandFailure(.failed, "\(id) cannot be removed: \(error.localizedDescription)")
        }
        await peer.stop()
        context.terminal.say("\(id) is no friend any more")
        return .ok
    }

    /// Runs something with an instance that is on the network.
    @MainActor private static func online(
        _ arguments: Arguments, _ context: CommandContext, _ body: (Peer) async throws -> Void
    ) async throws -> ExitCode {
        let options = try PeerOptions(arguments)
        let peer = Peer(adapters: try options.adapters(), interruption: context.interruption) { event in
            if case .reachability = event, let text = event.sentence { context.terminal.status(text, plain: text) }
        }
        try peer.start(options)
        do {
            try await peer.waitUntilOnline()
            try await body(peer)
        } catch {
            await peer.stop()
            throw error
        }
        await peer.stop()
        return .ok
    }
}
