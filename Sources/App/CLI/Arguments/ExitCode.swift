// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What the process's exit status says.
enum ExitCode: Int32, CaseIterable, Sendable {
    case ok = 0
    case failed = 1
    case usage = 2
    case network = 3
    case notAnswered = 4
    case identity = 5
    case interrupted = 130

    var meaning: String {
        switch self {
        case .ok: "done"
        case .failed: "something failed; the last line of the error output says what to do"
        case .usage: "the command line cannot be carried out as written"
        case .network: "not on the network in time, or the friend is not reachable"
        case .notAnswered: "the call was rejected, cancelled or not answered, or nobody called"
        case .identity: "the identity is damaged, in use by another process, or not licensed"
        case .interrupted: "interrupted by Ctrl-C or a signal"
        }
    }
}

/// A failure with the exit status that stands for it and a sentence that names the fix.
struct CommandFailure: Error, Equatable {
    var code: ExitCode
    var message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
