// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
public import RevueTime

/// The time that adapters under test live in: a scheduler, and a way to let time pass.
///
/// ```swift
/// ContractTime.real(DispatchScheduler())
///
/// let scheduler = VirtualScheduler()
/// ContractTime(scheduler) { try await scheduler.advance(by: $0) }
/// ```
public struct ContractTime: Sendable {
    /// The clock.
    public let scheduler: any Scheduler
    private let letPass: @Sendable (Interval) async throws -> Void
    /// How much later than promised something may happen, for machines that are busy; zero in virtual time.
    public let tolerance: Interval

    /// Time that passes when `letPass` is asked to.
    public init(
        _ scheduler: any Scheduler, tolerance: Interval = .zero,
        letPass: @escaping @Sendable (Interval) async throws -> Void
    ) {
        self.scheduler = scheduler
        self.tolerance = tolerance
        self.letPass = letPass
    }

    /// Time that passes by itself.
    public static func real(_ scheduler: any Scheduler, tolerance: Interval = .milliseconds(500)) -> ContractTime {
        ContractTime(scheduler, tolerance: tolerance) { interval in
            try await Task.sleep(nanoseconds: UInt64(max(0, interval.nanoseconds)))
        }
    }

    func pass(_ interval: Interval) async throws { try await letPass(interval) }

    /// Lets time pass in small steps until something holds.
    func wait(
        for what: String, within limit: Interval = .seconds(5), until condition: @Sendable () -> Bool
    ) async throws {
        let end = scheduler.now + limit + tolerance
        while !condition() {
            try expect(scheduler.now < end, "no \(what) within \(limit.seconds) s")
            try await letPass(.milliseconds(5))
        }
    }
}

/// A list that any thread adds to.
final class Record<Element: Sendable>: Sendable {
    private let list = Locked<[Element]>([])

    func add(_ element: Element) { list.withLock { $0.append(element) } }
    var all: [Element] { list.withLock { $0 } }
    var count: Int { list.withLock { $0.count } }
}
