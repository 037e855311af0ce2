// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation

/// `revue demo`: a whole call between two processes, shown, measured and judged.
enum DemoCommand {
    static let spec = CommandSpec(
        name: "demo", summary: "Shows a call between two processes of this machine, and measures it.",
        options: [
            .option("--output", "DIR", "Where the results go; demo-out by default."),
            .option("--seconds", "N", "How long the call lasts, 6…30; 15 by default."),
            .option("--clip", "FILE", "The clip that both show; Fixtures/clip.mp4 by default."),
            .option("--speech", "FILE", "What both say; Fixtures/speech.wav by default."),
            .option("--transport", "NAME", "tox (default), or udp: the same call over the plain datagrams of a lab."),
        ],
        notes: [
            "Leaves received.webm, snapshot.png, report.html and the raw figures as CSV files.",
            "Ends with 1 when a step did not happen or a figure is not good enough, and says which.",
        ])

    @MainActor static func run(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        let settings = DemoRun.Settings(
            output: URL(fileURLWithPath: arguments.value("--output") ?? "demo-out"),
            seconds: try arguments.integer("--seconds", in: 6...30, default: 15),
            clip: try Fixtures.path(arguments.value("--clip"), fallback: "clip.mp4"),
            speech: try Fixtures.path(arguments.value("--speech"), fallback: "speech.wav"),
            isLab: try TransportChoice(arguments) != .tox)
        let report = try await DemoRun(settings, context).run()
        let terminal = context.terminal
        terminal.say("")
        for line in report.table.lines { terminal.say(line) }
        terminal.say("")
        terminal.say("results in \(settings.output.path): report.html, received.webm, snapshot.png, seconds.csv")
        for check in report.failed {
            terminal.complain("failed: \(check.name): \(check.measured), must be \(check.limit)")
        }
        terminal.say("\(report.checks.count - report.failed.count) of \(report.checks.count) checks hold")
        return report.failed.isEmpty ? .ok : .failed
    }
}
