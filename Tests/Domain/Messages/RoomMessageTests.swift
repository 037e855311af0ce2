// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

@Suite struct `Messages in the room` {
    private var world = World.inCall()
    private let bob = Who.bob.peer
    private let operation = OperationID(rawValue: 1)

    @discardableResult
    private mutating func send(_ text: String, as operation: UInt64 = 1, timeout: Interval = .seconds(10)) -> UInt32? {
        let (bob, operation) = (bob, OperationID(rawValue: operation))
        return try? world.act(.alice) {
            try $0.sendMessage(text, to: bob, timeout: timeout, operation: operation, at: $1)
        }
    }

    private mutating func requestMute(_ muted: Bool, as operation: UInt64 = 1) {
        let (bob, operation) = (bob, OperationID(rawValue: operation))
        world.act(.alice) {
            (try? $0.requestMute(muted, of: bob, timeout: .seconds(10), operation: operation, at: $1)) ?? []
        }
    }

    @Test mutating func `a message arrives and its receipt ends the operation`() {
        let number = send("hello")
        world.run(for: .seconds(1))
        #expect(number == 1)
        #expect(world.notices(.bob) == [.message(Who.alice.peer, "hello")])
        #expect(world.ends(.alice) == [operation: [.done]])
    }

    @Test mutating func `messages arrive in order and once under loss`() {
        world.lossPerMille = 250
        for number in 1...50 { send("\(number)", as: UInt64(number)) }
        world.run(for: .seconds(9))
        #expect(world.notices(.bob) == (1...50).map { .message(Who.alice.peer, "\($0)") })
        #expect(world.ends(.alice).count == 50)
        for end in world.ends(.alice).values { #expect(end == [.done]) }
    }

    @Test mutating func `numbers follow the order of the calls, texts to friends included`() {
        let first = send("one", as: 1)
        let second = try? world.act(.alice) {
            try $0.sendText("two", to: Who.bob.peer, timeout: .seconds(1), operation: OperationID(rawValue: 2), at: $1)
        }
        let third = send("three", as: 3)
        #expect([first, second, third] == [1, 2, 3])
    }

    @Test mutating func `the size counts what goes around the text`() throws {
        var session = world[.alice]
        let before = session
        let envelope = Session.envelopeBytes
        #expect(throws: MessageFailure.tooLong(size: 1_373, limit: 1_372)) {
            _ = try session.sendMessage(
                String(repeating: "a", count: 1_373 - envelope), to: bob, timeout: .seconds(10), operation: operation,
                at: world.now)
        }
        #expect(throws: MessageFailure.empty) {
            _ = try session.sendMessage("", to: bob, timeout: .seconds(10), operation: operation, at: world.now)
        }
        #expect(session == before)
        let longest = String(repeating: "a", count: 1_372 - envelope)
        send(longest)
        world.run(for: .seconds(1))
        #expect(world.notices(.bob) == [.message(Who.alice.peer, longest)])
    }

    @Test func `the envelope is what the codec adds`() throws {
        let id = WireID(high: 1, low: 1)
        for count in [128, 1_000, 1_300] {
            let text = String(repeating: "a", count: count)
            let fields = try ControlMessage.message(id, id: id, sentAt: 1, deadline: 2, text: text).encodedFields()
            #expect(1 + fields.count - count == Session.envelopeBytes)
        }
    }

    @Test mutating func `nobody outside the room gets a message`() throws {
        var session = world[.alice]
        let before = session
        for (peer, failure) in [(PeerID.nobody, MessageFailure.unknownFriend), (Who.carol.peer, .notConnected)] {
            #expect(throws: failure) {
                _ = try session.sendMessage(
                    "x", to: peer, timeout: .seconds(1), operation: operation, at: world.now)
            }
            #expect(throws: failure) {
                try session.requestMute(true, of: peer, timeout: .seconds(1), operation: operation, at: world.now)
            }
        }
        #expect(session == before)
    }

    @Test mutating func `a message waits through a lost path until its time-out`() {
        world.cut(.alice, .bob)
        world.run(for: .seconds(5))
        send("late but in time")
        world.run(for: .seconds(5))
        world.mend(.alice, .bob)
        world.run(for: .seconds(3))
        #expect(world.ends(.alice) == [operation: [.done]])
        #expect(world.notices(.bob).last == .message(Who.alice.peer, "late but in time"))
    }

    @Test(arguments: [Who.alice, .bob])
    func `a message that is late is dropped and never delivered`(sender: Who) throws {
        var world = World.inCall()
        let other = sender == .alice ? Who.bob : .alice
        world.cut(.alice, .bob)
        world.run(for: .seconds(5))
        _ = try world.act(sender) {
            try $0.sendMessage(
                "late", to: other.peer, timeout: .seconds(5), operation: OperationID(rawValue: 1), at: $1)
        }
        world.run(for: .seconds(15))
        #expect(world.ends(sender) == [operation: [.failed(.timedOut)]])
        world.mend(.alice, .bob)
        world.run(for: .seconds(5))
        #expect(world[other].isConnected(sender.peer))
        #expect(!world.notices(other).contains(.message(sender.peer, "late")))
        #expect(world.ends(sender).count == 1)
    }

    @Test(arguments: [Who.alice, .bob], [3, 9])
    func `no message is dropped before its sender gave it up, however late the accept was`(
        sender: Who, delay: Int64
    ) throws {
        var world = World.ofFriends()
        let other = sender == .alice ? Who.bob : .alice
        try world.act(.alice) { try $0.invite(Who.bob.peer, message: nil, at: $1) }
        world.run(for: .seconds(1))
        // The accept is held up: both clocks of the call are seconds apart.
        world.latency = .seconds(delay)
        try world.act(.bob) { try $0.acceptInvitation(from: Who.alice.peer, at: $1) }
        for _ in 0..<delay { keepAlive(&world) }
        world.latency = .milliseconds(10)
        for _ in 0..<30 { keepAlive(&world) }
        _ = try world.act(sender) {
            try $0.sendMessage(
                "x", to: other.peer, timeout: .seconds(5), operation: OperationID(rawValue: 1), at: $1)
        }
        world.run(for: .milliseconds(100))
        #expect(world.notices(other).contains(.message(sender.peer, "x")))
        #expect(world.ends(sender) == [operation: [.done]])
    }

    private func keepAlive(_ world: inout World) {
        world.handle(.alice, .heard(Who.bob.peer))
        world.handle(.bob, .heard(Who.alice.peer))
        world.run(for: .seconds(1))
    }

    @Test mutating func `a duplicate is confirmed and not shown again`() throws {
        let call = try #require(world[.alice].call(with: bob)).membership.call
        let message = ControlMessage.message(
            call, id: WireID(high: 5, low: 5), sentAt: 0, deadline: .max, text: "once")
        for _ in 0..<3 { world.inject(message, from: .alice, to: .bob) }
        world.inject(
            .muteRequest(call, id: WireID(high: 5, low: 5), sentAt: 0, deadline: .max, isMuted: true), from: .alice,
            to: .bob)
        world.run(for: .seconds(1))
        #expect(world.notices(.bob) == [.message(Who.alice.peer, "once")])
    }

    @Test mutating func `an empty message is dropped`() throws {
        let call = try #require(world[.alice].call(with: bob)).membership.call
        world.inject(
            .message(call, id: WireID(high: 5, low: 5), sentAt: 0, deadline: .max, text: ""), from: .alice, to: .bob)
        world.run(for: .seconds(1))
        #expect(world.notices(.bob) == [])
    }

    @Test(arguments: [true, false]) mutating func `a request to mute arrives and is confirmed`(muted: Bool) {
        requestMute(muted)
        world.run(for: .seconds(1))
        #expect(world.notices(.bob) == [.muteRequest(Who.alice.peer, muted)])
        #expect(world.ends(.alice) == [operation: [.done]])
    }

    @Test mutating func `a request to mute that is late is dropped`() {
        world.cut(.alice, .bob)
        world.run(for: .seconds(5))
        requestMute(true)
        world.run(for: .seconds(12))
        #expect(world.ends(.alice) == [operation: [.failed(.timedOut)]])
        world.mend(.alice, .bob)
        world.run(for: .seconds(5))
        #expect(!world.notices(.bob).contains(.muteRequest(Who.alice.peer, true)))
    }

    @Test mutating func `the end of the call ends what waits as disconnected, and leaves texts alone`() {
        world.cut(.alice, .bob)
        send("x", as: 1)
        requestMute(true, as: 2)
        _ = try? world.act(.alice) {
            try $0.sendText("y", to: Who.bob.peer, timeout: .seconds(9), operation: OperationID(rawValue: 3), at: $1)
        }
        world.act(.alice) { $0.hangUp(Who.bob.peer, at: $1) }
        #expect(
            world.ends(.alice) == [
                OperationID(rawValue: 1): [.failed(.disconnected)], OperationID(rawValue: 2): [.failed(.disconnected)],
            ])
    }

    @Test mutating func `cancelling ends a message, and a later receipt is ignored`() {
        send("x")
        world.act(.alice) { $0.cancel(OperationID(rawValue: 1), at: $1) }
        world.run(for: .seconds(20))
        #expect(world.ends(.alice) == [operation: [.failed(.cancelled)]])
    }

    @Test mutating func `the transport's receipts do not end room messages`() {
        world.cut(.alice, .bob)
        send("x")
        world.handle(.alice, .transport(.textDelivered(token: 1)))
        #expect(world.ends(.alice) == [:])
    }

    @Test mutating func `a friend cannot confirm what went to another`() throws {
        world.cut(.alice, .bob)
        send("x")
        let pending = try #require(world[.alice].messages.pending.first)
        guard case .room(let id) = pending.route else {
            Issue.record("not a room message")
            return
        }
        world.inject(.delivered(id), from: .carol, to: .alice)
        world.run(for: .seconds(1))
        #expect(world.ends(.alice) == [:])
    }

    @Test mutating func `at most 256 wait for one friend`() {
        world.cut(.alice, .bob)
        let numbers = (1...300).map { send("x", as: UInt64($0)) }
        #expect(numbers.compactMap(\.self).count == 256)
    }

    @Test func `the identifiers of the last 256 messages are remembered`() {
        var seen = SeenMessages()
        var answers: [Bool] = []
        for number in 0..<257 { answers.append(seen.insert(WireID(high: UInt64(number), low: 0))) }
        #expect(answers.contains(false) == false)
        let last = seen.insert(WireID(high: 256, low: 0))
        let first = seen.insert(WireID(high: 0, low: 0))
        #expect(!last && first)
    }
}
