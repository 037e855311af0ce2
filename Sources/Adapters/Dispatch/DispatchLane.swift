// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import RevuePorts
import RevueTime

/// A lane on a serial dispatch queue.
///
/// The queue carries the lane's identity as a queue-specific value. For the main queue this holds in every kind of
/// program: on the main thread (which libdispatch binds to the main queue from the start), in work that a run loop
/// drains, and in an asynchronous `main`, where another thread drains the queue after the first suspension.
final class DispatchLane: Lane {
    static let main = DispatchLane(queue: .main)

    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    private let queue: DispatchQueue

    init(queue: DispatchQueue) {
        self.queue = queue
        queue.setSpecific(key: DispatchLane.key, value: ObjectIdentifier(self))
    }

    func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    func sync<Result>(_ work: () throws -> Result) rethrows -> Result {
        try isCurrent ? work() : queue.sync(execute: work)
    }

    func schedule(at deadline: Instant, _ work: @escaping @Sendable () -> Void) -> any LaneTimer {
        DispatchLaneTimer(queue: queue, deadline: deadline, work)
    }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: DispatchLane.key) == ObjectIdentifier(self) }
}
