// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Time, timers, serial lanes, delivery to main and seeded randomness: everything that makes a program non-deterministic.
///
/// Core owns no queue, thread, timer or date of its own. Where a process's clocks matter to others (`wallClock`), the
/// scheduler gives them too, so that a virtual one makes a whole instance repeat bit for bit.
public protocol Scheduler: AnyObject, Sendable {
    /// Monotonic time.
    var now: Instant { get }
    /// Nanoseconds since 1970, for what leaves the process: dates, capture times.
    var wallClockNanoseconds: Int64 { get }
    /// A new serial lane. Work on one lane never overlaps and runs in the order in which it was queued.
    func makeLane(_ name: String) -> any Lane
    /// The main thread's lane; work on it may assume the main actor.
    var main: any Lane { get }
    /// 64 random bits; from a seed in a virtual scheduler, from the system in a real one.
    func randomSeed() -> UInt64
}

/// A serial lane.
public protocol Lane: AnyObject, Sendable {
    /// Queues work and returns.
    func async(_ work: @escaping @Sendable () -> Void)
    /// Runs work on the lane and waits for it; inline when the caller is on the lane already.
    func sync<Result>(_ work: () throws -> Result) rethrows -> Result
    /// Queues work for a later time; not before `deadline`. The returned timer keeps nothing alive.
    func schedule(at deadline: Instant, _ work: @escaping @Sendable () -> Void) -> any LaneTimer
    /// Whether the caller runs on this lane.
    var isCurrent: Bool { get }
}

/// A timer that a lane has queued.
public protocol LaneTimer: AnyObject, Sendable {
    /// The work will not start any more, unless it already has. Any thread.
    func cancel()
}
