// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

extension VirtualScheduler {
    /// Runs everything that is due now, without moving time. Callbacks alone: main-actor tasks do not get a turn.
    public func runUntilIdle() throws(VirtualTimeError) { try advanceSynchronously(by: .zero) }

    /// Lets time pass, running what becomes due. Callbacks alone: main-actor tasks do not get a turn.
    public func advanceSynchronously(by interval: Interval) throws(VirtualTimeError) {
        let end = timeline.now + interval
        guard timeline.beginDrive() else { throw .alreadyDriven }
        defer { timeline.endDrive() }
        var budget = Budget(limit: eventLimit, at: timeline.now)
        while timeline.runNext(until: end) { try budget.count(at: timeline.now) }
        timeline.move(to: end)
    }

    /// Lets time pass, running what becomes due; at each instant main-actor tasks run until they wait again.
    @MainActor
    public func advance(by interval: Interval) async throws(VirtualTimeError) {
        _ = try await advance(to: timeline.now + interval) { false }
    }

    /// Lets time pass until `condition` holds, checked whenever something happened.
    ///
    /// - Throws: `.tookTooLong` when `limit` passes first.
    @MainActor
    public func run(
        within limit: Interval = .seconds(60), until condition: @MainActor () -> Bool
    ) async throws(VirtualTimeError) {
        guard try await advance(to: timeline.now + limit, unless: condition) else { throw .tookTooLong(limit) }
    }

    /// Makes an asynchronous call and lets time pass until it returns.
    ///
    /// - Throws: what the call throws, or `VirtualTimeError.tookTooLong` when `limit` passes first (the call's task is
    ///   cancelled then).
    @MainActor
    public func drive<Value: Sendable>(
        within limit: Interval = .seconds(60), _ call: @escaping @MainActor () async throws -> Value
    ) async throws -> Value {
        let outcome = Outcome<Value>()
        let task = Task { @MainActor in
            do {
                outcome.result = .success(try await call())
            } catch {
                outcome.result = .failure(error)
            }
        }
        do {
            try await run(within: limit) { outcome.result != nil }
        } catch {
            task.cancel()
            throw error
        }
        guard let result = outcome.result else { throw VirtualTimeError.tookTooLong(limit) }
        return try result.get()
    }

    /// - Returns: whether `condition` came to hold; time then stays where it was.
    @MainActor
    private func advance(
        to end: Instant, unless condition: @MainActor () -> Bool
    ) async throws(VirtualTimeError) -> Bool {
        guard timeline.beginDrive() else { throw .alreadyDriven }
        defer { timeline.endDrive() }
        var budget = Budget(limit: eventLimit, at: timeline.now)
        while true {
            if try await settle(&budget, unless: condition) { return true }
            guard let next = timeline.nextTime, next <= end else { break }
            timeline.move(to: next)
        }
        timeline.move(to: end)
        return condition()
    }

    /// Runs what is due at this instant, turn by turn with the main actor's tasks, until neither has anything to do.
    @MainActor
    private func settle(
        _ budget: inout Budget, unless condition: @MainActor () -> Bool
    ) async throws(VirtualTimeError) -> Bool {
        var quietTurns = 0
        while true {
            if condition() { return true }
            if timeline.runNext(until: timeline.now) {
                try budget.count(at: timeline.now)
                quietTurns = 0
            } else if quietTurns < yieldLimit {
                quietTurns += 1
                await Task.yield()
            } else {
                return false
            }
        }
    }
}

/// Counts events at one instant.
private struct Budget {
    let limit: Int
    private var instant: Instant
    private var events = 0

    init(limit: Int, at instant: Instant) {
        self.limit = limit
        self.instant = instant
    }

    mutating func count(at now: Instant) throws(VirtualTimeError) {
        events = now == instant ? events + 1 : 1
        instant = now
        if events > limit { throw .liveLock(at: now, events: events) }
    }
}

@MainActor
private final class Outcome<Value> {
    var result: Result<Value, any Error>?
}
