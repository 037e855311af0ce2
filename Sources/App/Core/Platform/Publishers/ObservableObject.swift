// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// An object that tells before any of its `@Published` properties changes.
public protocol ObservableObject: AnyObject {
    /// What tells of changes.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    /// Sends just before a property changes. Objects with `@Published` properties need not write this.
    var objectWillChange: ObjectWillChangePublisher { get }
}

/// Sends an empty value just before an object changes.
public final class ObservableObjectPublisher: Publisher, Sendable {
    private let subject = PassthroughSubject<Void, Never>()

    /// A publisher without subscribers.
    public init() {}

    /// Says that the object is about to change.
    public func send() { subject.send() }

    /// Follows the object until the returned object is cancelled or released.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Never>) -> Void, receiveValue: @escaping (()) -> Void
    ) -> AnyCancellable {
        subject.sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// The publisher that the object's `@Published` properties share; it is found once, on first use.
    ///
    /// An object without such properties gets a new publisher each time: it never changes.
    public var objectWillChange: ObservableObjectPublisher {
        let properties = publishedProperties(of: self)
        let publisher = properties.lazy.compactMap(\.willChange).first ?? ObservableObjectPublisher()
        for property in properties { property.shareWillChange(publisher) }
        return properties.first?.willChange ?? publisher
    }
}

/// A `@Published` property's storage, whatever its value.
protocol PublishedStorage: AnyObject, Sendable {
    /// The publisher of the object that it belongs to, once known.
    var willChange: ObservableObjectPublisher? { get }
    /// Makes this publisher the object's, unless it has one.
    func shareWillChange(_ publisher: ObservableObjectPublisher)
}

/// Something that keeps a `@Published` property's storage: the property wrapper.
protocol PublishedProperty {
    var storage: any PublishedStorage { get }
}

/// The storages of an object's `@Published` properties, those of its superclasses first.
private func publishedProperties(of object: AnyObject) -> [any PublishedStorage] {
    var properties: [any PublishedStorage] = []
    var mirror: Mirror? = Mirror(reflecting: object)
    while let level = mirror {
        let own = level.children.compactMap { ($0.value as? any PublishedProperty)?.storage }
        properties.insert(contentsOf: own, at: 0)
        mirror = level.superclassMirror
    }
    return properties
}
