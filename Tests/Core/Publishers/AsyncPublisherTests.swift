// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Testing

@testable import RevueCore

struct AsyncPublisherTests {
    @Test func `values come one after the other until the publisher ends`() async {
        let subject = CurrentValueSubject<Int, Never>(1)
        var iterator = subject.values.makeAsyncIterator()
        subject.value = 2
        subject.send(completion: .finished)
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == 2)
        #expect(await iterator.next() == nil)
    }

    @Test func `a loop that falls behind misses the oldest`() async {
        let subject = PassthroughSubject<Int, Never>()
        var iterator = subject.values(buffering: 2).makeAsyncIterator()
        for value in 1...5 { subject.send(value) }
        subject.send(completion: .finished)
        #expect(await iterator.next() == 4)
        #expect(await iterator.next() == 5)
        #expect(await iterator.next() == nil)
    }

    @Test func `each loop follows anew`() async {
        let subject = CurrentValueSubject<Int, Never>(1)
        let values = subject.values
        var first = values.makeAsyncIterator()
        subject.value = 2
        var second = values.makeAsyncIterator()
        #expect(await first.next() == 1)
        #expect(await first.next() == 2)
        #expect(await second.next() == 2)
    }

    @Test func `a loop that ends follows no longer`() async {
        let subject = PassthroughSubject<Witness, Never>()
        weak var last: Witness?
        do {
            var iterator = subject.values.makeAsyncIterator()
            subject.send(Witness())
            #expect(await iterator.next() != nil)
        }
        do {
            let witness = Witness()
            last = witness
            subject.send(witness)
        }
        #expect(last == nil)
    }
}

private final class Witness: Sendable {}
