// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// What one loop over events has yet to see: at most so many, the oldest go first and are counted.
final class EventQueue<Element: Sendable>: Sendable {
    private struct State {
        var items: [Element?] = []
        var head = 0
        var missed = 0
        var lastMissed: Element?
        var isFinished = false
        var waiting: [CheckedContinuation<Element?, Never>] = []

        var count: Int { items.count - head }

        mutating func takeMissed(_ tell: (Int, Element) -> Element) -> Element? {
            guard missed > 0, let last = lastMissed else { return nil }
            defer { (missed, lastMissed) = (0, nil) }
            return tell(missed, last)
        }

        mutating func removeFirst() -> Element? {
            guard head < items.count else { return nil }
            let first = items[head]
            items[head] = nil
            head += 1
            if head == items.count {
                (items, head) = ([], 0)
            } else if head >= 64, head * 2 >= items.count {
                items.removeFirst(head)
                head = 0
            }
            return first
        }
    }

    private let limit: Int
    private let missed: @Sendable (Int, Element) -> Element
    private let state = Locked(State())

    /// - Parameters:
    ///   - limit: how many events may wait.
    ///   - missed: what tells of so many missed events, the last of which is given.
    init(limit: Int, missed: @escaping @Sendable (Int, Element) -> Element) {
        self.limit = limit
        self.missed = missed
    }

    /// One that has ended already: what a loop gets whose instance is gone.
    static var ended: EventQueue {
        let queue = EventQueue(limit: 1) { _, last in last }
        queue.finish()
        return queue
    }

    deinit { finish() }

    func put(_ element: Element) {
        let waiting = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            guard !state.isFinished else { return nil }
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            if state.count == limit, let oldest = state.removeFirst() {
                state.missed += 1
                state.lastMissed = oldest
            }
            state.items.append(element)
            return nil
        }
        waiting?.resume(returning: element)
    }

    /// Nothing further comes; what waits is still handed out.
    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: nil) }
    }

    /// The next event, or how many were missed before it; nil after the last, and when the task is cancelled.
    func next() async -> Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Element?? = state.withLock { state in
                    if let told = state.takeMissed(missed) { return told }
                    if let element = state.removeFirst() { return element }
                    if state.isFinished { return .some(nil) }
                    state.waiting.append(continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            abandon()
        }
    }

    /// The loop is over: nothing is kept for it.
    private func abandon() {
        let released = state.withLock { state in
            defer {
                (state.items, state.head, state.missed, state.lastMissed) = ([], 0, 0, nil)
            }
            return state.items
        }
        withExtendedLifetime(released) {}
        finish()
    }
}
