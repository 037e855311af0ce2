// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

@Suite struct `Texts to friends` {
    private var world = World.ofFriends()
    private let bob = Who.bob.peer

    private func send(
        _ session: inout Session, _ text: String, operation: UInt64 = 1, at now: Instant
    ) throws(MessageFailure) -> (UInt32, [Effect]) {
        try session.sendText(
            text, to: bob, timeout: .seconds(10), operation: OperationID(rawValue: operation), at: now)
    }

    @discardableResult
    private mutating func send(_ text: String, as operation: UInt64 = 1) -> UInt32? {
        let operation = OperationID(rawValue: operation)
        let bob = bob
        return try? world.act(.alice) {
            try $0.sendText(text, to: bob, timeout: .seconds(10), operation: operation, at: $1)
        }
    }

    @Test mutating func `a text arrives and its receipt ends the operation`() {
        send("hello")
        #expect(world.ends(.alice) == [:])
        world.run(for: .seconds(1))
        #expect(world.notices(.bob) == [.text(Who.alice.peer, "hello")])
        #expect(world.ends(.alice) == [OperationID(rawValue: 1): [.done]])
        #expect(world[.alice].nextDeadline == nil)
    }

    @Test mutating func `numbers follow the order of the calls`() {
        let numbers = (1...5).map { send("text", as: UInt64($0)) }
        #expect(numbers == [1, 2, 3, 4, 5])
    }

    @Test func `a text has 1 to 1,372 bytes`() throws {
        var session = world[.alice]
        let before = session
        let now = world.now
        #expect(throws: MessageFailure.empty) { _ = try send(&session, "", at: now) }
        #expect(throws: MessageFailure.tooLong(size: 1_374, limit: 1_372)) {
            _ = try send(&session, String(repeating: "é", count: 687), at: now)
        }
        #expect(session == before)
        _ = try send(&session, String(repeating: "é", count: 686), at: now)
    }

    @Test mutating func `a stranger and a friend without a path get no text`() throws {
        var session = world[.alice]
        #expect(throws: MessageFailure.unknownFriend) {
            _ = try session.sendText(
                "x", to: .nobody, timeout: .seconds(1), operation: OperationID(rawValue: 1), at: world.now)
        }
        _ = session.handle(.transport(.paths(bob, [])), at: world.now)
        let before = session
        #expect(throws: MessageFailure.notReachable) { _ = try send(&session, "x", at: world.now) }
        #expect(session == before)
    }

    @Test mutating func `without a receipt it times out`() {
        world.cut(.alice, .bob)
        send("hello")
        world.run(for: .milliseconds(9_999))
        #expect(world.ends(.alice) == [:])
        world.run(for: .milliseconds(1))
        #expect(world.ends(.alice) == [OperationID(rawValue: 1): [.failed(.timedOut)]])
    }

    @Test mutating func `it ends early as timed out when paths empty after sending`() {
        world.cut(.alice, .bob)
        send("hello")
        world.report([], of: .bob, to: .alice)
        #expect(world.ends(.alice) == [OperationID(rawValue: 1): [.failed(.timedOut)]])
        world.run(for: .seconds(20))
        #expect(world.ends(.alice)[OperationID(rawValue: 1)]?.count == 1)
    }

    @Test(
        arguments: [
            (.notReachable, .notReachable), (.queueFull, .queueFull), (.tooLong, .notReachable),
            (.unknownFriend, .notReachable),
        ] as [(TextFailure, OperationFailure)])
    mutating func `the transport's refusal ends the operation`(pair: (TextFailure, OperationFailure)) {
        world.cut(.alice, .bob)
        send("hello")
        world.handle(.alice, .transport(.textFailed(token: 1, pair.0)))
        #expect(world.ends(.alice) == [OperationID(rawValue: 1): [.failed(pair.1)]])
    }

    @Test mutating func `a command that failed ends the operation`() {
        world.cut(.alice, .bob)
        send("hello")
        world.handle(.alice, .transport(.commandFailed(.sendText(bob, "hello", token: 1), reason: "?")))
        #expect(world.ends(.alice) == [OperationID(rawValue: 1): [.failed(.notReachable)]])
    }

    @Test mutating func `cancelling ends it, and a later receipt is ignored`() {
        send("hello")
        world.act(.alice) { $0.cancel(OperationID(rawValue: 1), at: $1) }
        world.run(for: .seconds(20))
        #expect(world.ends(.alice) == [OperationID(rawValue: 1): [.failed(.cancelled)]])
    }

    @Test mutating func `deleting the friend cancels what waits`() throws {
        world.cut(.alice, .bob)
        send("hello")
        try world.act(.alice) { try $0.deleteFriend(Who.bob.peer, at: $1) }
        #expect(world.ends(.alice) == [OperationID(rawValue: 1): [.failed(.cancelled)]])
    }

    @Test mutating func `at most 256 wait for one friend`() throws {
        world.cut(.alice, .bob)
        for number in 1...256 { send("x", as: UInt64(number)) }
        var session = world[.alice]
        let before = session
        #expect(throws: MessageFailure.queueFull) { _ = try send(&session, "x", at: world.now) }
        #expect(session == before)
        _ = try session.sendText(
            "x", to: Who.carol.peer, timeout: .seconds(1), operation: OperationID(rawValue: 900), at: world.now)
    }

    @Test mutating func `the same text twice is two texts`() {
        send("again", as: 1)
        send("again", as: 2)
        world.run(for: .seconds(1))
        #expect(world.notices(.bob).count == 2)
    }

    @Test func `a receipt for an unknown token is ignored`() {
        var session = world[.alice]
        let before = session
        #expect(session.handle(.transport(.textDelivered(token: 99)), at: world.now) == [])
        #expect(session == before)
    }
}
