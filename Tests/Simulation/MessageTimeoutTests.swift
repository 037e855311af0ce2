// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

/// How long a message is waited for, and what becomes of one that was given up.
@MainActor struct MessageTimeoutTests {
    /// A send that is expected to fail: how, and after how long.
    private func failure(
        _ world: World, _ send: @escaping @MainActor () async throws -> Void
    ) async throws -> (error: (any Error)?, seconds: Double) {
        let begin = world.scheduler.now
        let error = try await world.scheduler.drive { () -> (any Error)? in
            do {
                try await send()
                return nil
            } catch { return error }
        }
        return (error, (world.scheduler.now - begin).seconds)
    }

    @Test(
        arguments: [
            (nil, 10), (5, 5), (15, 15), (30, 30), (30.5, 30), (.infinity, 30), (4.9, 5), (0, 5), (-1, 5),
            (-.infinity, 5), (.nan, 10),
        ] as [(Double?, Double)])
    func `a room message waits for 5 to 30 seconds, 10 by default`(_ timeout: Double?, _ expected: Double) async throws
    {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        world.network.setPartitioned(true, between: "alice", and: "bob")
        let (error, seconds) = try await failure(world) {
            if let timeout {
                try await local.publish(message: "hello", to: bob, timeout: timeout)
            } else {
                try await local.publish(message: "hello", to: bob)
            }
        }
        guard case .transportFailed(.timeout(let id))? = error as? RoomMessageError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(id > 0 && abs(seconds - expected) < 0.01)
        #expect(bob.lastDisconnectReason == nil)
    }

    @Test(arguments: [(12, 12), (0, 5), (.nan, 10)] as [(Double, Double)])
    func `a friend message waits as long`(_ timeout: Double, _ expected: Double) async throws {
        let world = World()
        let (a, b) = try await world.makeFriends()
        world.network.setPartitioned(true, between: "alice", and: "bob")
        let (error, seconds) = try await failure(world) {
            try await a.revue.friends.sendMessage(friendId: b.id, message: "hello", timeout: timeout)
        }
        guard case .timeout? = error as? FriendMessageError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(abs(seconds - expected) < 0.01)
    }

    @Test func `a friend message ends early when the last path goes, a room message waits for its time`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        world.network.setPartitioned(true, between: "alice", and: "bob")
        let room = Task { @MainActor in try await local.publish(message: "in", to: bob, timeout: 30) }
        let (error, seconds) = try await failure(world) {
            try await a.revue.friends.sendMessage(friendId: b.id, message: "out", timeout: 30)
        }
        guard case .timeout(let id)? = error as? FriendMessageError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(id > 0 && seconds < 5 && bob.paths.isEmpty)
        world.network.setPartitioned(false, between: "alice", and: "bob")
        try await world.scheduler.run { b.log.contains("message in") }
        _ = try await world.scheduler.drive { try await room.value }
    }

    @Test func `what was given up is not shown later, although the call goes on`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let journal = Journal()
        journal.follow(b)
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        try await world.scheduler.advance(by: .seconds(1))
        world.network.setPartitioned(true, between: "alice", and: "bob")
        let (message, _) = try await failure(world) { try await local.publish(message: "late", to: bob, timeout: 5) }
        let (request, seconds) = try await failure(world) { _ = try await bob.requestMute(true) }
        #expect(message is RoomMessageError && request is RoomMessageError && abs(seconds - 10) < 0.01)
        world.network.setPartitioned(false, between: "alice", and: "bob")
        try await world.scheduler.run { !bob.paths.isEmpty }
        _ = try await world.scheduler.drive { try await local.publish(message: "in time", to: bob) }
        try await world.scheduler.advance(by: .seconds(10))
        #expect(journal.texts(.room).filter { $0.hasPrefix("m") } == ["message in time"])
        #expect(a.isConnected(to: b))
    }

    @Test func `destroy ends what waits as cancelled`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        world.network.setPartitioned(true, between: "alice", and: "bob")
        let sends: [@MainActor () async throws -> Void] = [
            { try await local.publish(message: "in", to: bob) },
            { try await a.revue.friends.sendMessage(friendId: b.id, message: "out") },
            { _ = try await bob.requestMute(true) },
        ]
        let ends = sends.map { send in
            Task { @MainActor in
                do { try await send() } catch { return error is CancellationError }
                return false
            }
        }
        try await world.scheduler.advance(by: .milliseconds(100))
        _ = try await world.scheduler.drive { await a.revue.destroy() }
        for end in ends { #expect(try await world.scheduler.drive { await end.value }) }
    }

    @Test func `a cancelled task waits no longer`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        world.network.setPartitioned(true, between: "alice", and: "bob")
        let send = Task { @MainActor in try await local.publish(message: "in", to: bob) }
        try await world.scheduler.advance(by: .milliseconds(100))
        send.cancel()
        let begin = world.scheduler.now
        let (error, _) = try await failure(world) { _ = try await send.value }
        #expect(error is CancellationError && (world.scheduler.now - begin).seconds < 0.1)
    }

    @Test func `a call that ends ends what waits in it`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        world.network.setPartitioned(true, between: "alice", and: "bob")
        let send = Task { @MainActor in try await local.publish(message: "in", to: bob) }
        try await world.scheduler.advance(by: .milliseconds(100))
        bob.disconnect()
        let (error, _) = try await failure(world) { _ = try await send.value }
        #expect(error as? RoomMessageError == .transportFailed(underlying: .friendNotReachable))
    }
}
