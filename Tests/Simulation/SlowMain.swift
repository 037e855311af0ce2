// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// A scheduler whose main lane can be held: a main thread that does something else for a while.
final class SlowMain: Scheduler {
    private let base: any Scheduler
    private let lane: HeldLane

    init(_ base: any Scheduler) {
        self.base = base
        lane = HeldLane(base.main)
    }

    var now: Instant { base.now }
    var wallClockNanoseconds: Int64 { base.wallClockNanoseconds }
    var main: any Lane { lane }
    func makeLane(_ name: String) -> any Lane { base.makeLane(name) }
    func randomSeed() -> UInt64 { base.randomSeed() }

    /// From now on main does nothing.
    func hold() { lane.hold() }
    /// Main does what has waited, in order, and goes on.
    func release() { lane.release() }

    private final class HeldLane: Lane {
        private struct State {
            var isHeld = false
            var waiting: [@Sendable () -> Void] = []
        }

        private let base: any Lane
        private let state = Locked(State())

        init(_ base: any Lane) { self.base = base }

        var isCurrent: Bool { !state.withLock { $0.isHeld } && base.isCurrent }

        func async(_ work: @escaping @Sendable () -> Void) {
            let isHeld = state.withLock { state in
                if state.isHeld { state.waiting.append(work) }
                return state.isHeld
            }
            if !isHeld { base.async(work) }
        }

        func sync<Result>(_ work: () throws -> Result) rethrows -> Result { try base.sync(work) }

        func schedule(at deadline: Instant, _ work: @escaping @Sendable () -> Void) -> any LaneTimer {
            base.schedule(at: deadline) { [weak self] in self?.async(work) }
        }

        func hold() { state.withLock { $0.isHeld = true } }

        func release() {
            let waiting = state.withLock { state in
                defer { state = State() }
                return state.waiting
            }
            for work in waiting { base.async(work) }
        }
    }
}
