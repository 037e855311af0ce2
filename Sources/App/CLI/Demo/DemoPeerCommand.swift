// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDispatch
import RevuePorts
import RevueSDK
import RevueTime

/// `revue demo-peer`: one side of a call that another process watches. Says everything as JSON lines.
enum DemoPeerCommand {
    static let spec = CommandSpec(
        name: "demo-peer", summary: "One side of the demonstration, for the program that runs it.",
        options: [
            .option("--role", "ROLE", "call or answer."),
            .option("--friend", "ADDRESS", "Whom to call: added first when no friend yet."),
            .option("--seconds", "N", "How long the call lasts once connected, 1…600; 15 by default."),
            .option("--mute-at", "N", "When the camera is muted, in seconds of the call."),
            .option("--mute-for", "N", "For how many seconds; 2 by default."),
            .option("--pictures", "DIR", "Keeps every seventh picture that is sent and received."),
            .option("--record", "FILE", "Writes what is received to a WebM file."),
            .option("--snapshot", "FILE", "Writes a received picture to a PNG file."),
            .option("--frames-csv", "FILE", "Writes a line for each picture shown."),
            .flag("--wait-after-loss", "After a lost call, waits for the next one instead of ending."),
        ] + MediaChoice.options + PeerOptions.network, isHidden: true)

    private enum Role: String, CaseIterable {
        case call, answer
    }

    @MainActor static func run(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        context.interruption.watchParent()
        let scheduler = DispatchScheduler()
        let say: @MainActor (PeerEvent) -> Void = { event in
            let line = PeerLine(time: scheduler.now.nanoseconds, event: event)
            if let text = try? line.encoded() { context.terminal.say(text) }
        }
        do {
            try await perform(arguments, context, say)
            return .ok
        } catch let failure as CommandFailure {
            if failure.code != .interrupted { say(.failed(failure.message)) }
            throw failure
        } catch {
            say(.failed("\(error)"))
            throw error
        }
    }

    @MainActor private static func perform(
        _ arguments: Arguments, _ context: CommandContext, _ say: @escaping @MainActor (PeerEvent) -> Void
    ) async throws {
        let options = try PeerOptions(arguments)
        let role = try arguments.choice("--role", default: Role.answer)
        let media = try CallMedia(
            CallMedia.Settings(
                choice: try MediaChoice(arguments), isMeasured: true,
                pictures: arguments.value("--pictures").map { URL(fileURLWithPath: $0) },
                recording: arguments.value("--record")),
            on: try options.adapters())
        let peer = Peer(
            adapters: media.adapters, interruption: context.interruption, report: say,
            subscribed: { media.subscribed($0) })
        try peer.start(options)
        do {
            let script = try DemoScript(arguments, peer: peer, media: media, say: say)
            try await peer.waitUntilOnline()
            switch role {
            case .call: try await script.call(arguments.value("--friend"))
            case .answer: try await script.answer()
            }
            try script.conclude()
        } catch {
            await peer.stop()
            throw error
        }
        await peer.stop()
    }
}

/// What a side of the demonstration does, step by step.
@MainActor private struct DemoScript {
    let peer: Peer
    let media: CallMedia
    let say: @MainActor (PeerEvent) -> Void
    let seconds: Int
    let muteAt: Int?
    let muteFor: Int
    let snapshot: String?
    let framesFile: String?
    let waitsAfterLoss: Bool
    private let processor: Locked<ProcessorClock>

    init(
        _ arguments: Arguments, peer: Peer, media: CallMedia, say: @escaping @MainActor (PeerEvent) -> Void
    ) throws(UsageError) {
        self.peer = peer
        self.media = media
        self.say = say
        seconds = try arguments.integer("--seconds", in: 1...600, default: 15)
        muteAt = arguments.value("--mute-at") == nil ? nil : try arguments.integer("--mute-at", in: 0...600, default: 0)
        muteFor = try arguments.integer("--mute-for", in: 1...600, default: 2)
        snapshot = arguments.value("--snapshot")
        framesFile = arguments.value("--frames-csv")
        waitsAfterLoss = arguments.has("--wait-after-loss")
        processor = Locked(ProcessorClock(scheduler: media.adapters.scheduler))
    }

    func call(_ address: String?) async throws {
        let known = peer.revue.friends.getFriendList()
        if let address, !peer.revue.friends.isFriendExists(friendId: address) {
            try peer.add(address: address, message: "Hi, it's \(peer.revue.selfName)")
        }
        let friends = peer.revue.friends.getFriendList()
        guard let friend = friends.first(where: { !known.contains($0) }) ?? friends.first else {
            throw CommandFailure(.usage, "there is nobody to call: --friend ADDRESS is missing")
        }
        try await peer.waitUntilReachable(friend)
        guard try await peer.invite(friend) == .connected else {
            throw CommandFailure(.notAnswered, "the call was not answered")
        }
        try await talk(hangsUp: true)
    }

    func answer() async throws {
        let requests = Task { @MainActor [peer] in
            while let next = try await peer.nextRequest(within: .seconds(3_600)) { try peer.accept(request: next.id) }
        }
        defer { requests.cancel() }
        repeat {
            try await peer.answer(within: .seconds(600))
            try await talk(hangsUp: false)
        } while waitsAfterLoss && peer.disconnectReason == .networkLost
    }

    /// From connected to the end of the call. Who does not hang up waits for the other, and a little longer.
    private func talk(hangsUp: Bool) async throws {
        guard let participant = peer.participant, let local = peer.revue.room.localParticipant else { return }
        processor.withLock { $0 = ProcessorClock(scheduler: media.adapters.scheduler) }
        try await media.publish(to: participant, as: local)
        var watch = CallWatch(media)
        for second in 1...(hangsUp ? seconds : seconds + 60) {
            if second - 1 == muteAt { try await mute(true, local) }
            if let muteAt, second - 1 == muteAt + muteFor { try await mute(false, local) }
            if try await peer.waitForEnd(within: .seconds(1)) { return }
            say(.second(watch.sample()))
            if second == max(1, seconds / 3), let snapshot { try media.writeSnapshot(to: snapshot) }
        }
        guard hangsUp else { throw CommandFailure(.failed, "the other side did not hang up") }
        peer.hangUp()
    }

    private func mute(_ isMuted: Bool, _ local: LocalParticipant) async throws {
        if isMuted { try await local.cameraTrack.mute() } else { try await local.cameraTrack.unmute() }
        say(.cameraMuted(isMuted))
    }

    /// What this side sent and received.
    func conclude() throws {
        let cpu = processor.withLock { $0.lap() }
        try media.finish()
        say(.sent(media.counters.sent))
        let marks = media.audioMeter.marks
        var summary = ReceivedSummary(media, marks: marks)
        summary.cpu = cpu
        say(.received(summary))
        guard let framesFile else { return }
        try FramesFile(media.videoMeter.shown).write(to: framesFile)
        try MarksFile(marks: marks).write(to: framesFile.replacing(".csv", with: "") + "-sound.csv")
    }
}
