// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import RevueTime

/// Lets somebody on main wait until something is so: whoever changes something says so, and every waiter looks again.
@MainActor final class Changes {
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var nextWaiter = 0
    private let interruption: Interruption

    init(interruption: Interruption) {
        self.interruption = interruption
        interruption.onInterruption { [weak self] in self?.notify() }
    }

    /// Something changed.
    func notify() {
        let woken = waiters.sorted { $0.key < $1.key }
        waiters = [:]
        for (_, waiter) in woken { waiter.resume() }
    }

    /// The first value that `condition` gives.
    ///
    /// - Returns: nil when it gave none within `limit`.
    /// - Throws: `CommandFailure` with `.interrupted` once the program is asked to end; what `condition` throws.
    func first<Value>(
        within limit: Interval, _ condition: @MainActor () throws -> Value?
    ) async throws -> Value? {
        let deadline = DispatchTime.now() + .nanoseconds(Int(limit.nanoseconds))
        while true {
            if interruption.hasHappened { throw CommandFailure(.interrupted, "interrupted") }
            if let value = try condition() { return value }
            if DispatchTime.now() >= deadline { return nil }
            await wait(until: deadline)
        }
    }

    /// Returns after `duration`, or throws when the program is asked to end.
    func pause(_ duration: Interval) async throws {
        let never: Void? = nil
        _ = try await first(within: duration) { never }
    }

    private func wait(until deadline: DispatchTime) async {
        let number = nextWaiter
        nextWaiter += 1
        await withCheckedContinuation { continuation in
            waiters[number] = continuation
            DispatchQueue.main.asyncAfter(deadline: deadline) { @Sendable [weak self] in
                MainActor.assumeIsolated { self?.waiters.removeValue(forKey: number)?.resume() }
            }
        }
    }
}
