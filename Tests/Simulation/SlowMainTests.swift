// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

/// A main thread that does something else while peers go on.
@MainActor struct SlowMainTests {
    private struct Setup {
        let world: World
        var main: SlowMain
        var a: Peer
        var b: Peer

        /// `b`'s main can be held.
        @MainActor init() async throws {
            world = World()
            main = SlowMain(world.scheduler)
            (a, b) = (world.makePeer("alice"), world.makePeer("bob", scheduler: main))
            try a.start()
            try b.start()
            try await world.befriend(a, b)
        }

        /// Starts sending, without waiting: how many were delivered, refused, and timed out.
        @MainActor func send(
            _ numbers: Range<Int>, _ outcome: Outcome, _ body: @escaping @MainActor (String) async throws -> Void
        ) {
            for number in numbers {
                Task { @MainActor in
                    do {
                        try await body("\(number)")
                        outcome.delivered.append(number)
                    } catch { outcome.failed.append("\(error)") }
                }
            }
        }
    }

    @MainActor private final class Outcome {
        var delivered: [Int] = []
        var failed: [String] = []
    }

    @Test func `room messages that main cannot take have no receipt until it can, and none is lost`() async throws {
        let setup = try await Setup()
        let (world, a, b) = (setup.world, setup.a, setup.b)
        try await world.call(a, b)
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        setup.main.hold()
        let outcome = Outcome()
        for round in 0..<3 {
            setup.send((round * 200)..<(round * 200 + 200), outcome) { text in
                try await local.publish(message: text, to: bob, timeout: 30)
            }
            try await world.scheduler.advance(by: .seconds(3))
        }
        #expect(outcome.delivered.count >= 200 && outcome.delivered.count <= 300)
        #expect(b.log.count("message") == 0 && a.isConnected(to: b))
        setup.main.release()
        try await world.scheduler.advance(by: .seconds(10))
        let heard = b.log.texts.filter { $0.hasPrefix("message") }
        #expect(heard == outcome.delivered.sorted().map { "message \($0)" })
        #expect(outcome.delivered.count + outcome.failed.count == 600)
        #expect(outcome.delivered.count >= 256)
    }

    @Test func `a message that main could not take in time fails at its sender, and never appears`() async throws {
        let setup = try await Setup()
        let (world, a, b) = (setup.world, setup.a, setup.b)
        try await world.call(a, b)
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        setup.main.hold()
        let (first, second) = (Outcome(), Outcome())
        setup.send(0..<256, first) { text in try await local.publish(message: text, to: bob, timeout: 5) }
        try await world.scheduler.run { first.delivered.count == 256 }
        setup.send(1_000..<1_010, second) { text in try await local.publish(message: text, to: bob, timeout: 5) }
        try await world.scheduler.run { second.failed.count == 10 }
        #expect(second.failed.allSatisfy { $0.contains("timeout") })
        setup.main.release()
        try await world.scheduler.advance(by: .seconds(20))
        #expect(b.log.texts.filter { $0.hasPrefix("message") } == (0..<256).map { "message \($0)" })
    }

    @Test func `changes that main had no time for are told as one, and what happened in order`() async throws {
        let setup = try await Setup()
        let (world, a, b) = (setup.world, setup.a, setup.b)
        let journal = Journal()
        journal.follow(b)
        setup.main.hold()
        for number in 0..<2_000 {
            a.revue.setSelfName("\(number)")
            if number.isMultiple(of: 20) { try await world.scheduler.advance(by: .milliseconds(50)) }
        }
        try await world.scheduler.advance(by: .seconds(2))
        setup.main.release()
        try await world.scheduler.advance(by: .seconds(1))
        let names = journal.texts(.revue).compactMap { $0.hasPrefix("name ") ? Int($0.dropFirst(5)) : nil }
        #expect(names.last == 1_999 && names == names.sorted())
        #expect(names.count <= 512)
    }

    @Test func `a friend who floods with texts loses the newest of them, and others nothing`() async throws {
        let setup = try await Setup()
        let (world, a, b) = (setup.world, setup.a, setup.b)
        let journal = Journal()
        journal.follow(b)
        setup.main.hold()
        let outcome = Outcome()
        for round in 0..<4 {
            setup.send((round * 100)..<(round * 100 + 100), outcome) { text in
                try await a.revue.friends.sendMessage(friendId: b.id, message: text)
            }
            try await world.scheduler.advance(by: .seconds(2))
        }
        #expect(outcome.delivered.count == 400)
        setup.main.release()
        try await world.scheduler.advance(by: .seconds(1))
        let texts = journal.texts(.revue).filter { $0.hasPrefix("message") }
        #expect(texts == (0..<256).map { "message \($0)" })
    }

    @Test func `what a friend's data say agrees with the event in delivery, however late it is`() async throws {
        let setup = try await Setup()
        let (world, a, b) = (setup.world, setup.a, setup.b)
        a.revue.setSelfName("before")
        try await world.scheduler.advance(by: .seconds(1))
        let journal = Journal()
        journal.follow(b)
        setup.main.hold()
        for name in ["one", "two"] {
            a.revue.setSelfName(name)
            a.revue.setSelfStatusMessage(name)
            try await world.scheduler.advance(by: .seconds(1))
        }
        world.network.setPartitioned(true, between: "alice", and: "bob")
        try await world.scheduler.advance(by: .seconds(40))
        world.network.setPartitioned(false, between: "alice", and: "bob")
        try await world.scheduler.advance(by: .seconds(5))
        let friends = b.revue.friends
        #expect(friends.getFriendName(friendId: a.id) == "before" && friends.getFriendPaths(friendId: a.id).isOnline)
        setup.main.release()
        try await world.scheduler.advance(by: .seconds(1))
        let expected = ["name one", "status message one", "name two", "status message two", "paths 0", "paths 1"]
        #expect(journal.texts(.revue) == expected)
        #expect(journal.lines.filter { !$0.agrees } == [])
        try friends.deleteFriend(friendId: a.id)
        #expect(friends.getFriendName(friendId: a.id).isEmpty && !friends.getFriendPaths(friendId: a.id).isOnline)
    }
}
