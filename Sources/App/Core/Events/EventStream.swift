// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// Events as an asynchronous sequence: the same ones, in the same order, as the delegates get.
///
/// A stream begins where it is taken from its property, so nothing is lost between that and the loop. Each loop has all
/// events to itself; take the property again, or loop over the same value again, for another. A stream ends when the
/// instance is destroyed, and a loop also when its task is cancelled. At most 1,024 events wait for a loop that is slow:
/// the oldest go first, and an element in their place says how many were missed.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
    private let feed: EventFeed<Element>
    /// What came since the stream was taken, for its first loop.
    private let first: Locked<EventQueue<Element>?>

    init(_ feed: EventFeed<Element>) {
        self.feed = feed
        first = Locked(feed.follow())
    }

    /// A loop: the first one begins where the stream was taken, each further one now.
    public func makeAsyncIterator() -> Iterator {
        let queue = first.withLock { first in
            defer { first = nil }
            return first
        }
        return Iterator(queue: queue ?? feed.follow())
    }

    /// One loop over the events.
    public struct Iterator: AsyncIteratorProtocol {
        let queue: EventQueue<Element>

        /// Waits for the next event; nil at the end.
        public mutating func next() async -> Element? { await queue.next() }

        /// Waits for the next event on the caller's actor; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { await queue.next() }
    }
}
