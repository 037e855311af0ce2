// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import Foundation
import RevuePorts

extension Publisher {
    /// Sends what `transform` makes of each value.
    public func map<Result>(_ transform: @escaping (Output) -> Result) -> AnyPublisher<Result, Failure> {
        AnyPublisher { completion, value in
            sink(receiveCompletion: completion, receiveValue: { value(transform($0)) })
        }
    }

    /// Sends the values that `isIncluded` accepts.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
        AnyPublisher { completion, value in
            sink(receiveCompletion: completion, receiveValue: { if isIncluded($0) { value($0) } })
        }
    }

    /// Sends what `transform` makes of each value, where it makes something.
    public func compactMap<Result>(_ transform: @escaping (Output) -> Result?) -> AnyPublisher<Result, Failure> {
        AnyPublisher { completion, value in
            sink(receiveCompletion: completion, receiveValue: { if let result = transform($0) { value(result) } })
        }
    }

    /// Sends the values that `isDuplicate` tells from the one sent before.
    public func removeDuplicates(
        by isDuplicate: @escaping (Output, Output) -> Bool
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { completion, value in
            // One subscriber's values come one after the other: no lock.
            var previous: Output?
            return sink(
                receiveCompletion: completion,
                receiveValue: {
                    if let last = previous, isDuplicate(last, $0) { return }
                    previous = $0
                    value($0)
                })
        }
    }

    /// Sends the first value, then ends.
    public func first() -> AnyPublisher<Output, Failure> {
        AnyPublisher { completion, value in
            let ticket = Ticket()
            let upstream = sink(
                receiveCompletion: { if ticket.use() { completion($0) } },
                receiveValue: {
                    guard ticket.use() else { return }
                    value($0)
                    completion(.finished)
                })
            ticket.keep(upstream)
            return AnyCancellable { ticket.cancel() }
        }
    }

    /// Sends the first value that `isIncluded` accepts, then ends.
    public func first(where isIncluded: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
        filter(isIncluded).first()
    }

    /// Hands everything over on a queue, in order. Nothing arrives on the queue after it was cancelled there.
    public func receive(on queue: DispatchQueue) -> AnyPublisher<Output, Failure> {
        AnyPublisher { completion, value in
            let inbox = Inbox<Output, Failure>(receiveCompletion: completion, receiveValue: value)
            let upstream = sink(
                receiveCompletion: { end in
                    inbox.put(.end(end))
                    queue.async { @Sendable in inbox.empty() }
                },
                receiveValue: { item in
                    inbox.put(.value(item))
                    queue.async { @Sendable in inbox.empty() }
                })
            return AnyCancellable {
                inbox.close()
                upstream.cancel()
            }
        }
    }
}

extension Publisher where Output: Equatable {
    /// Sends the values that differ from the one sent before.
    public func removeDuplicates() -> AnyPublisher<Output, Failure> { removeDuplicates(by: ==) }
}

/// Lets one value through, and ends the subscription that it came from.
private final class Ticket: Sendable {
    private let state = Locked((isUsed: false, upstream: AnyCancellable?.none))

    /// Whether this is the first use.
    func use() -> Bool {
        let (isFirst, upstream) = state.withLock { state in
            defer { state = (true, nil) }
            return (!state.isUsed, state.upstream)
        }
        upstream?.cancel()
        return isFirst
    }

    /// Keeps the subscription until the first use; ends it when that was already.
    func keep(_ upstream: AnyCancellable) {
        let isUsed = state.withLock { state in
            if !state.isUsed { state.upstream = upstream }
            return state.isUsed
        }
        if isUsed { upstream.cancel() }
    }

    func cancel() { _ = use() }
}
