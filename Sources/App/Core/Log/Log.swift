// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain
import RevuePorts

/// Where one instance writes its log: its clock, and its way to the main thread.
///
/// Any thread may write. Lines wait for the main thread in order; when more than `limit` wait, the newest are dropped and
/// counted, and a warning tells how many once there is room.
final class Log: Sendable {
    /// The most lines that wait for the main thread.
    static let limit = 1_000

    private let center: LogCenter
    private let now: @Sendable () -> Date
    private let onMain: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let waiting = Locked(Waiting())

    /// A log; `now` gives each line its time, `onMain` runs work on the main thread, later and in order.
    init(
        center: LogCenter = .shared, now: @escaping @Sendable () -> Date,
        onMain: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.center = center
        self.now = now
        self.onMain = onMain
    }

    /// A log on a scheduler's clock and main lane.
    convenience init(scheduler: any Scheduler, center: LogCenter = .shared) {
        self.init(
            center: center,
            now: { Date(timeIntervalSince1970: Double(scheduler.wallClockNanoseconds) / 1e9) },
            onMain: { work in scheduler.main.async(work) })
    }

    /// Something failed.
    func error(
        _ source: String, _ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line,
        function: String = #function
    ) {
        write(.error, source, message, (file, line, function))
    }

    /// Something is wrong, but handled.
    func warning(
        _ source: String, _ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line,
        function: String = #function
    ) {
        write(.warning, source, message, (file, line, function))
    }

    /// A change that a user would name.
    func info(
        _ source: String, _ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line,
        function: String = #function
    ) {
        write(.info, source, message, (file, line, function))
    }

    /// A decision.
    func debug(
        _ source: String, _ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line,
        function: String = #function
    ) {
        write(.debug, source, message, (file, line, function))
    }

    /// A packet.
    func trace(
        _ source: String, _ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line,
        function: String = #function
    ) {
        write(.trace, source, message, (file, line, function))
    }

    /// A line that the domain asked for.
    func write(_ line: LogLine) {
        write(RevueLogLevel(line.level), line.source, { line.message }, nil)
    }

    private func write(
        _ level: RevueLogLevel, _ source: String, _ message: () -> String,
        _ place: (file: String, line: UInt32, function: String)?
    ) {
        guard center.isWanted(level) else { return }
        let entry = RevueLogEntry(
            level: level, source: source, message: message(), timestamp: now(), file: place?.file, line: place?.line,
            function: place?.function)
        guard waiting.withLock({ $0.add(entry) }) else { return }
        onMain { [self] in deliver() }
    }

    private func deliver() {
        let (entries, dropped) = waiting.withLock { $0.take() }
        for entry in entries { center.publish(entry) }
        guard dropped > 0 else { return }
        let message = "\(dropped) lines were dropped: the main thread did not take them in time."
        center.publish(RevueLogEntry(level: .warning, source: "log", message: message, timestamp: now()))
    }

    /// Lines on their way to the main thread.
    private struct Waiting {
        private var entries: [RevueLogEntry] = []
        private var dropped = 0

        /// Whether the main thread must be asked to come.
        mutating func add(_ entry: RevueLogEntry) -> Bool {
            guard entries.count < Log.limit else {
                dropped += 1
                return false
            }
            entries.append(entry)
            return entries.count == 1
        }

        mutating func take() -> (entries: [RevueLogEntry], dropped: Int) {
            defer { (entries, dropped) = ([], 0) }
            return (entries, dropped)
        }
    }
}

extension RevueLogLevel {
    init(_ level: LogLine.Level) {
        switch level {
        case .trace: self = .trace
        case .debug: self = .debug
        case .info: self = .info
        case .warning: self = .warning
        case .error: self = .error
        }
    }
}
