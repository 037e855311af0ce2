// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation

/// The `revue` program.
@main
struct RevueCommand {
    /// Synchronous on purpose: the process's main thread pumps its run loop, so that main-actor work stays on it.
    @MainActor static func main() {
        let terminal = Terminal.shared
        do {
            let (spec, arguments) = try Arguments.parse(Array(CommandLine.arguments.dropFirst()), as: CommandTree.root)
            if arguments.has(OptionSpec.help.name) {
                terminal.say(HelpText(spec: spec, path: arguments.path).text.trimmingCharacters(in: .newlines))
                exit(ExitCode.ok.rawValue)
            }
            exit(pump(arguments).rawValue)
        } catch {
            terminal.complain("\(error.message) (`revue --help` lists everything)")
            exit(ExitCode.usage.rawValue)
        }
    }

    @MainActor private static func pump(_ arguments: Arguments) -> ExitCode {
        let context = CommandContext(interruption: Interruption())
        var code: ExitCode?
        Task { @MainActor in code = await perform(arguments, context) }
        while true {
            if let code { return code }
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
        }
    }

    @MainActor private static func perform(_ arguments: Arguments, _ context: CommandContext) async -> ExitCode {
        do {
            guard let command = CommandTree.commands[arguments.path] else { return .usage }
            return try await command(arguments, context)
        } catch let error as UsageError {
            context.terminal.complain(
                "\(error.message) (`revue \(arguments.path.joined(separator: " ")) --help` says more)")
            return .usage
        } catch let failure as CommandFailure {
            if failure.code != .interrupted { context.terminal.complain(failure.message) }
            return failure.code
        } catch {
            context.terminal.complain("\(error)")
            return .failed
        }
    }
}
