// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// A capturer's lane: ticks at even distances between start and stop.
final class LaneTicker: Sendable {
    private struct State {
        /// Counts starts and stops: a tick of an earlier run finds another number and does nothing.
        var run = 0
        var isRunning = false
        var timer: (any LaneTimer)?
    }
    private let state = Locked(State())
    private let scheduler: any Scheduler
    private let lane: any Lane

    init(_ scheduler: any Scheduler, name: String) {
        self.scheduler = scheduler
        lane = scheduler.makeLane(name)
    }

    deinit { state.withLock { $0.timer }?.cancel() }

    /// Calls `body` on the lane with each tick's index and due time; does nothing while running.
    ///
    /// Ticks that are a second late or more are left out.
    func start(
        interval: @escaping @Sendable (Int64) -> Interval, _ body: @escaping @Sendable (Int64, Instant) -> Void
    ) {
        let run = state.withLock { state -> Int? in
            guard !state.isRunning else { return nil }
            state.isRunning = true
            state.run += 1
            return state.run
        }
        guard let run else { return }
        let origin = scheduler.now
        arm(Tick(run: run, index: 0, origin: origin, interval: interval, body: body))
    }

    func stop() {
        let timer = state.withLock { state in
            defer { state.timer = nil }
            state.run += 1
            state.isRunning = false
            return state.timer
        }
        timer?.cancel()
        lane.sync {}  // waits for a tick that runs; inline when it comes from one
    }

    private struct Tick: Sendable {
        let run: Int
        var index: Int64
        let origin: Instant
        let interval: @Sendable (Int64) -> Interval
        let body: @Sendable (Int64, Instant) -> Void

        var due: Instant { origin + interval(index) }
    }

    private func arm(_ tick: Tick) {
        let timer = lane.schedule(at: tick.due) { [weak self] in self?.fire(tick) }
        let isCurrent = state.withLock { state in
            guard state.run == tick.run else { return false }
            state.timer = timer
            return true
        }
        if !isCurrent { timer.cancel() }
    }

    private func fire(_ tick: Tick) {
        guard state.withLock({ $0.run }) == tick.run else { return }
        if scheduler.now - tick.due < .seconds(1) { tick.body(tick.index, tick.due) }
        var next = tick
        next.index += 1
        arm(next)
    }
}
