// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

/// Messages from one instance to another: their sizes, receipts, order and routes.
@MainActor struct MessageTests {
    /// What goes around a room message's text, of the 1,372 bytes that one message has.
    private static let envelope = 52
    private static let family = "👩‍👩‍👧‍👦"

    private func roomError(_ underlying: FriendMessageError) -> RoomMessageError {
        .transportFailed(underlying: underlying)
    }

    @Test func `a room message reaches the room's delegate alone, a friend message the instance's alone`() async throws
    {
        let world = World()
        let (a, b) = try await world.makeCall()
        let journal = Journal()
        journal.follow(b)
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        let first = try await world.scheduler.drive { try await local.publish(message: "in", to: bob) }
        let second = try await world.scheduler.drive {
            try await a.revue.friends.sendMessage(friendId: b.id, message: "out")
        }
        let third = try await world.scheduler.drive { try await local.publish(message: Self.family, to: bob) }
        #expect(journal.texts(.room) == ["message in", "message \(Self.family)"])
        #expect(journal.texts(.participant) == journal.texts(.room))
        #expect(journal.texts(.revue) == ["message out"])
        #expect(first < second && second < third)
    }

    @Test func `the size of a room message counts bytes, and what goes around them`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        let most = 1_372 - Self.envelope
        for unit in ["a", "é", "語", Self.family] {
            let count = unit.utf8.count
            let text = String(repeating: unit, count: most / count) + String(repeating: "x", count: most % count)
            _ = try await world.scheduler.drive { try await local.publish(message: text, to: bob) }
            #expect(b.log.texts.last == "message \(text)")
            await #expect(throws: RoomMessageError.messageTooLong(size: 1_373, maxSize: 1_372)) {
                try await local.publish(message: text + "x", to: bob)
            }
        }
        await #expect(throws: roomError(.invalidArgument)) { try await local.publish(message: "", to: bob) }
        #expect(b.log.count("message") == 4)
    }

    @Test func `the size of a friend message counts bytes alone`() async throws {
        let world = World()
        let (a, b) = try await world.makeFriends()
        let journal = Journal()
        journal.follow(b)
        let text = String(repeating: "é", count: 686)
        _ = try await world.scheduler.drive { try await a.revue.friends.sendMessage(friendId: b.id, message: text) }
        #expect(journal.texts(.revue).filter { $0.hasPrefix("message") } == ["message \(text)"])
        let cases: [(String, String, FriendMessageError)] = [
            (b.id, text + "x", .messageTooLong), (b.id, "", .invalidArgument), ("nobody", "hi", .invalidArgument),
            (a.id, "hi", .invalidArgument),
        ]
        for (friend, text, error) in cases {
            await #expect(throws: error) { try await a.revue.friends.sendMessage(friendId: friend, message: text) }
        }
    }

    @Test func `without an instance, a path or a call nothing is sent, and the error says so`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        bob.disconnect()
        await #expect(throws: roomError(.friendNotReachable)) { try await local.publish(message: "late", to: bob) }
        await #expect(throws: roomError(.friendNotReachable)) { try await bob.requestMute(true) }
        world.network.setPartitioned(true, between: "alice", and: "bob")
        try await world.scheduler.run { !a.revue.friends.getFriendPaths(friendId: b.id).isOnline }
        await #expect(throws: FriendMessageError.friendNotReachable) {
            try await a.revue.friends.sendMessage(friendId: b.id, message: "far")
        }
        _ = try await world.scheduler.drive { await a.revue.destroy() }
        await #expect(throws: FriendMessageError.notInitialized) {
            try await a.revue.friends.sendMessage(friendId: b.id, message: "gone")
        }
        await #expect(throws: roomError(.notInitialized)) { try await local.publish(message: "gone", to: bob) }
        await #expect(throws: roomError(.notInitialized)) { try await bob.requestMute(true) }
    }

    @Test(arguments: [0, 10] as [Double])
    func `fifty messages at once arrive once each, in the order of the calls`(_ lossPercent: Double) async throws {
        let world = World(
            seed: 7,
            conditions: LinkConditions(
                delay: .milliseconds(20), jitter: .milliseconds(10), lossPercent: lossPercent,
                reorderingPercent: lossPercent, duplicationPercent: lossPercent))
        let (a, b) = try await world.makeCall()
        let journal = Journal()
        journal.follow(b)
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        let ids = try await world.scheduler.drive { () -> [UInt32] in
            let tasks = (0..<50).map { number in
                Task { @MainActor in try await local.publish(message: "\(number)", to: bob) }
            }
            var ids: [UInt32] = []
            for task in tasks { ids.append(try await task.value) }
            return ids
        }
        #expect(journal.texts(.room).filter { $0.hasPrefix("message") } == (0..<50).map { "message \($0)" })
        #expect(ids == ids.sorted() && Set(ids).count == 50)
        let outside = try await world.scheduler.drive { () -> Int in
            let tasks = (0..<50).map { number in
                Task { @MainActor in try await a.revue.friends.sendMessage(friendId: b.id, message: "\(number)") }
            }
            for task in tasks { _ = try await task.value }
            return tasks.count
        }
        #expect(journal.texts(.revue).suffix(outside) == (0..<50).map { "message \($0)" })
    }

    @Test func `the queue for one friend is bounded, and says when it is full`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        world.network.setPartitioned(true, between: "alice", and: "bob")
        let outcomes = (0..<260).map { number in
            Task { @MainActor in
                do {
                    _ = try await local.publish(message: "\(number)", to: bob, timeout: 5)
                    return "delivered"
                } catch { return "\(error)" }
            }
        }
        try await world.scheduler.advance(by: .seconds(6))
        var results: [String: Int] = [:]
        for outcome in outcomes { results[String(await outcome.value.prefix { $0 != "0" }), default: 0] += 1 }
        let full = results.filter { $0.key.contains("sendQueueFull") }.map(\.value)
        let late = results.filter { $0.key.contains("timeout") }.map(\.value).reduce(0, +)
        #expect(full == [4] && late == 256)
    }

    @Test func `a mute request arrives as one, and changes nothing by itself`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let journal = Journal()
        journal.follow(b)
        let bob = try #require(a.remote(b))
        #expect(try await world.scheduler.drive { try await bob.requestMute(true) })
        #expect(try await world.scheduler.drive { try await bob.requestMute(false) })
        #expect(journal.texts(.room) == ["mute request true", "mute request false"])
        #expect(journal.texts(.participant) == journal.texts(.room))
        #expect(b.local?.microphoneTrack.isMuted == false)
    }
}
