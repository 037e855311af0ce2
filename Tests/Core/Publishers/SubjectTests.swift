// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import RevuePorts
import Testing

@testable import RevueCore

struct SubjectTests {
    @Test func `a passthrough subject sends to those who follow now`() {
        let subject = PassthroughSubject<Int, Never>()
        let heard = Recorder<Int>()
        subject.send(1)
        let subscription = subject.sink { heard.add($0) }
        subject.send(2)
        subscription.cancel()
        subject.send(3)
        #expect(heard.values == [2])
    }

    @Test func `a current-value subject begins with its newest value`() {
        let subject = CurrentValueSubject<Int, Never>(1)
        subject.value = 2
        let heard = Recorder<Int>()
        let subscription = subject.sink { heard.add($0) }
        subject.send(3)
        #expect(heard.values == [2, 3])
        #expect(subject.value == 3)
        subscription.cancel()
    }

    @Test func `a current value may be nil`() {
        let subject = CurrentValueSubject<Int?, Never>(nil)
        let heard = Recorder<Int?>()
        let subscription = subject.sink { heard.add($0) }
        subject.value = 1
        subject.value = nil
        #expect(heard.values == [nil, 1, nil])
        #expect(subject.value == nil)
        subscription.cancel()
    }

    @Test func `releasing the subscription cancels`() {
        let subject = PassthroughSubject<Int, Never>()
        let heard = Recorder<Int>()
        var subscription: AnyCancellable? = subject.sink { heard.add($0) }
        subject.send(1)
        #expect(subscription != nil)
        subscription = nil
        subject.send(2)
        #expect(heard.values == [1])
    }

    @Test func `cancelling lets go of the closures`() {
        let subject = PassthroughSubject<Int, Never>()
        weak var released: Recorder<Int>?
        let subscription: AnyCancellable
        do {
            let heard = Recorder<Int>()
            released = heard
            subscription = subject.sink { heard.add($0) }
        }
        #expect(released != nil)
        subscription.cancel()
        #expect(released == nil)
    }

    @Test func `a cancel action runs once`() {
        let count = Recorder<Void>()
        let cancellable = AnyCancellable { count.add(()) }
        cancellable.cancel()
        cancellable.cancel()
        #expect(count.values.count == 1)
    }

    @Test func `subscriptions are kept in sets and lists`() {
        let subject = PassthroughSubject<Int, Never>()
        let heard = Recorder<Int>()
        var set: Set<AnyCancellable> = []
        var list: [AnyCancellable] = []
        subject.sink { heard.add($0) }.store(in: &set)
        subject.sink { heard.add(10 * $0) }.store(in: &list)
        subject.send(1)
        #expect(heard.values == [1, 10])
        set.removeAll()
        list.removeAll()
        subject.send(2)
        #expect(heard.values == [1, 10])
    }

    @Test func `nothing comes after the end, and late subscribers hear of it`() {
        let subject = PassthroughSubject<Int, FriendAddError>()
        let heard = Recorder<String>()
        let follow = {
            subject.sink(
                receiveCompletion: { heard.add("\($0 == .failure(.alreadyExists))") },
                receiveValue: { heard.add("\($0)") })
        }
        let early = follow()
        subject.send(1)
        subject.send(completion: .failure(.alreadyExists))
        subject.send(2)
        subject.send(completion: .finished)
        #expect(heard.values == ["1", "true"])
        let late = follow()
        #expect(heard.values == ["1", "true", "true"])
        early.cancel()
        late.cancel()
    }

    @Test func `a value sent from a handler comes after the one in hand, in the same order for all`() {
        let subject = PassthroughSubject<Int, Never>()
        let (first, second) = (Recorder<Int>(), Recorder<Int>())
        let one = subject.sink { value in
            if value == 1 { subject.send(2) }
            first.add(value)
        }
        let two = subject.sink { second.add($0) }
        subject.send(1)
        #expect(first.values == [1, 2])
        #expect(second.values == [1, 2])
        one.cancel()
        two.cancel()
    }

    @Test func `a subscriber that cancels in its handler hears no more`() {
        let subject = PassthroughSubject<Int, Never>()
        let heard = Recorder<Int>()
        let subscription = Locked<AnyCancellable?>(nil)
        let new = subject.sink { value in
            heard.add(value)
            subscription.withLock { $0 }?.cancel()
            subject.send(value + 1)
        }
        subscription.withLock { $0 = new }
        subject.send(1)
        #expect(heard.values == [1])
    }

    @Test func `threads that send at once lose nothing, and all hear the same order`() {
        let subject = PassthroughSubject<Int, Never>()
        let (first, second) = (Recorder<Int>(), Recorder<Int>())
        let one = subject.sink { first.add($0) }
        let two = subject.sink { second.add($0) }
        DispatchQueue.concurrentPerform(iterations: 4) { @Sendable thread in
            for index in 0..<500 { subject.send(thread * 500 + index) }
        }
        #expect(first.values == second.values)
        #expect(first.values.sorted() == Array(0..<2_000))
        one.cancel()
        two.cancel()
    }
}

/// Remembers what it is told, from any thread.
final class Recorder<Value>: Sendable {
    private let list = Locked(List())

    var values: [Value] { list.withLock { $0.values } }
    func add(_ value: Value) {
        let value = Unchecked(value)
        list.withLock { $0.values.append(value.value) }
    }

    private struct List: @unchecked Sendable {
        // SAFETY: only ever inside the lock.
        var values: [Value] = []
    }
}
