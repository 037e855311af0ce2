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
    private struct State {
        /// Weak: a loop that waits must not keep alive what it waits for.
        weak var feed: EventFeed<Element>?
        /// What came since the stream was taken, for its first loop.
        var first: EventQueue<Element>?
    }

    private let state: Locked<State>

    init(_ feed: EventFeed<Element>) { state = Locked(State(feed: feed, first: feed.follow())) }

    /// A loop: the first one begins where the stream was taken, each further one now.
    public func makeAsyncIterator() -> Iterator {
        let queue = state.withLock { state in
            defer { state.first = nil }
            return state.first ?? state.feed?.follow()
        }
        return Iterator(queue: queue ?? .ended)
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
