// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Sends values over time.
///
/// A small stand-in for the framework of the same vocabulary on other platforms: what integrators of this SDK use of it,
/// without back-pressure. Values arrive one after the other and, for each subscriber, in the order in which they were
/// sent; on which thread, the publisher's own documentation says. What the SDK itself publishes arrives on main.
public protocol Publisher<Output, Failure> {
    /// What is sent.
    associatedtype Output
    /// What it may end with; `Never` when it cannot fail.
    associatedtype Failure: Error

    /// Follows the publisher until the returned object is cancelled or released.
    ///
    /// Closures that belong to an actor, such as those written in a `@MainActor` type, may only be handed to publishers
    /// that call on that actor; put `receive(on:)` before them otherwise.
    func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable
}

/// Where subscriptions' own types live.
public enum Subscribers {
    /// How a publisher ended. Nothing comes after it.
    public enum Completion<Failure: Error>: Sendable {
        /// In the ordinary way.
        case finished
        /// With an error.
        case failure(Failure)
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}

extension Publisher where Failure == Never {
    /// Follows the publisher until the returned object is cancelled or released.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Writes each value into a property. The object is kept alive for as long as the publisher is followed.
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }
}

extension Publisher {
    /// The same publisher without its type.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// A publisher of any kind.
public struct AnyPublisher<Output, Failure: Error>: Publisher, @unchecked Sendable {
    // SAFETY: the closure only captures publishers, which may be followed from any thread, and operators' closures, which
    // run where the publisher calls; see `Publisher.sink`.
    private let follow:
        (
            _ receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            _ receiveValue: @escaping (Output) -> Void
        ) -> AnyCancellable

    /// Another publisher without its type.
    public init(_ publisher: some Publisher<Output, Failure>) {
        self.init { publisher.sink(receiveCompletion: $0, receiveValue: $1) }
    }

    init(
        _ follow:
            @escaping (
                _ receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
                _ receiveValue: @escaping (Output) -> Void
            ) -> AnyCancellable
    ) {
        self.follow = follow
    }

    /// Follows the publisher until the returned object is cancelled or released.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        follow(receiveCompletion, receiveValue)
    }
}
