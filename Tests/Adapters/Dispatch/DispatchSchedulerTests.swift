// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import RevueContracts
import RevueDispatch
import RevuePorts
import RevueTime
import Testing

@Suite struct DispatchSchedulerTests {
    static let contract = SchedulerContract { ContractTime.real(DispatchScheduler()) }
    @Test(arguments: contract.promises)
    func `the dispatch scheduler`(keeps promise: Promise) async throws { try await promise.check() }

    private let scheduler = DispatchScheduler()

    @MainActor @Test func `the main actor is current on main, and lanes are not`() {
        #expect(scheduler.main.isCurrent)
        #expect(scheduler.main.sync { true })
        #expect(!scheduler.makeLane("other").isCurrent)
    }

    @Test func `work on main may assume the main actor`() async {
        await withCheckedContinuation { continuation in
            scheduler.main.async {
                MainActor.assumeIsolated { continuation.resume() }
            }
        }
    }

    @Test func `a timer that nobody keeps still fires`() async {
        let lane = scheduler.makeLane("timer")
        await withCheckedContinuation { continuation in
            _ = lane.schedule(at: scheduler.now + .milliseconds(30)) { continuation.resume() }
        }
    }

    @Test func `of timers cancelled while they fire, each runs at most once`() async throws {
        let (lane, fired) = (scheduler.makeLane("race"), Locked<[Int: Int]>([:]))
        let deadline = scheduler.now + .milliseconds(20)
        let timers = (0..<200).map { number in
            lane.schedule(at: deadline) { fired.withLock { $0[number, default: 0] += 1 } }
        }
        DispatchQueue.concurrentPerform(iterations: timers.count) { index in
            while scheduler.now < deadline {}
            timers[index].cancel()
        }
        try await Task.sleep(nanoseconds: 50_000_000)
        let most = fired.withLock { $0.values.max() ?? 0 }
        #expect(most <= 1)
    }

    @Test func `timers 2 ms apart keep their pace`() async throws {
        let (lane, times) = (scheduler.makeLane("pace"), Locked<[Instant]>([]))
        let start = scheduler.now + .milliseconds(5)
        for number in 0..<50 as Range<Int64> {
            _ = lane.schedule(at: start + .milliseconds(2 * number)) { [scheduler] in
                times.withLock { $0.append(scheduler.now) }
            }
        }
        try await Task.sleep(nanoseconds: 500_000_000)
        let seen = times.withLock { $0 }
        try #require(seen.count == 50)
        let late = seen.enumerated().map { $1 - (start + .milliseconds(2) * Int64($0)) }.sorted()
        // A busy machine delays some; a leeway would delay all.
        #expect(late[5] < .milliseconds(1), "the best tenth is up to \(late[5].milliseconds) ms late")
        #expect(late[0] >= .zero)
    }
}
