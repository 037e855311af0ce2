// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import RevuePorts
import Testing

@testable import RevueCore

private final class Plain {
    @Published var value = 1
}

private class Observed: ObservableObject {
    @Published var value = 1
    @Published var other = ""
}

private final class Derived: Observed {
    @Published var third = false
}

private final class Bare: Observed {}

private final class Shared: ObservableObject, @unchecked Sendable {
    // SAFETY: the only state is a published property, which any thread may use.
    let objectWillChange = ObservableObjectPublisher()
    @Published private(set) var value = 0
    private let count = Locked(0)
    func increment() {
        count.withLock {
            $0 += 1
            value = $0
        }
    }
    func set(_ value: Int) { self.value = value }
}

@MainActor private final class Model: ObservableObject {
    @Published private(set) var isSharing = false
    func start() { isSharing = true }
}

struct PublishedTests {
    @Test func `a property is followed from its current value on`() {
        let object = Plain()
        let heard = Recorder<Int>()
        let subscription = object.$value.sink { heard.add($0) }
        object.value = 2
        object.value += 1
        #expect(heard.values == [1, 2, 3])
        #expect(object.value == 3)
        subscription.cancel()
    }

    @Test func `what a subscriber reads is what it was sent`() {
        let object = Plain()
        let heard = Recorder<Bool>()
        let subscription = object.$value.sink { [unowned object] in heard.add(object.value == $0) }
        object.value = 2
        #expect(heard.values == [true, true])
        subscription.cancel()
    }

    @Test func `an object tells before any of its properties changes`() {
        let object = Observed()
        let heard = Recorder<Int>()
        let subscription = object.objectWillChange.sink { [unowned object] in heard.add(object.value) }
        object.value = 2
        object.other = "x"
        #expect(heard.values == [1, 2])
        #expect(object.objectWillChange === object.objectWillChange)
        subscription.cancel()
    }

    @Test func `an object that changed before it was followed tells as well`() {
        let object = Observed()
        object.value = 5
        let heard = Recorder<Void>()
        let subscription = object.objectWillChange.sink { heard.add(()) }
        object.value = 6
        object.other = "x"
        #expect(heard.values.count == 2)
        subscription.cancel()
    }

    @Test func `a subclass and its superclass share one publisher`() {
        let object = Derived()
        let heard = Recorder<Void>()
        let subscription = object.objectWillChange.sink { heard.add(()) }
        object.third = true
        object.value = 9
        #expect(heard.values.count == 2)
        subscription.cancel()
    }

    @Test func `a subclass without properties of its own tells of its superclass's`() {
        let object = Bare()
        let heard = Recorder<Void>()
        let subscription = object.objectWillChange.sink { heard.add(()) }
        object.value = 9
        #expect(heard.values.count == 1)
        subscription.cancel()
    }

    @Test func `two objects do not share`() {
        let (first, second) = (Observed(), Observed())
        let heard = Recorder<Void>()
        let subscription = first.objectWillChange.sink { heard.add(()) }
        second.value = 2
        #expect(heard.values.isEmpty)
        subscription.cancel()
    }

    @Test func `an object's own publisher is used where it has one`() {
        let object = Shared()
        let heard = Recorder<Void>()
        let subscription = object.objectWillChange.sink { heard.add(()) }
        object.set(1)
        #expect(heard.values.count == 1)
        subscription.cancel()
    }

    @Test func `threads read and write at once`() {
        let object = Shared()
        DispatchQueue.concurrentPerform(iterations: 4) { @Sendable _ in
            for _ in 0..<500 {
                object.increment()
                _ = object.value
            }
        }
        #expect(object.value == 2_000)
    }

    @Test @MainActor func `a main-actor object publishes as well`() {
        let model = Model()
        let heard = Recorder<Bool>()
        let changes = Recorder<Void>()
        let one = model.$isSharing.sink { heard.add($0) }
        let two = model.objectWillChange.sink { changes.add(()) }
        model.start()
        #expect(model.isSharing)
        #expect(heard.values == [false, true])
        #expect(changes.values.count == 1)
        one.cancel()
        two.cancel()
    }
}
