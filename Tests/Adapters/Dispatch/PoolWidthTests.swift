// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevuePorts
import Testing

/// Set where the whole run is to have a pool of so many threads.
private let wantedWidth = ProcessInfo.processInfo.environment["REVUE_POOL_WIDTH"].flatMap(Int.init)

@Suite(.enabled(if: wantedWidth != nil, "REVUE_POOL_WIDTH is not set")) struct PoolWidthTests {
    @Test func `no more tasks run at one time than the run is meant to have threads`() async {
        let running = Locked((now: 0, most: 0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    running.withLock { running in
                        running.now += 1
                        running.most = max(running.most, running.now)
                    }
                    // Busy rather than blocked: for a blocked thread the pool may start another.
                    let end = ContinuousClock.now + .milliseconds(50)
                    while ContinuousClock.now < end {}
                    running.withLock { $0.now -= 1 }
                }
            }
        }
        #expect(running.withLock { $0.most } == wantedWidth)
    }
}
