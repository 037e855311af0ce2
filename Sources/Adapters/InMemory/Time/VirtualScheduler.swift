// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
public import RevueTime

/// Virtual time on one thread: whole instances run in it, and the same seed gives the same run, bit for bit.
///
/// Nothing happens by itself. Queued work and timers run inside the calls that drive the scheduler, in the order of
/// their time and then of their queueing, on the thread of whoever drives it:
///
/// ```swift
/// let scheduler = VirtualScheduler(seed: 7)
/// try await scheduler.advance(by: .seconds(45))                     // callbacks and main-actor tasks
/// let answer = try await scheduler.drive { try await room.join() }  // an asynchronous call that takes virtual time
/// try scheduler.advanceSynchronously(by: .milliseconds(20))         // callbacks alone
/// ```
///
/// Use it from one thread or actor, the main actor if anything queues work on `main`. Outside of all work the driver
/// itself counts as main: `main.isCurrent` is true there.
public final class VirtualScheduler: Scheduler {
    /// The main lane.
    public let main: any Lane

    /// How many events may happen without time passing before the drive gives up.
    public let eventLimit: Int
    /// How many times the asynchronous drives let other main-actor tasks run when nothing is left to do at an instant.
    public let yieldLimit: Int

    let timeline: Timeline

    /// A scheduler at `start`.
    ///
    /// - Parameters:
    ///   - seed: all of `randomSeed()` follows from it.
    ///   - start: where the monotonic clock begins.
    ///   - wallClockSeconds: the date at `start`, in seconds since 1970; 2026-01-01 unless told otherwise.
    ///   - eventLimit: events without time passing that count as a live-lock.
    ///   - yieldLimit: hops of main-actor tasks to wait for at each instant.
    public init(
        seed: UInt64 = 1, start: Instant = Instant(nanoseconds: 1_000_000_000),
        wallClockSeconds: Int64 = 1_767_225_600, eventLimit: Int = 100_000, yieldLimit: Int = 8
    ) {
        let wallClockOffset = Interval.seconds(wallClockSeconds) - (start - .zero)
        timeline = Timeline(seed: seed, start: start, wallClockOffset: wallClockOffset)
        main = VirtualLane(timeline: timeline, id: Timeline.mainLane)
        self.eventLimit = eventLimit
        self.yieldLimit = yieldLimit
    }

    /// Virtual time.
    public var now: Instant { timeline.now }
    /// The virtual date: it runs with `now`.
    public var wallClockNanoseconds: Int64 { timeline.wallClockNanoseconds }
    /// A lane; its name is for whoever reads the code.
    public func makeLane(_ name: String) -> any Lane { VirtualLane(timeline: timeline, id: timeline.makeLaneID()) }
    /// The next number of the seed's sequence.
    public func randomSeed() -> UInt64 { timeline.randomSeed() }

    /// When the next work is due, in virtual time; nil when nothing is queued.
    public var nextEvent: Instant? { timeline.nextTime }
    /// How many events have run since the beginning.
    public var eventCount: Int { timeline.eventCount }
    /// Forgets all queued work and timers: what breaks the reference cycles of a world that nobody drives any more.
    public func discardAll() { timeline.discardAll() }

    /// Sets the virtual date forward or back, without moving `now`.
    public func shiftWallClock(by interval: Interval) { timeline.shiftWallClock(by: interval) }
}

/// Why a drive of virtual time gave up.
public enum VirtualTimeError: Error, Sendable, Hashable {
    /// So many events happened at one instant: something queues itself again and again.
    case liveLock(at: Instant, events: Int)
    /// What was waited for did not happen within this much virtual time.
    case tookTooLong(Interval)
    /// The scheduler is being driven already: work must not drive it.
    case alreadyDriven
}
