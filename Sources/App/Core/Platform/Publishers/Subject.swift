// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// A publisher that is told what to send. Any thread may send, and each subscriber hears on a thread that sends.
public protocol Subject<Output, Failure>: Publisher, AnyObject {
    /// Sends a value to everyone who follows now.
    func send(_ value: Output)
    /// Ends the publisher; what is sent later is ignored.
    func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
    /// Sends the only value there is.
    public func send() { send(()) }
}

/// Sends what it is told, and keeps nothing.
public final class PassthroughSubject<Output, Failure: Error>: Subject, Sendable {
    private let audience = Audience<Output, Failure>(last: nil)

    /// A subject without subscribers.
    public init() {}

    /// Sends a value to everyone who follows now.
    public func send(_ value: Output) { audience.send(value) }
    /// Ends the publisher; what is sent later is ignored.
    public func send(completion: Subscribers.Completion<Failure>) { audience.send(completion: completion) }

    /// Follows the subject until the returned object is cancelled or released.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        audience.join(Inbox(receiveCompletion: receiveCompletion, receiveValue: receiveValue))
    }
}

/// Sends what it is told, and begins with its newest value for everyone who starts to follow.
public final class CurrentValueSubject<Output, Failure: Error>: Subject, Sendable {
    private let audience: Audience<Output, Failure>

    /// A subject with its first value.
    public init(_ value: Output) { audience = Audience(last: value) }

    /// The newest value; setting it sends it. A value that is set after the end is kept but not sent.
    public var value: Output {
        get { audience.last.unsafelyUnwrapped }  // there from the start
        set { audience.send(newValue) }
    }

    /// Makes this the newest value and sends it.
    public func send(_ value: Output) { audience.send(value) }
    /// Ends the publisher; what is sent later is ignored.
    public func send(completion: Subscribers.Completion<Failure>) { audience.send(completion: completion) }

    /// Follows the subject, beginning with its newest value, until the returned object is cancelled or released.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        audience.join(Inbox(receiveCompletion: receiveCompletion, receiveValue: receiveValue))
    }
}

/// A value that crosses threads on its owner's responsibility.
struct Unchecked<Value>: @unchecked Sendable {
    // SAFETY: publishers hand each value over as they got it, one subscriber after the other; whether it may be used on
    // the thread that sends is the sender's affair, as with any call.
    let value: Value
    init(_ value: Value) { self.value = value }
}
