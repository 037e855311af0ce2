// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDispatch
import RevueTime

/// The demonstration: a node and two peers as processes of their own, watched, measured and judged.
@MainActor final class DemoRun {
    struct Settings {
        var output: URL
        var seconds: Int
        var clip: String
        var speech: String
        /// Whether it runs over plain datagrams instead of Tox.
        var isLab = false
        /// Seconds after which whatever still runs is ended.
        var limit = Interval.seconds(58)
    }

    private let settings: Settings
    private let context: CommandContext
    private let changes: Changes
    private let scratch: URL
    private var timeline: DemoTimeline
    private var children: [ChildProcess] = []
    private var exits: [DemoPerson: Int32] = [:]
    private var unreadable: [String] = []

    init(_ settings: Settings, _ context: CommandContext) throws {
        self.settings = settings
        self.context = context
        changes = Changes(interruption: context.interruption)
        timeline = DemoTimeline(start: DispatchScheduler().now.nanoseconds)
        scratch = FileManager.default.temporaryDirectory.appendingPathComponent("revue-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: settings.output, withIntermediateDirectories: true)
    }

    /// Runs it to its end, and ends every process however that comes about.
    func run() async throws -> CallReport {
        defer {
            for child in children { child.endNow() }
            try? FileManager.default.removeItem(at: scratch)  // what is left is in the system's temporary folder
        }
        context.interruption.onInterruption { [weak self] in
            for child in self?.children ?? [] { child.endNow() }
        }
        let deadline = DispatchScheduler().now + settings.limit
        let network = settings.isLab ? try labNetwork() : try await toxNetwork()
        let bob = try startPeer(.bob, network, more: ["--role", "answer"])
        guard let address = try await changes.first(within: .seconds(10), { self.address(of: .bob) }) else {
            throw CommandFailure(.failed, "Bob did not start: \(bob.complaints)")
        }
        let alice = try startPeer(
            .alice, network,
            more: [
                "--role", "call", "--friend", address, "--mute-at", "\(muteAt)", "--mute-for", "2", "--record",
                settings.output.appendingPathComponent("received.webm").path, "--snapshot",
                settings.output.appendingPathComponent("snapshot.png").path,
            ])
        let left = deadline - DispatchScheduler().now
        let finished = try await changes.first(within: left) { self.exits.count == 2 ? true : nil }
        var checks: [CallReport.Check] = []
        for (person, child) in [(DemoPerson.alice, alice), (.bob, bob)] where exits[person] != 0 {
            let status = exits[person].map { "exit status \($0)" } ?? "still running"
            let complaint = child.complaints.split(separator: "\n").last.map { ": \($0)" } ?? ""
            checks.append(
                .init(
                    name: "\(person.rawValue)'s process ends well", measured: status + complaint, limit: "0",
                    passed: false))
        }
        if finished == nil { context.terminal.complain("the time is up; ending what still runs") }
        return try report(checks: checks)
    }

    /// When Alice mutes, in seconds of the call.
    private var muteAt: Int { max(2, settings.seconds / 2 - 1) }

    // MARK: - Processes

    /// How each person is told to reach the other.
    private typealias Network = [DemoPerson: [String]]

    private func toxNetwork() async throws -> Network {
        let node = ["--node", try await startNode()]
        return [.alice: node, .bob: node]
    }

    /// Two ports of loopback, and for each person a list that says where the other listens.
    private func labNetwork() throws -> Network {
        let ports = FreePorts.udp(2)
        guard ports.count == 2 else { throw CommandFailure(.network, "no UDP port of 127.0.0.1 is free") }
        let places: [DemoPerson: UInt16] = [.alice: ports[0], .bob: ports[1]]
        var network: Network = [:]
        for (person, port) in places {
            let file = scratch.appendingPathComponent("\(person.rawValue)-peers")
            try Data("* 127.0.0.1:\(places[person.other] ?? 0)\n".utf8).write(to: file)
            network[person] = ["--transport", "udp", "--bind", "127.0.0.1:\(port)", "--peers", file.path]
        }
        return network
    }

    private func startNode() async throws -> String {
        let child = try ChildProcess(["node", "--attached"])
        children.append(child)
        var line: String?
        Task { [changes] in
            for await printed in child.lines {
                line = line ?? printed
                changes.notify()
            }
        }
        guard let line = try await changes.first(within: .seconds(5), { line }), line.hasPrefix("--node ") else {
            throw CommandFailure(.failed, "the node did not start: \(child.complaints)")
        }
        say("Node", "listens")
        return String(line.dropFirst("--node ".count))
    }

    private func startPeer(_ person: DemoPerson, _ network: Network, more: [String]) throws -> ChildProcess {
        let options: DemoOptions = person == .alice ? .standard : .lowLatency
        let child = try ChildProcess(
            [
                "demo-peer", "--name", person.rawValue,
                "--data", scratch.appendingPathComponent("\(person.rawValue)-data").path,
                "--pictures", pictures(of: person).path, "--seconds", "\(settings.seconds)",
                "--preset", options.rawValue, "--source", "clip:\(settings.clip)", "--audio", settings.speech,
                "--frames-csv",
                settings.output.appendingPathComponent(
                    "\(person.other.rawValue.lowercased())-to-\(person.rawValue.lowercased()).csv"
                ).path,
            ] + (network[person] ?? []) + more)
        children.append(child)
        Task { [weak self] in
            for await line in child.lines { self?.received(line, from: person) }
            let status = await child.wait()
            self?.exits[person] = status
            self?.changes.notify()
        }
        return child
    }

    private func pictures(of person: DemoPerson) -> URL {
        scratch.appendingPathComponent("\(person.rawValue)-pictures")
    }

    private func received(_ text: String, from person: DemoPerson) {
        guard let line = try? PeerLine(decoding: text) else {
            unreadable.append(text)
            context.terminal.complain("\(person.rawValue) said what nobody understands: \(text)")
            return
        }
        timeline.append(line, of: person)
        if let sentence = line.event.sentence {
            context.terminal.say(
                "\(Format.seconds(timeline.seconds(line.time)))  \(person.rawValue.padded(to: 5))  \(sentence)")
        } else if case .second(let sample) = line.event {
            context.terminal.status(live(person, sample), plain: live(person, sample))
        }
        changes.notify()
    }

    private func live(_ person: DemoPerson, _ sample: SecondSample) -> String {
        "\(Format.seconds(timeline.seconds(DispatchScheduler().now.nanoseconds)))  \(person.rawValue.padded(to: 5))  "
            + "sees \(Format.fixed(sample.fps, 0)) fps, \(Format.fixed(sample.kilobits, 0)) kbit/s, "
            + "\(Format.fixed(sample.latencyMedian, 1)) ms glass to glass"
    }

    private func say(_ who: String, _ text: String) {
        let now = timeline.seconds(DispatchScheduler().now.nanoseconds)
        context.terminal.say("\(Format.seconds(now))  \(who.padded(to: 5))  \(text)")
    }

    private func address(of person: DemoPerson) -> String? {
        timeline.last(of: person) { if case .ready(_, let address, _) = $0 { address } else { nil } }
    }

    // MARK: - What it came to

    private func report(checks early: [CallReport.Check]) throws -> CallReport {
        var checks = early + timeline.requiredSteps()
        if !unreadable.isEmpty {
            checks.append(
                .init(
                    name: "peers speak JSON", measured: "\(unreadable.count) other lines", limit: "none", passed: false)
            )
        }
        let directions = try DemoPerson.allCases.compactMap(direction)
        for direction in directions { checks += DemoVerdict(direction: direction).checks }
        if directions.count < 2 {
            checks.append(
                .init(name: "both directions measured", measured: "\(directions.count)", limit: "2", passed: false))
        }
        checks += DemoFiles(folder: settings.output).checks(callSeconds: recordedSeconds)
        let report = CallReport(
            title: "A call between two processes over Tox",
            steps: timeline.entries.compactMap { entry in
                entry.event.sentence.map {
                    .init(time: timeline.seconds(entry.time), who: entry.person.rawValue, text: $0)
                }
            },
            directions: directions.map { direction in
                CallReport.Direction(
                    title: direction.title, options: direction.options.title,
                    seconds: timeline.samples(of: direction.sender.other), muted: timeline.muted(direction.sender))
            },
            table: TextTable(directions), checks: checks, method: Self.method,
            snapshot: DemoFiles(folder: settings.output).snapshot)
        try DemoFiles(folder: settings.output).write(report)
        return report
    }

    private func direction(from sender: DemoPerson) throws -> DemoDirection? {
        guard let sent = timeline.sent(by: sender), var received = timeline.received(by: sender.other) else {
            return nil
        }
        let compared = try PictureStore.compare(
            pictures(of: sender.other).appendingPathComponent("received"),
            with: pictures(of: sender).appendingPathComponent("sent"))
        received.psnr = Figures(Distribution(compared.map(\.quality.psnr)))
        received.ssim = Figures(Distribution(compared.map(\.quality.ssim)))
        return DemoDirection(
            sender: sender, options: sender == .alice ? .standard : .lowLatency, sent: sent, received: received,
            senderProcessor: timeline.received(by: sender)?.cpu ?? .nan)
    }

    /// From the first track that Alice got to the end: what a recording must hold.
    private var recordedSeconds: Double? {
        guard let from = timeline.time(of: .alice, where: { if case .subscribed = $0 { true } else { false } }),
            let to = timeline.time(of: .alice, where: { if case .disconnected = $0 { true } else { false } })
        else { return nil }
        return Double(to - from) / 1e9
    }

    private static let method = [
        "Two processes with fresh identities over real toxcore on the loopback interface; a third process is their node.",
        "Every source picture carries a number and its capture time as blocks of black and white in its corner; both are read back from"
            + " decoded pixels. Glass to glass is the time from capture to the renderer, on the machine's monotonic clock.",
        "One picture of \(PictureStore.every) is kept by sender and receiver and compared after the call, the drawn number"
            + " included: brightness only, PSNR and SSIM with 8×8 windows every 4 pixels.",
        "Sound carries short marks at known capture times, found again in decoded samples. Lip sync is a mark's delay less"
            + " the delay of the pictures captured within 100 ms of it.",
        "Frame rates leave out the time in which the camera was muted. The bitrate counts encoded pictures and sound that"
            + " reached the decoders.",
        "The processor figure is that of the whole process, which sends and receives at once, from connection to the end.",
    ]
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
