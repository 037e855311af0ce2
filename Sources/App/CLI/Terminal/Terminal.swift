// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import Glibc
import RevuePorts

/// What the program says: results to standard output, complaints to standard error, and one line that is rewritten in
/// place while something runs, when a person watches.
final class Terminal: Sendable {
    static let shared = Terminal()

    private let isInteractive = isatty(STDOUT_FILENO) == 1
    private let state = Locked(State())

    private struct State {
        var statusShown = false
        var lastPlain = ""
    }

    /// A line that stays.
    func say(_ line: String) {
        state.withLock { state in
            write((state.statusShown ? Terminal.clearLine : "") + line + "\n", to: STDOUT_FILENO)
            state.statusShown = false
        }
    }

    /// The live line: rewritten in place on a terminal; elsewhere a plain line whenever `plain` is new.
    func status(_ line: String, plain: String) {
        state.withLock { state in
            if isInteractive {
                write(Terminal.clearLine + String(line.prefix(columns - 1)), to: STDOUT_FILENO)
                state.statusShown = true
            } else if state.lastPlain != plain {
                write(plain + "\n", to: STDOUT_FILENO)
            }
            state.lastPlain = plain
        }
    }

    /// A complaint.
    func complain(_ message: String) {
        state.withLock { state in
            if state.statusShown { write("\n", to: STDOUT_FILENO) }
            state.statusShown = false
            write("revue: \(message)\n", to: STDERR_FILENO)
        }
    }

    private var columns: Int {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 20 ? Int(size.ws_col) : 100
    }

    /// Whole lines in one write, so that processes that share an output do not cut into each other.
    private func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }

    private static let clearLine = "\r\u{1B}[2K"
}

/// Numbers as people read them, the same in every locale.
enum Format {
    static func fixed(_ value: Double?, _ digits: Int) -> String {
        guard let value, value.isFinite else { return "–" }
        return String(format: "%.\(digits)f", value)
    }

    /// Seconds since a start, right-aligned.
    static func seconds(_ value: Double) -> String { String(format: "%6.2f s", value) }
}
