// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// Everyone who follows a subject.
///
/// Nobody is called under the lock. Each subscriber has an inbox, filled under the lock and emptied outside it by one
/// thread at a time, so that all hear the same values in the same order, whichever threads send, and one that sends from
/// within its own handler hears of that after the handler returns.
final class Audience<Output, Failure: Error>: Sendable {
    private let state: Locked<State>

    /// `last` is what those who join later hear first; nil = nothing, and nothing is kept.
    init(last: Output?) { state = Locked(State(last: last, keepsLast: last != nil)) }

    /// The newest value, when it is kept.
    var last: Output? { state.withLock { $0.last } }

    func send(_ value: Output) {
        let inboxes = state.withLock { state in
            if state.keepsLast { state.last = value }
            guard state.end == nil else { return [Inbox<Output, Failure>]() }
            for inbox in state.inboxes { inbox.put(.value(value)) }
            return state.inboxes
        }
        for inbox in inboxes { inbox.empty() }
    }

    func send(completion: Subscribers.Completion<Failure>) {
        let inboxes = state.withLock { state in
            guard state.end == nil else { return [Inbox<Output, Failure>]() }
            state.end = completion
            for inbox in state.inboxes { inbox.put(.end(completion)) }
            defer { state.inboxes = [] }
            return state.inboxes
        }
        for inbox in inboxes { inbox.empty() }
    }

    func join(_ inbox: Inbox<Output, Failure>) -> AnyCancellable {
        state.withLock { state in
            if let end = state.end {
                inbox.put(.end(end))
            } else {
                if let last = state.last { inbox.put(.value(last)) }
                state.inboxes.append(inbox)
            }
        }
        inbox.empty()
        return AnyCancellable { [weak self] in
            inbox.close()
            self?.state.withLock { $0.inboxes.removeAll { $0 === inbox } }
        }
    }

    private struct State: @unchecked Sendable {
        // SAFETY: only ever inside the lock; see `Unchecked` for the values.
        var last: Output?
        var keepsLast: Bool
        var end: Subscribers.Completion<Failure>?
        var inboxes: [Inbox<Output, Failure>] = []
    }
}

/// What one subscriber has yet to hear.
final class Inbox<Output, Failure: Error>: Sendable {
    enum Item {
        case value(Output)
        case end(Subscribers.Completion<Failure>)
    }

    private let state = Locked(State())
    private let receiver: Locked<Receiver?>

    init(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) {
        receiver = Locked(Receiver(completion: receiveCompletion, value: receiveValue))
    }

    /// Queues an item; nobody is called.
    func put(_ item: Item) {
        let item = Unchecked(item)
        state.withLock { $0.items.append(item.value) }
    }

    /// Hands over what is queued, unless someone is at it already: they then go on until nothing is left.
    func empty() {
        guard state.withLock({ $0.begin() }) else { return }
        while let item = state.withLock({ $0.next().map(Unchecked.init) }) {
            guard let receiver = receiver.withLock({ $0 }) else { continue }
            switch item.value {
            case .value(let value): receiver.value(value)
            case .end(let completion):
                close()
                receiver.completion(completion)
            }
        }
    }

    /// Hands over nothing any more, and lets go of the closures.
    func close() {
        // The closures are released outside the lock: what they hold may run code of its own as it goes.
        let released = receiver.withLock { receiver in
            defer { receiver = nil }
            return receiver
        }
        withExtendedLifetime(released) {}
    }

    private struct State: @unchecked Sendable {
        // SAFETY: only ever inside the lock; see `Unchecked` for the values.
        var items: [Item] = []
        var isEmptying = false

        /// Whether the caller is the one to empty it.
        mutating func begin() -> Bool {
            guard !isEmptying, !items.isEmpty else { return false }
            isEmptying = true
            return true
        }

        mutating func next() -> Item? {
            guard !items.isEmpty else {
                isEmptying = false
                return nil
            }
            return items.removeFirst()
        }
    }

    private struct Receiver: @unchecked Sendable {
        // SAFETY: called by one thread at a time; see `Publisher.sink` for closures that belong to an actor.
        let completion: (Subscribers.Completion<Failure>) -> Void
        let value: (Output) -> Void
    }
}
