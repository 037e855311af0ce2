// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK
import RevueTime

/// `revue call` and `revue answer`: a call with a clip, a test pattern or nothing as source and a file as sink.
enum CallCommand {
    private static let common: [OptionSpec] =
        MediaChoice.options + [
            .option("--record", "FILE", "Writes what is received to a WebM file."),
            .option("--snapshot", "FILE", "Writes the last picture that was received to a PNG file."),
            .option(
                "--seconds", "N",
                "Hangs up after so many seconds, 1…86400; by default the call lasts until someone does."),
        ] + PeerOptions.network

    static let callSpec = CommandSpec(
        name: "call", summary: "Calls a friend.",
        positionals: [.init(name: "ID", summary: "The friend's ID, in either form.")],
        options: common + [.option("--wait", "N", "How long to look for the friend, 1…3600 s; 90 by default.")],
        notes: ["Ctrl-C hangs up."])

    static let answerSpec = CommandSpec(
        name: "answer", summary: "Waits for a call and takes it.",
        options: common + [
            .option("--wait", "N", "How long to wait for a call, 1…86400 s; 3600 by default."),
            .flag("--accept-requests", "Makes everyone who asks a friend."),
        ],
        notes: ["Prints the address that others need for `revue friend add`. Ctrl-C hangs up."])

    @MainActor static func call(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        let wait = Interval.seconds(Int64(try arguments.integer("--wait", in: 1...3_600, default: 90)))
        let friend = arguments.positionals[0]
        let mustBeFriend: @MainActor (Peer) throws -> Void = { peer in
            guard peer.revue.friends.isFriendExists(friendId: friend) else {
                throw CommandFailure(.failed, "\(friend) is no friend yet: `revue friend add ADDRESS` first")
            }
        }
        return try await run(arguments, context, prepare: mustBeFriend) { peer in
            try await peer.waitUntilReachable(friend, within: wait)
            switch try await peer.invite(friend) {
            case .connected: break
            case .ended(.finished): throw CommandFailure(.notAnswered, "they rejected the call")
            case .ended(.timeout): throw CommandFailure(.notAnswered, "they did not answer")
            case .ended(let reason): throw CommandFailure(.notAnswered, "the call ended before it began: \(reason)")
            }
        }
    }

    @MainActor static func answer(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        let wait = Interval.seconds(Int64(try arguments.integer("--wait", in: 1...86_400, default: 3_600)))
        let announce: @MainActor (Peer) -> Void = { peer in
            context.terminal.say("address \(peer.revue.revueAddress)")
            if arguments.has("--accept-requests") { acceptEveryone(peer) }
        }
        return try await run(arguments, context, prepare: announce) { peer in try await peer.answer(within: wait) }
    }

    @MainActor private static func acceptEveryone(_ peer: Peer) {
        Task { @MainActor in
            while let next = try await peer.nextRequest(within: .seconds(86_400)) { try peer.accept(request: next.id) }
        }
    }

    /// Starts an instance, lets `connect` bring a call about once it is on the network, and stays in the call to its end.
    @MainActor private static func run(
        _ arguments: Arguments, _ context: CommandContext, prepare: @MainActor (Peer) throws -> Void,
        connect: (Peer) async throws -> Void
    ) async throws -> ExitCode {
        let options = try PeerOptions(arguments)
        let limit = try arguments.integer("--seconds", in: 1...86_400, default: 86_400)
        let media = try CallMedia(
            CallMedia.Settings(choice: try MediaChoice(arguments), recording: arguments.value("--record")),
            on: try options.adapters())
        let peer = Peer(
            adapters: media.adapters, interruption: context.interruption,
            report: { event in if let text = event.sentence { context.terminal.say(text) } },
            subscribed: { media.subscribed($0) })
        try peer.start(options)
        do {
            try prepare(peer)
            try await peer.waitUntilOnline()
            try await connect(peer)
            try await stay(in: peer, media, seconds: limit, context)
        } catch let failure as CommandFailure where failure.code == .interrupted {
            peer.hangUp()
        } catch {
            await peer.stop()
            throw error
        }
        let lost = peer.disconnectReason == .networkLost
        if let path = arguments.value("--snapshot") { try media.writeSnapshot(to: path) }
        await peer.stop()
        try media.finish()
        if lost { throw CommandFailure(.network, "the connection was lost") }
        return context.interruption.hasHappened ? .interrupted : .ok
    }

    @MainActor private static func stay(
        in peer: Peer, _ media: CallMedia, seconds: Int, _ context: CommandContext
    ) async throws {
        guard let participant = peer.participant, let local = peer.revue.room.localParticipant else { return }
        try await media.publish(to: participant, as: local)
        var watch = CallWatch(media)
        for second in 0..<seconds {
            if try await peer.waitForEnd(within: .seconds(1)) { return }
            let sample = watch.sample()
            let line =
                "\(clock(second + 1))  \(Format.fixed(sample.fps, 0)) fps  \(Format.fixed(sample.kilobits, 0)) kbit/s  "
                + "\(media.videoMeter.size.width)×\(media.videoMeter.size.height)  cpu \(Format.fixed(sample.cpu, 0)) %"
                + (participant.paths.isOnline ? "" : "  no connection")
            context.terminal.status(line, plain: line)
        }
        peer.hangUp()
    }

    private static func clock(_ seconds: Int) -> String {
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
