// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

// In whole-module builds the C types of both modules count as members of CToxcore.
import CToxcore
import Glibc
import RevueTime

/// The clocks that the transport's thread reads.
enum ToxClock {
    /// Monotonic; stands still while the machine sleeps, as toxcore's does.
    static var now: Instant { read(CLOCK_MONOTONIC) }
    /// Monotonic; goes on while the machine sleeps.
    static var nowWithSleep: Instant { read(CLOCK_BOOTTIME) }

    private static func read(_ clock: clockid_t) -> Instant {
        var time = timespec()
        clock_gettime(clock, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }
}
