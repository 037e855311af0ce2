// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import Glibc
public import RevuePorts
public import RevueTime

/// Real time: a monotonic clock, dispatch queues as lanes, and the process's main queue.
public final class DispatchScheduler: Scheduler {
    /// A scheduler; all of them share the process's clocks and its main queue.
    public init() {}

    /// `CLOCK_MONOTONIC`, the clock that dispatch timers run by.
    public var now: Instant { DispatchScheduler.monotonicNow }

    /// `CLOCK_REALTIME`.
    public var wallClockNanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// A serial queue of its own, at user-initiated priority.
    public func makeLane(_ name: String) -> any Lane {
        DispatchLane(queue: DispatchQueue(label: "revue.\(name)", qos: .userInitiated))
    }

    /// The main queue. Something must drain it: a run loop on the main thread, or an asynchronous `main`.
    public var main: any Lane { DispatchLane.main }

    /// 64 bits from the system's generator.
    public func randomSeed() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    static var monotonicNow: Instant {
        Instant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    }
}
