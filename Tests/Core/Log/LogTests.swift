// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain
import RevuePorts
import Testing

@testable import RevueCore

struct LogTests {
    private let center = LogCenter()
    private let heard = Recorder<RevueLogEntry>()
    private let work = Recorder<@Sendable () -> Void>()

    private func log() -> Log {
        Log(center: center, now: { Date(timeIntervalSince1970: 5) }, onMain: { [weak work] in work?.add($0) })
    }

    private func messages(follow body: (Log) -> Void) -> [String] {
        let subscription = center.publisher.sink { [heard] in heard.add($0) }
        body(log())
        for item in work.values { item() }
        subscription.cancel()
        return heard.values.map { "\($0.level.name) \($0.source): \($0.message)" }
    }

    @Test func `warnings and errors are wanted by default`() {
        #expect(center.levels == [.warning, .error])
        #expect(
            messages { log in
                log.trace("s", "1")
                log.debug("s", "2")
                log.info("s", "3")
                log.warning("s", "4")
                log.error("s", "5")
            } == ["WARNING s: 4", "ERROR s: 5"])
    }

    @Test func `the levels are a selection, not a threshold`() {
        center.levels = [.debug, .error]
        #expect(
            messages { log in
                log.debug("s", "2")
                log.warning("s", "4")
                log.error("s", "5")
            } == ["DEBUG s: 2", "ERROR s: 5"])
    }

    @Test func `what is not wanted is never produced`() {
        center.levels = []
        let produced = Recorder<Void>()
        func message() -> String {
            produced.add(())
            return ""
        }
        _ = messages { log in
            log.error("s", message())
            log.trace("s", message())
        }
        #expect(produced.values.isEmpty)
        #expect(work.values.isEmpty)
        center.levels = [.error]
        _ = messages { $0.error("s", message()) }
        #expect(produced.values.count == 1)
    }

    @Test func `a new selection takes effect at once, for waiting lines as well`() {
        #expect(
            messages { log in
                log.warning("s", "waits")
                log.error("s", "waits")
                center.levels = [.error]
            } == ["ERROR s: waits"])
    }

    @Test func `a line knows when and where it was written`() throws {
        _ = messages { $0.error("transport", "x") }
        let entry = try #require(heard.values.first)
        #expect(entry.timestamp == Date(timeIntervalSince1970: 5))
        #expect(entry.file?.hasSuffix("LogTests.swift") == true)
        #expect(entry.line != nil)
        #expect(entry.function?.isEmpty == false)
    }

    @Test func `a line of the domain has its level and source`() {
        center.levels = [.info]
        #expect(
            messages { log in
                log.write(LogLine(.info, "session", "hello"))
                log.write(LogLine(.warning, "session", "no"))
            } == ["INFO session: hello"])
    }

    @Test func `lines that the main thread does not take are dropped and counted`() {
        let lines = messages { log in for index in 0..<(Log.limit + 3) { log.error("s", "\(index)") } }
        #expect(work.values.count == 1)
        #expect(lines.count == Log.limit + 1)
        #expect(lines[Log.limit - 1] == "ERROR s: \(Log.limit - 1)")
        #expect(lines[Log.limit].hasPrefix("WARNING log: 3 lines were dropped"))
    }

    @Test func `a line after a delivery asks for the next one`() {
        let lines = messages { log in
            log.error("s", "1")
            work.values[0]()
            log.error("s", "2")
        }
        #expect(lines == ["ERROR s: 1", "ERROR s: 2"])
        #expect(work.values.count == 2)
    }

    @Test func `levels are ordered from detailed to severe`() {
        let levels: [RevueLogLevel] = [.error, .trace, .warning, .debug, .info]
        #expect(levels.sorted() == [.trace, .debug, .info, .warning, .error])
        #expect(levels.sorted().map(\.name) == ["TRACE", "DEBUG", "INFO", "WARNING", "ERROR"])
    }
}
