// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// A property of a class that can be followed.
///
/// The object's `objectWillChange` sends before the property changes. The property's own publisher, `$name`, sends
/// afterwards, so that what a subscriber reads is what it was sent; it begins with the current value. Any thread may read
/// and write; subscribers hear on the thread that writes.
@propertyWrapper
public struct Published<Value> {
    private let box: Box

    /// A property with its first value.
    public init(wrappedValue: Value) { box = Box(wrappedValue) }

    /// A property with its first value.
    public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

    /// Only properties of classes can be published.
    @available(*, unavailable, message: "@Published is for properties of classes")
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.set(newValue) }
    }

    /// Sends the current value, then each new one once the property has it.
    public var projectedValue: Publisher { Publisher(box: box) }

    /// The value, in the object that the property belongs to.
    public static subscript<Object: AnyObject>(
        _enclosingInstance object: Object,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<Object, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        get { object[keyPath: storageKeyPath].box.value }
        set {
            let box = object[keyPath: storageKeyPath].box
            box.belongs(to: object)
            box.set(newValue)
        }
    }

    /// Sends a property's values.
    public struct Publisher: RevueCore.Publisher, @unchecked Sendable {
        // SAFETY: the box is thread-safe; see `Unchecked` for its values.
        fileprivate let box: Box

        /// Values of the property.
        public typealias Output = Value
        /// A property never fails.
        public typealias Failure = Never

        /// Follows the property, beginning with its value, until the returned object is cancelled or released.
        public func sink(
            receiveCompletion: @escaping (Subscribers.Completion<Never>) -> Void,
            receiveValue: @escaping (Value) -> Void
        ) -> AnyCancellable {
            box.subject.sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        }
    }

    /// The value and those who follow it.
    fileprivate final class Box: PublishedStorage {
        let subject: CurrentValueSubject<Value, Never>
        private let owner = Locked(Owner.unknown)

        init(_ value: Value) { subject = CurrentValueSubject(value) }

        var value: Value { subject.value }

        var willChange: ObservableObjectPublisher? {
            if case .observable(let publisher) = owner.withLock({ $0 }) { publisher } else { nil }
        }

        func shareWillChange(_ publisher: ObservableObjectPublisher) {
            owner.withLock { if case .observable = $0 {} else { $0 = .observable(publisher) } }
        }

        /// Looks once whether the object tells of changes.
        func belongs(to object: AnyObject) {
            guard case .unknown = owner.withLock({ $0 }) else { return }
            if let observable = object as? any ObservableObject,
                let publisher = (observable.objectWillChange as Any) as? ObservableObjectPublisher
            {
                shareWillChange(publisher)
            } else {
                owner.withLock { if case .unknown = $0 { $0 = .other } }
            }
        }

        func set(_ value: Value) {
            willChange?.send()
            subject.value = value
        }
    }

    private enum Owner {
        case unknown
        case observable(ObservableObjectPublisher)
        case other
    }
}

extension Published: Sendable where Value: Sendable {}

extension Published: PublishedProperty {
    var storage: any PublishedStorage { box }
}
