// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// Any number of delegates of one kind, in the order in which they were added, held weakly.
///
/// Any thread may add and remove; delegates are called on the main thread. One that has been removed is not called any
/// more, even when it is removed while others hear of the same event.
public final class MulticastDelegate<T>: Sendable {
    private let entries = Locked(Entries())

    init() {}

    /// Adds a delegate at the end; does nothing when it is there already. Keep the delegate alive: this does not.
    public func add(delegate: T) {
        let object = delegate as AnyObject
        entries.withLock { entries in
            entries.removeReleased()
            guard !entries.list.contains(where: { $0.object === object }) else { return }
            entries.list.append(Entry(object: object, number: entries.nextNumber))
            entries.nextNumber += 1
        }
    }

    /// Removes a delegate; does nothing when it is not there.
    public func remove(delegate: T) {
        let object = delegate as AnyObject
        entries.withLock { $0.list.removeAll { $0.object == nil || $0.object === object } }
    }

    /// Removes all delegates.
    public func removeAll() {
        entries.withLock { $0.list.removeAll() }
    }

    /// Calls `body` with each delegate in turn.
    ///
    /// Delegates that are added meanwhile hear of the next event.
    @MainActor func notify(_ body: @MainActor (T) -> Void) {
        let delivery = makeDelivery()
        while let delegate = delivery.next() { body(delegate) }
    }

    /// The delegates of this moment, to be called one after the other.
    ///
    /// Whoever keeps the delivery of an event can finish it from within one of its own delegates: a nested loop over
    /// `next()` calls the rest, and the outer one then finds nobody left.
    func makeDelivery() -> Delivery {
        Delivery(to: self, before: entries.withLock { $0.nextNumber })
    }

    /// One step for each delegate of this moment, in order; a step whose delegate is gone by then does nothing.
    @MainActor func steps(_ body: @escaping @MainActor (T) -> Void) -> [@MainActor () -> Void] {
        let delivery = makeDelivery()
        let count = entries.withLock { $0.list.count }
        return (0..<count).map { _ in
            { if let delegate = delivery.next() { body(delegate) } }
        }
    }

    /// One event's way through the delegates.
    final class Delivery: Sendable {
        private let delegates: MulticastDelegate
        private let end: UInt64
        private let position = Locked<UInt64>(0)

        fileprivate init(to delegates: MulticastDelegate, before end: UInt64) {
            self.delegates = delegates
            self.end = end
        }

        /// The next delegate that is still there; nil when all have been called.
        func next() -> T? {
            while true {
                let from = position.withLock { $0 }
                guard let (number, object) = delegates.entry(in: from..<end) else { return nil }
                position.withLock { $0 = number + 1 }
                if let delegate = object as? T { return delegate }
            }
        }
    }

    private func entry(in numbers: Range<UInt64>) -> (number: UInt64, object: AnyObject)? {
        entries.withLock { entries in
            for entry in entries.list where numbers.contains(entry.number) {
                if let object = entry.object { return (entry.number, object) }
            }
            return nil
        }
    }
}

/// A delegate and its place in the order.
private struct Entry {
    weak var object: AnyObject?
    let number: UInt64
}

/// The delegates in ascending order of their numbers, which are never used again.
private struct Entries: @unchecked Sendable {
    // SAFETY: only ever inside a `Locked`; the delegates themselves are called on the main thread alone.
    var list: [Entry] = []
    var nextNumber: UInt64 = 0

    mutating func removeReleased() { list.removeAll { $0.object == nil } }
}
