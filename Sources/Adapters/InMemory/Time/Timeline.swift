// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// Virtual time and all that is queued in it, in the order of time and then of queueing.
final class Timeline: Sendable {
    static let mainLane = 0

    private struct State {
        var now: Instant
        var wallClockOffset: Interval
        var generator: SeededGenerator
        var queue = EventQueue()
        var lanes = Timeline.mainLane
        var isDriven = false
        var eventCount = 0
        /// The lanes whose work runs, innermost last.
        var running: [Int] = []
    }
    private let state: Locked<State>

    init(seed: UInt64, start: Instant, wallClockOffset: Interval) {
        state = Locked(
            State(now: start, wallClockOffset: wallClockOffset, generator: SeededGenerator(seed: seed)))
    }

    var now: Instant { state.withLock { $0.now } }
    var wallClockNanoseconds: Int64 {
        state.withLock { (($0.now - .zero) + $0.wallClockOffset).nanoseconds }
    }
    func shiftWallClock(by interval: Interval) {
        state.withLock { $0.wallClockOffset = $0.wallClockOffset + interval }
    }
    func randomSeed() -> UInt64 { state.withLock { $0.generator.next() } }
    func makeLaneID() -> Int {
        state.withLock { state in
            state.lanes += 1
            return state.lanes
        }
    }

    // MARK: Queueing

    func queue(_ work: @escaping @Sendable () -> Void, lane: Int, at deadline: Instant) -> VirtualTimer {
        let timer = VirtualTimer(work)
        state.withLock { $0.queue.insert(timer, lane: lane, at: max(deadline, $0.now)) }
        return timer
    }

    func discardAll() {
        let discarded = state.withLock { state in
            let all = state.queue
            state.queue = EventQueue()
            return all
        }
        discarded.cancelAll()
    }

    // MARK: Driving

    func beginDrive() -> Bool {
        state.withLock { state in
            guard !state.isDriven else { return false }
            state.isDriven = true
            return true
        }
    }

    func endDrive() { state.withLock { $0.isDriven = false } }

    var nextTime: Instant? { state.withLock { $0.queue.nextTime } }
    var eventCount: Int { state.withLock { $0.eventCount } }

    func move(to instant: Instant) { state.withLock { $0.now = max($0.now, instant) } }

    /// Moves to the next event that is due by `end` and runs it.
    ///
    /// - Returns: false when nothing is.
    func runNext(until end: Instant) -> Bool {
        let next = state.withLock { state -> (work: @Sendable () -> Void, lane: Int)? in
            while let time = state.queue.nextTime, time <= end, let event = state.queue.removeFirst() {
                guard let work = event.timer.take() else { continue }
                state.now = max(state.now, time)
                state.eventCount += 1
                state.running.append(event.lane)
                return (work, event.lane)
            }
            return nil
        }
        guard let next else { return false }
        next.work()
        state.withLock { _ = $0.running.removeLast() }
        return true
    }

    // MARK: Lanes

    func isCurrent(_ lane: Int) -> Bool {
        state.withLock { ($0.running.last ?? Timeline.mainLane) == lane }
    }

    func runInline<Result>(_ lane: Int, _ work: () throws -> Result) rethrows -> Result {
        state.withLock { $0.running.append(lane) }
        defer { state.withLock { _ = $0.running.removeLast() } }
        return try work()
    }
}

/// A lane of virtual time: its work runs when somebody drives the scheduler.
final class VirtualLane: Lane {
    private let timeline: Timeline
    private let id: Int

    init(timeline: Timeline, id: Int) {
        self.timeline = timeline
        self.id = id
    }

    func async(_ work: @escaping @Sendable () -> Void) { _ = timeline.queue(work, lane: id, at: .zero) }

    /// Runs at once: on one thread there is nobody to wait for.
    func sync<Result>(_ work: () throws -> Result) rethrows -> Result { try timeline.runInline(id, work) }

    func schedule(at deadline: Instant, _ work: @escaping @Sendable () -> Void) -> any LaneTimer {
        timeline.queue(work, lane: id, at: deadline)
    }

    var isCurrent: Bool { timeline.isCurrent(id) }
}

/// Work that waits for its time.
final class VirtualTimer: LaneTimer {
    private let work: Locked<(@Sendable () -> Void)?>

    init(_ work: @escaping @Sendable () -> Void) { self.work = Locked(work) }

    /// The work, once.
    func take() -> (@Sendable () -> Void)? {
        work.withLock { work in
            defer { work = nil }
            return work
        }
    }

    func cancel() { _ = take() }
}
