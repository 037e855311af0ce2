// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts

/// The one queue from an instance to the main thread: what happened, in the order in which the domain said it.
///
/// Anyone may append; only main takes. A call on main that must deliver before it returns drains the queue itself, even
/// from inside a delegate: the event in delivery first finishes its remaining delegates, then the queue goes on, and the
/// outer loop finds nothing left.
final class MainOutbox: Sendable {
    /// Something to do on main.
    enum Item: Sendable {
        /// Apply the change, then tell the delegates.
        case notice(Notice)
        /// End an operation that someone awaits.
        case finish(OperationID, OperationOutcome)
        /// Who speaks changed.
        case speakers(SpeakerList.Change, [SpeakerList.Speaker])
        /// A second's statistics and ratings.
        case statistics(StatisticsReport)
        /// Anything else whose place in the order matters.
        case run(@MainActor @Sendable () -> Void)
    }

    private struct State {
        var items: [Item] = []
        var isScheduled = false
    }

    private let state = Locked(State())
    private let main: any Lane
    private let expand: @MainActor @Sendable (Item) -> [@MainActor () -> Void]
    /// The rest of the event in delivery, last step first: what has been called is let go of at once.
    @MainActor private var steps: [@MainActor () -> Void] = []

    /// A queue that turns each item into steps, the change first and then one step a delegate.
    init(main: any Lane, expand: @escaping @MainActor @Sendable (Item) -> [@MainActor () -> Void]) {
        self.main = main
        self.expand = expand
    }

    func append(_ item: Item) {
        let mustSchedule = state.withLock { state in
            state.items.append(item)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { schedule() }
    }

    /// Delivers everything that is queued.
    @MainActor func drain() {
        while true {
            if let step = steps.popLast() {
                step()
            } else if let item = takeItem() {
                steps = expand(item).reversed()
            } else {
                return
            }
        }
    }

    /// Delivers now when the caller is on main, and soon when not.
    func drainIfOnMain() {
        guard main.isCurrent else { return }
        MainActor.assumeIsolated { drain() }
    }

    private func schedule() {
        main.async { [weak self] in
            self?.state.withLock { $0.isScheduled = false }
            MainActor.assumeIsolated { self?.drain() }
        }
    }

    private func takeItem() -> Item? {
        state.withLock { $0.items.isEmpty ? nil : $0.items.removeFirst() }
    }
}
