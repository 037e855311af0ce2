// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import RevuePorts
import RevueTime

/// A one-shot timer source. It and its work hold each other until it fires or is cancelled, so nobody has to keep it.
final class DispatchLaneTimer: LaneTimer {
    /// Timers this near are for pacing and playing: the kernel may not put them together with others.
    private static let strictBelow = Interval.milliseconds(20)

    private struct Armed {
        var source: any DispatchSourceTimer
        var work: @Sendable () -> Void
    }
    private let armed = Locked<Armed?>(nil)

    init(queue: DispatchQueue, deadline: Instant, _ work: @escaping @Sendable () -> Void) {
        let wait = deadline - DispatchScheduler.monotonicNow
        let isStrict = wait <= DispatchLaneTimer.strictBelow
        let source = DispatchSource.makeTimerSource(flags: isStrict ? .strict : [], queue: queue)
        let leeway = isStrict ? Interval.zero : min(wait / 50, .milliseconds(50))
        source.schedule(
            deadline: DispatchLaneTimer.time(deadline), repeating: .never,
            leeway: .nanoseconds(Int(leeway.nanoseconds)))
        source.setEventHandler { @Sendable in self.fire() }
        // Active before anyone can cancel it: a source that dies inactive traps. `fire` waits for the lock.
        armed.withLock { slot in
            slot = Armed(source: source, work: work)
            source.activate()
        }
    }

    func cancel() { disarm()?.source.cancel() }

    private func fire() {
        guard let armed = disarm() else { return }
        armed.source.cancel()
        armed.work()
    }

    private func disarm() -> Armed? {
        armed.withLock { slot in
            defer { slot = nil }
            return slot
        }
    }

    private static func time(_ deadline: Instant) -> DispatchTime {
        if deadline == .distantFuture { return .distantFuture }
        return DispatchTime(uptimeNanoseconds: UInt64(max(1, deadline.nanoseconds)))
    }
}
