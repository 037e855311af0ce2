// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import RevuePorts
import Testing

@testable import RevueCore

private protocol Listener: AnyObject {
    @MainActor func heard(_ text: String)
}

/// A plain class, neither isolated nor `Sendable`.
private final class Ear: Listener {
    let name: String
    let journal: Recorder<String>
    var onHeard: (() -> Void)?
    init(_ name: String, _ journal: Recorder<String>) {
        self.name = name
        self.journal = journal
    }
    func heard(_ text: String) {
        journal.add(name + text)
        onHeard?()
    }
}

@MainActor struct MulticastDelegateTests {
    private let delegates = MulticastDelegate<any Listener>()
    private let journal = Recorder<String>()

    @Test func `delegates are called in the order in which they were added`() {
        let ears = ["a", "b", "c"].map { Ear($0, journal) }
        defer { withExtendedLifetime(ears) {} }
        for ear in ears { delegates.add(delegate: ear) }
        delegates.notify { $0.heard("1") }
        delegates.notify { $0.heard("2") }
        #expect(journal.values == ["a1", "b1", "c1", "a2", "b2", "c2"])
    }

    @Test func `a delegate that is added twice is called once`() {
        let ear = Ear("a", journal)
        defer { withExtendedLifetime(ear) {} }
        delegates.add(delegate: ear)
        delegates.add(delegate: ear)
        delegates.notify { $0.heard("1") }
        #expect(journal.values == ["a1"])
        delegates.remove(delegate: ear)
        delegates.notify { $0.heard("2") }
        #expect(journal.values == ["a1"])
    }

    @Test func `delegates are not kept alive`() {
        weak var released: Ear?
        do {
            let ear = Ear("a", journal)
            released = ear
            delegates.add(delegate: ear)
            delegates.notify { $0.heard("1") }
        }
        #expect(released == nil)
        delegates.notify { $0.heard("2") }
        #expect(journal.values == ["a1"])
    }

    @Test func `a delegate that is removed meanwhile is not called`() {
        let (first, second) = (Ear("a", journal), Ear("b", journal))
        defer { withExtendedLifetime((first, second)) {} }
        delegates.add(delegate: first)
        delegates.add(delegate: second)
        first.onHeard = { [delegates] in delegates.remove(delegate: second) }
        delegates.notify { $0.heard("1") }
        #expect(journal.values == ["a1"])
    }

    @Test func `a delegate that removes itself does not disturb the others`() {
        let ears = ["a", "b", "c"].map { Ear($0, journal) }
        defer { withExtendedLifetime(ears) {} }
        for ear in ears { delegates.add(delegate: ear) }
        ears[1].onHeard = { [delegates, unowned ear = ears[1]] in delegates.remove(delegate: ear) }
        delegates.notify { $0.heard("1") }
        delegates.notify { $0.heard("2") }
        #expect(journal.values == ["a1", "b1", "c1", "a2", "c2"])
    }

    @Test func `a delegate that is added meanwhile hears of the next event`() {
        let (first, late) = (Ear("a", journal), Ear("z", journal))
        defer { withExtendedLifetime((first, late)) {} }
        delegates.add(delegate: first)
        first.onHeard = { [delegates] in delegates.add(delegate: late) }
        delegates.notify { $0.heard("1") }
        delegates.notify { $0.heard("2") }
        #expect(journal.values == ["a1", "a2", "z2"])
    }

    @Test func `removeAll ends a delivery`() {
        let (first, second) = (Ear("a", journal), Ear("b", journal))
        defer { withExtendedLifetime((first, second)) {} }
        delegates.add(delegate: first)
        delegates.add(delegate: second)
        first.onHeard = { [delegates] in delegates.removeAll() }
        delegates.notify { $0.heard("1") }
        #expect(journal.values == ["a1"])
    }

    @Test func `a delivery can be finished from within one of its own delegates`() {
        let ears = ["a", "b", "c"].map { Ear($0, journal) }
        defer { withExtendedLifetime(ears) {} }
        for ear in ears { delegates.add(delegate: ear) }
        let delivery = delegates.makeDelivery()
        ears[0].onHeard = { [journal] in
            while let next = delivery.next() { MainActor.assumeIsolated { next.heard("1") } }
            journal.add("rest")
        }
        while let next = delivery.next() { next.heard("1") }
        #expect(journal.values == ["a1", "b1", "c1", "rest"])
    }

    @Test func `any thread may add and remove`() {
        let ears = (0..<4).map { Ear("\($0)", journal) }
        defer { withExtendedLifetime(ears) {} }
        let shared = Unchecked(ears)
        DispatchQueue.concurrentPerform(iterations: 4) { @Sendable [delegates] index in
            for _ in 0..<200 {
                delegates.add(delegate: shared.value[index])
                delegates.remove(delegate: shared.value[index])
            }
            delegates.add(delegate: shared.value[index])
        }
        delegates.notify { $0.heard("") }
        #expect(journal.values.sorted() == ["0", "1", "2", "3"])
    }

    @Test func `a room delegate need not implement anything`() {
        final class Silent: RoomDelegate, RevueDelegate, ParticipantDelegate, TrackDelegate, VideoCapturerDelegate {}
        let silent = Silent()
        defer { withExtendedLifetime(silent) {} }
        let rooms = MulticastDelegate<any RoomDelegate>()
        rooms.add(delegate: silent)
        let room = Locked(0)
        rooms.notify { if $0 === silent { room.withLock { $0 += 1 } } }
        #expect(room.withLock { $0 } == 1)
    }
}
