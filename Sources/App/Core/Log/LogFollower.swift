// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// Passes the process's log on to the loops of one instance, so that they end with it.
final class LogFollower: Sendable {
    let feed = EventFeed<RevueLogEntry> { count, last in
        RevueLogEntry(
            level: .warning, source: "log", message: "\(count) lines were missed: this loop did not take them in time.",
            timestamp: last.timestamp)
    }
    private let subscription: AnyCancellable

    init(_ center: LogCenter) {
        subscription = center.publisher.sink { [feed] in feed.send($0) }
    }
}
