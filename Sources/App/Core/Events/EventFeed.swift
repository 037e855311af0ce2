// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// Hands each event to every loop that follows, and keeps none of them alive.
final class EventFeed<Element: Sendable>: Sendable {
    private struct Follower: Sendable {
        weak var queue: EventQueue<Element>?
    }

    /// Events that may wait for one loop.
    static var limit: Int { 1_024 }

    private let missed: @Sendable (Int, Element) -> Element
    private let followers = Locked<[Follower]>([])

    /// - Parameter missed: what tells a loop of so many missed events, the last of which is given.
    init(missed: @escaping @Sendable (Int, Element) -> Element) { self.missed = missed }

    /// An instance that is let go of without `destroy` ends its loops too: nobody waits for what cannot come.
    deinit { finish() }

    /// Everything from now on.
    func follow() -> EventQueue<Element> {
        let queue = EventQueue(limit: Self.limit, missed: missed)
        followers.withLock { followers in
            followers.removeAll { $0.queue == nil }
            followers.append(Follower(queue: queue))
        }
        return queue
    }

    func send(_ element: Element) {
        for queue in followers.withLock({ $0.compactMap(\.queue) }) { queue.put(element) }
    }

    /// Ends every loop that follows now; those who come later hear of what happens then.
    func finish() {
        let queues = followers.withLock { followers in
            defer { followers = [] }
            return followers.compactMap(\.queue)
        }
        for queue in queues { queue.finish() }
    }

    /// How many follow.
    var followerCount: Int { followers.withLock { $0.filter { $0.queue != nil }.count } }
}
