// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// What every scheduler promises.
///
/// ```swift
/// SchedulerContract { ContractTime.real(MyScheduler()) }.promises
/// ```
public struct SchedulerContract: Contract {
    private let make: @Sendable () -> ContractTime

    /// The contract of the schedulers that `make` gives; each call gives a new one.
    public init(make: @escaping @Sendable () -> ContractTime) { self.make = make }

    /// All promises.
    public var promises: [Promise] { clocks + lanes + timers }

    private func promise(_ sentence: String, _ body: @escaping @Sendable (ContractTime) async throws -> Void) -> Promise
    {
        Promise(sentence) { [make] in try await body(make()) }
    }

    private var clocks: [Promise] {
        [
            promise("time passes, on both clocks alike") { time in
                let (start, date) = (time.scheduler.now, time.scheduler.wallClockNanoseconds)
                try await time.pass(.milliseconds(50))
                let (passed, shown) = (time.scheduler.now - start, time.scheduler.wallClockNanoseconds - date)
                try expect(passed >= .milliseconds(50), "\(passed.milliseconds) ms instead of 50")
                let apart = abs(passed.nanoseconds - shown)
                try expect(apart <= 1_000_000 + time.tolerance.nanoseconds, "the clocks went \(apart) ns apart")
            },
            promise("the monotonic clock never goes back") { time in
                var last = time.scheduler.now
                for _ in 0..<1_000 {
                    let now = time.scheduler.now
                    try expect(now >= last, "\(last) was followed by \(now)")
                    last = now
                }
            },
            promise("random seeds differ") { time in
                let seeds = Set((0..<100).map { _ in time.scheduler.randomSeed() })
                try expect(seeds.count == 100, "\(seeds.count) different of 100")
            },
        ]
    }

    private var lanes: [Promise] {
        [
            promise("work on a lane runs in the order of queueing, and never overlaps") { time in
                let lane = time.scheduler.makeLane("order")
                let (record, inside, overlaps) = (Record<Int>(), Locked(0), Locked(0))
                for number in 0..<500 {
                    lane.async {
                        if inside.withLock({
                            $0 += 1; return $0
                        }) > 1 {
                            overlaps.withLock { $0 += 1 }
                        }
                        record.add(number)
                        inside.withLock { $0 -= 1 }
                    }
                }
                try await time.wait(for: "end of 500 pieces of work") { record.count == 500 }
                try expect(record.all == Array(0..<500), "out of order")
                try expect(overlaps.withLock { $0 } == 0, "two at once")
            },
            promise("sync runs on the lane, waits, and gives back what the work gives") { time in
                let lane = time.scheduler.makeLane("sync")
                try expect(lane.sync { lane.isCurrent ? 42 : 0 } == 42, "not on the lane")
                struct Planted: Error {}
                do {
                    try lane.sync { throw Planted() }
                    throw Unkept(seen: "an error was swallowed")
                } catch is Planted {}
            },
            promise("sync from the lane itself runs inline") { time in
                let lane = time.scheduler.makeLane("inline")
                let record = Record<String>()
                lane.async {
                    lane.sync { record.add("inner") }
                    record.add("outer")
                }
                try await time.wait(for: "inner work") { record.count == 2 }
                try expect(record.all == ["inner", "outer"], "\(record.all)")
            },
            promise("a lane is current for its own work alone") { time in
                let (one, other) = (time.scheduler.makeLane("one"), time.scheduler.makeLane("other"))
                let record = Record<[Bool]>()
                let main = time.scheduler.main
                one.async { record.add([one.isCurrent, other.isCurrent, main.isCurrent]) }
                main.async { record.add([one.isCurrent, other.isCurrent, main.isCurrent]) }
                try await time.wait(for: "work on both lanes") { record.count == 2 }
                let seen = Set(record.all)
                try expect(seen == [[true, false, false], [false, false, true]], "\(seen)")
            },
            promise("sync from the main lane to main runs inline") { time in
                let record = Record<Bool>()
                let main = time.scheduler.main
                main.async { record.add(main.sync { main.isCurrent }) }
                try await time.wait(for: "work on main") { record.count == 1 }
                try expect(record.all == [true], "not on main")
            },
        ]
    }

    private var timers: [Promise] {
        [
            promise("a timer does not fire early, and fires soon after its deadline") { time in
                let lane = time.scheduler.makeLane("timer")
                for wait in [Interval.milliseconds(1), .milliseconds(15), .milliseconds(60)] {
                    let fired = Record<Instant>()
                    let (scheduler, deadline) = (time.scheduler, time.scheduler.now + wait)
                    _ = lane.schedule(at: deadline) { fired.add(scheduler.now) }
                    try await time.wait(for: "timer") { fired.count == 1 }
                    let late = (fired.all.first ?? .zero) - deadline
                    try expect(late >= .zero, "\(-late.milliseconds) ms early")
                    try expect(late <= .milliseconds(20) + time.tolerance, "\(late.milliseconds) ms late")
                }
            },
            promise("a deadline in the past fires at once, on the lane") { time in
                let lane = time.scheduler.makeLane("past")
                let fired = Record<Bool>()
                _ = lane.schedule(at: .zero) { fired.add(lane.isCurrent) }
                try await time.wait(for: "timer", within: .milliseconds(50)) { fired.count == 1 }
                try expect(fired.all == [true], "not on the lane")
            },
            promise("timers fire in the order of their deadlines, each once") { time in
                let lane = time.scheduler.makeLane("timers")
                let (fired, start) = (Record<Int64>(), time.scheduler.now)
                for number in [4, 1, 3, 2, 5] as [Int64] {
                    _ = lane.schedule(at: start + .milliseconds(20 * number)) { fired.add(number) }
                }
                try await time.pass(.milliseconds(150) + time.tolerance)
                try expect(fired.all == [1, 2, 3, 4, 5], "\(fired.all)")
            },
            promise("a cancelled timer never fires, and lets go of its work") { time in
                let lane = time.scheduler.makeLane("cancel")
                let fired = Record<Int>()
                final class Held: Sendable {}
                weak var held: Held?
                let timer = {
                    let object = Held()
                    held = object
                    return lane.schedule(at: time.scheduler.now + .milliseconds(30)) {
                        withExtendedLifetime(object) { fired.add(1) }
                    }
                }()
                timer.cancel()
                timer.cancel()
                try await time.pass(.milliseconds(60) + time.tolerance)
                try expect(fired.count == 0, "it fired")
                try expect(held == nil, "what the work holds is still there")
            },
        ]
    }
}
