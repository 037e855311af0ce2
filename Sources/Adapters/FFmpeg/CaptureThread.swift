// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import Foundation
import RevuePorts
import RevueTime

/// A capturer's thread: starts and stops as the port `Capturer` asks for.
final class CaptureThread: Sendable {
    private let current = Locked<CaptureRun?>(nil)

    deinit { current.withLock { $0 }?.stop() }

    /// Runs `body` on a thread of its own; does nothing while one runs.
    ///
    /// - Parameter prepare: makes what the body needs; called on the caller's thread, with the lock held.
    func start(
        _ name: String, _ prepare: () throws(CaptureError) -> @Sendable (CaptureRun) -> Void
    ) throws(CaptureError) {
        try current.withLock { (slot: inout CaptureRun?) throws(CaptureError) in
            if let slot, !slot.isStopped { return }
            let body = try prepare()
            let run = CaptureRun(after: slot)
            slot = run
            let thread = Thread { run.perform(body) }
            thread.name = name
            thread.start()
        }
    }

    /// Ends the thread, and waits for its end unless called on it.
    func stop() {
        guard let run = current.withLock({ $0 }) else { return }
        run.stop()
        if !run.isCurrent { run.waitForEnd() }
    }
}

/// One run of a capturer's thread, from start to stop.
final class CaptureRun: Sendable {
    private struct State {
        var isStopped = false
        var thread: ObjectIdentifier?
        /// A run that ended itself from its own sink may still be returning from it.
        var previous: CaptureRun?
    }
    private let state: Locked<State>
    private let stopSignal = DispatchSemaphore(value: 0)
    private let end = DispatchGroup()

    init(after previous: CaptureRun?) {
        state = Locked(State(previous: previous))
        end.enter()
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Whether the caller is this run's thread.
    var isCurrent: Bool { state.withLock { $0.thread } == ObjectIdentifier(Thread.current) }

    func stop() {
        state.withLock { $0.isStopped = true }
        stopSignal.signal()
    }

    func waitForEnd() { end.wait() }

    func perform(_ body: (CaptureRun) -> Void) {
        let thread = ObjectIdentifier(Thread.current)
        let previous = state.withLock { state in
            defer { state.previous = nil }
            state.thread = thread
            return state.previous
        }
        previous?.waitForEnd()
        body(self)
        // Ended by itself, it counts as stopped: a later start runs again.
        state.withLock {
            $0.isStopped = true
            $0.thread = nil
        }
        end.leave()
    }

    /// Sleeps; false when the run is to end instead.
    func sleep(_ interval: Interval) -> Bool {
        guard interval > .zero else { return !isStopped }
        let result = stopSignal.wait(timeout: .now() + .nanoseconds(Int(interval.nanoseconds)))
        if result == .success { stopSignal.signal() }
        return !isStopped
    }
}
