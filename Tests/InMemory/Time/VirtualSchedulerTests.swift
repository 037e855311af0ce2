// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueInMemory
import RevuePorts
import RevueTime
import Testing

@Suite struct VirtualSchedulerTests {
    private let scheduler = VirtualScheduler(seed: 7)
    private let log = Locked<[String]>([])

    private func note(_ line: String) { log.withLock { $0.append(line) } }
    private var lines: [String] { log.withLock { $0 } }

    @Test func `nothing runs until time is driven`() throws {
        let lane = scheduler.makeLane("a")
        lane.async { note("queued") }
        #expect(lines.isEmpty)
        try scheduler.runUntilIdle()
        #expect(lines == ["queued"])
    }

    @Test func `work runs in the order of its time, then of its queueing, over all lanes`() throws {
        let (a, b) = (scheduler.makeLane("a"), scheduler.makeLane("b"))
        let start = scheduler.now
        _ = a.schedule(at: start + .milliseconds(2)) { note("a2") }
        _ = b.schedule(at: start + .milliseconds(1)) { note("b1") }
        _ = a.schedule(at: start + .milliseconds(1)) { note("a1") }
        b.async { note("b0") }
        _ = scheduler.main.schedule(at: .zero) { note("late") }
        try scheduler.advanceSynchronously(by: .milliseconds(2))
        #expect(lines == ["b0", "late", "b1", "a1", "a2"])
    }

    @Test func `now is a timer's deadline while it runs, and the end of the drive afterwards`() throws {
        let start = scheduler.now
        let seen = Locked<[Interval]>([])
        _ = scheduler.main.schedule(at: start + .milliseconds(3)) { [scheduler] in
            seen.withLock { $0.append(scheduler.now - start) }
        }
        try scheduler.advanceSynchronously(by: .milliseconds(10))
        #expect(seen.withLock { $0 } == [.milliseconds(3)])
        #expect(scheduler.now - start == .milliseconds(10))
        #expect(scheduler.wallClockNanoseconds == 1_767_225_600_010_000_000)
    }

    @Test func `a timer does not fire before time reaches it`() throws {
        _ = scheduler.main.schedule(at: scheduler.now + .milliseconds(5)) { note("fired") }
        try scheduler.advanceSynchronously(by: .milliseconds(5) - Interval(nanoseconds: 1))
        #expect(lines.isEmpty)
        try scheduler.advanceSynchronously(by: Interval(nanoseconds: 1))
        #expect(lines == ["fired"])
    }

    @Test func `work that queues itself for ever is a live-lock, not a hang`() throws {
        let scheduler = VirtualScheduler(eventLimit: 100)
        defer { scheduler.discardAll() }
        @Sendable func again() { scheduler.main.async { again() } }
        again()
        #expect(throws: VirtualTimeError.liveLock(at: scheduler.now, events: 101)) {
            try scheduler.advanceSynchronously(by: .seconds(1))
        }
    }

    @Test func `work must not drive the scheduler that runs it`() throws {
        let caught = Locked<VirtualTimeError?>(nil)
        scheduler.main.async { [scheduler] in
            do throws(VirtualTimeError) { try scheduler.runUntilIdle() } catch { caught.withLock { $0 = error } }
        }
        try scheduler.runUntilIdle()
        #expect(caught.withLock { $0 } == .alreadyDriven)
    }

    @Test func `the driver counts as main, and each lane's work as that lane's`() throws {
        let (a, b) = (scheduler.makeLane("a"), scheduler.makeLane("b"))
        #expect(scheduler.main.isCurrent && !a.isCurrent)
        a.async { [main = scheduler.main] in
            note("\(a.isCurrent) \(b.isCurrent) \(main.isCurrent)")
            b.sync { note("\(a.isCurrent) \(b.isCurrent) \(main.isCurrent)") }
        }
        try scheduler.runUntilIdle()
        #expect(lines == ["true false false", "false true false"])
    }

    @Test func `the same seed gives the same random numbers`() {
        let again = VirtualScheduler(seed: 7)
        #expect((0..<4).map { _ in scheduler.randomSeed() } == (0..<4).map { _ in again.randomSeed() })
        #expect(VirtualScheduler(seed: 8).randomSeed() != VirtualScheduler(seed: 7).randomSeed())
    }
}

@MainActor @Suite struct VirtualSchedulerTaskTests {
    private let scheduler = VirtualScheduler()

    /// Waits in virtual time, the way a library call waits for its answer.
    private func pause(_ interval: Interval) async {
        await withCheckedContinuation { continuation in
            _ = scheduler.main.schedule(at: scheduler.now + interval) { continuation.resume() }
        }
    }

    @Test func `main-actor tasks that wait for work go on within the same drive`() async throws {
        var steps: [Interval] = []
        let start = scheduler.now
        let task = Task { @MainActor in
            for _ in 0..<3 {
                await pause(.milliseconds(10))
                steps.append(scheduler.now - start)
            }
        }
        try await scheduler.advance(by: .milliseconds(100))
        await task.value
        #expect(steps == [.milliseconds(10), .milliseconds(20), .milliseconds(30)])
        #expect(scheduler.now - start == .milliseconds(100))
    }

    @Test func `an asynchronous call is driven to its end, and time stops there`() async throws {
        let start = scheduler.now
        let answer = try await scheduler.drive { [self] in
            await pause(.seconds(5))
            return 42
        }
        #expect(answer == 42)
        #expect(scheduler.now - start == .seconds(5))
    }

    @Test func `a call that does not end in time is an error`() async {
        await #expect(throws: VirtualTimeError.tookTooLong(.seconds(1))) {
            try await scheduler.drive(within: .seconds(1)) { [self] in await pause(.seconds(2)) }
        }
        try? await scheduler.advance(by: .seconds(2))
    }

    @Test func `a condition ends the drive at the instant that it comes to hold`() async throws {
        let start = scheduler.now
        let done = Locked(false)
        _ = scheduler.main.schedule(at: start + .milliseconds(7)) { done.withLock { $0 = true } }
        try await scheduler.run { done.withLock { $0 } }
        #expect(scheduler.now - start == .milliseconds(7))
    }
}
