// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// When a clip began, for both of its tracks: the first that starts sets it, and it is forgotten when both have stopped.
final class ClipTimeline: Sendable {
    private struct State {
        var origin: Instant?
        var users = 0
    }
    private let state = Locked(State())
    private let clock: @Sendable () -> Instant

    init(_ clock: @escaping @Sendable () -> Instant) { self.clock = clock }

    var now: Instant { clock() }

    /// When the clip began; call `leave` as often.
    func join() -> Instant {
        let now = clock()
        return state.withLock { state in
            state.users += 1
            let origin = state.origin ?? now
            state.origin = origin
            return origin
        }
    }

    func leave() {
        state.withLock { state in
            state.users -= 1
            if state.users == 0 { state.origin = nil }
        }
    }
}
