// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import Testing

@testable import RevueCore

struct OperatorTests {
    private func heard<Output, Failure>(
        _ values: [Int], through chain: (AnyPublisher<Int, Never>) -> AnyPublisher<Output, Failure>
    ) -> [Output] {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder<Output>()
        let subscription = chain(subject.eraseToAnyPublisher())
            .sink(receiveCompletion: { _ in }, receiveValue: { recorder.add($0) })
        for value in values { subject.send(value) }
        subscription.cancel()
        subject.send(99)
        return recorder.values
    }

    @Test func `map sends what is made of each value`() {
        #expect(heard([1, 2]) { $0.map { "\($0)!" } } == ["1!", "2!"])
    }

    @Test func `filter sends what is accepted`() {
        #expect(heard([1, 2, 3, 4]) { $0.filter { $0 % 2 == 0 } } == [2, 4])
    }

    @Test func `compactMap sends what is made, where something is`() {
        #expect(heard([1, 2, 3]) { $0.compactMap { $0 == 2 ? nil : -$0 } } == [-1, -3])
    }

    @Test func `removeDuplicates sends changes`() {
        #expect(heard([1, 1, 2, 2, 1]) { $0.removeDuplicates() } == [1, 2, 1])
        #expect(heard([1, 3, 2, 4]) { $0.removeDuplicates { $0 % 2 == $1 % 2 } } == [1, 2])
    }

    @Test func `removeDuplicates remembers for each subscriber alone`() {
        let subject = CurrentValueSubject<Int, Never>(1)
        let changes = subject.removeDuplicates()
        let (first, second) = (Recorder<Int>(), Recorder<Int>())
        let one = changes.sink { first.add($0) }
        let two = changes.sink { second.add($0) }
        subject.value = 1
        #expect(first.values == [1])
        #expect(second.values == [1])
        one.cancel()
        two.cancel()
    }

    @Test func `first sends one value and ends`() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder<String>()
        let subscription = subject.first().sink(
            receiveCompletion: { _ in recorder.add("end") }, receiveValue: { recorder.add("\($0)") })
        subject.send(1)
        subject.send(2)
        subject.send(completion: .finished)
        #expect(recorder.values == ["1", "end"])
        subscription.cancel()
    }

    @Test func `first is content with a current value`() {
        let subject = CurrentValueSubject<Int, Never>(7)
        let recorder = Recorder<Int>()
        let subscription = subject.first().sink { recorder.add($0) }
        subject.value = 8
        #expect(recorder.values == [7])
        subscription.cancel()
    }

    @Test func `first without a value ends with its publisher`() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder<String>()
        let subscription = subject.first(where: { $0 > 5 }).sink(
            receiveCompletion: { _ in recorder.add("end") }, receiveValue: { recorder.add("\($0)") })
        subject.send(1)
        subject.send(completion: .finished)
        #expect(recorder.values == ["end"])
        subscription.cancel()
    }

    @Test func `first that is cancelled sends nothing`() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder<Int>()
        subject.first().sink { recorder.add($0) }.cancel()
        subject.send(1)
        #expect(recorder.values.isEmpty)
    }

    @Test func `assign writes each value into a property`() {
        final class Target { var value = 0 }
        let target = Target()
        let subject = CurrentValueSubject<Int, Never>(1)
        let subscription = subject.assign(to: \.value, on: target)
        #expect(target.value == 1)
        subject.value = 2
        #expect(target.value == 2)
        subscription.cancel()
    }

    @Test func `receive on a queue hands over there, in order`() {
        let queue = DispatchQueue(label: "test.receive")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder<Int>()
        let subscription = subject.receive(on: queue).sink { value in
            if DispatchQueue.getSpecific(key: key) == true { recorder.add(value) }
        }
        for value in 0..<100 { subject.send(value) }
        queue.sync {}
        #expect(recorder.values == Array(0..<100))
        subscription.cancel()
    }

    @Test func `nothing is handed over on the queue after it was cancelled there`() {
        let queue = DispatchQueue(label: "test.cancel")
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder<Int>()
        let subscription = subject.receive(on: queue).sink { recorder.add($0) }
        queue.suspend()
        queue.async { @Sendable in subscription.cancel() }
        subject.send(1)
        queue.resume()
        queue.sync {}
        #expect(recorder.values.isEmpty)
    }

    @Test @MainActor func `a main-actor type follows on the main queue`() async {
        @MainActor final class Model {
            var values: [Int] = []
            var subscription: AnyCancellable?
            func follow(_ publisher: AnyPublisher<Int, Never>, done: @escaping () -> Void) {
                subscription = publisher.receive(on: DispatchQueue.main).sink { [weak self] value in
                    self?.values.append(value)
                    if value == 3 { done() }
                }
            }
        }
        let subject = PassthroughSubject<Int, Never>()
        let model = Model()
        await withCheckedContinuation { continuation in
            model.follow(subject.eraseToAnyPublisher()) { continuation.resume() }
            DispatchQueue.global().async { @Sendable in for value in 1...3 { subject.send(value) } }
        }
        #expect(model.values == [1, 2, 3])
    }
}
