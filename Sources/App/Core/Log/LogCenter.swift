// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// Which levels of the log are wanted, and who follows it.
///
/// One for the process, `shared`: the selection can be made before an instance exists, and outlives each of them. Tests
/// make their own.
final class LogCenter: Sendable {
    static let shared = LogCenter()
    static let defaultLevels: Set<RevueLogLevel> = [.warning, .error]

    private let selection = Locked(LogCenter.defaultLevels)
    private let subject = PassthroughSubject<RevueLogEntry, Never>()

    /// The levels that are wanted: a selection, not a threshold. What is not wanted is never produced. Any thread.
    var levels: Set<RevueLogLevel> {
        get { selection.withLock { $0 } }
        set { selection.withLock { $0 = newValue } }
    }

    /// Every line of a wanted level, on the main thread.
    var publisher: AnyPublisher<RevueLogEntry, Never> { subject.eraseToAnyPublisher() }

    func isWanted(_ level: RevueLogLevel) -> Bool { selection.withLock { $0.contains(level) } }

    /// Hands a line to whoever follows, unless its level is not wanted any more. On main.
    func publish(_ entry: RevueLogEntry) {
        if isWanted(entry.level) { subject.send(entry) }
    }
}
