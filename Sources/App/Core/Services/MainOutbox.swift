// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts

/// The one queue from an instance to the main thread: what happened, in the order in which the domain said it.
///
/// Anyone may append; only main takes. A call on main that must deliver before it returns drains the queue itself, even
/// from inside a delegate: the event in delivery first finishes its remaining delegates, then the queue goes on, and the
/// outer loop finds nothing left. How it stays bounded while main is slow stands in `OutboxQueue`.
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
        /// The codec of what a friend sends became known or changed.
        case codec(WeakPublication, VideoCodecKind)
    }

    private struct State {
        var queue = OutboxQueue()
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

    /// Queues an item.
    ///
    /// - Returns: false when too many texts of the friend wait already, and this one was dropped.
    @discardableResult
    func append(_ item: Item) -> Bool {
        let (isQueued, mustSchedule) = state.withLock { state in
            guard state.queue.append(item) else { return (false, false) }
            defer { state.isScheduled = true }
            return (true, !state.isScheduled)
        }
        if mustSchedule { schedule() }
        return isQueued
    }

    /// Whether so much of a peer waits that nothing further should be taken from it: what it sends reliably, it sends again.
    func isFull(of peer: PeerID) -> Bool { state.withLock { $0.queue.isFull(of: peer) } }

    /// How much waits.
    var count: Int { state.withLock { $0.queue.count } }

    /// Delivers everything that is queued.
    @MainActor func drain() {
        while true {
            if let step = steps.popLast() {
                step()
            } else if let item = state.withLock({ $0.queue.removeFirst() }) {
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
}

/// A publication that the queue does not keep alive.
struct WeakPublication: Sendable {
    weak let object: RemoteTrackPublication?
    let id: ObjectIdentifier

    init(_ publication: RemoteTrackPublication) {
        object = publication
        id = ObjectIdentifier(publication)
    }
}
