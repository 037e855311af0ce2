// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevueTime
import Testing

@MainActor struct PathTests {
    @Test func `a path lost for ten seconds ends nothing: the call resumes with its publications`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let probe = try await publishCamera(world, from: a, to: b)
        try await world.scheduler.advance(by: .seconds(2))
        world.network.setPartitioned(true, between: "alice", and: "bob")
        try await world.scheduler.advance(by: .seconds(4))
        #expect(a.remote(b)?.paths.isOnline == false)
        #expect(b.remote(a)?.paths.isOnline == false)
        try await world.scheduler.advance(by: .seconds(6))
        world.network.setPartitioned(false, between: "alice", and: "bob")
        try await world.scheduler.advance(by: .seconds(3))
        #expect(a.remote(b)?.paths.isOnline == true)
        #expect(b.remote(a)?.paths.isOnline == true)
        let back = world.scheduler.now
        try await world.scheduler.advance(by: .seconds(2))
        #expect(probe.count(since: back) >= 28)
        #expect(b.log.count("subscribed") == 1)
        #expect(b.log.count("unsubscribed") == 0)
        #expect(a.log.count("disconnected") == 0)
    }

    @Test func `a path lost for sixty seconds ends the call as networkLost on both sides`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        _ = try await publishCamera(world, from: a, to: b)
        world.network.setPartitioned(true, between: "alice", and: "bob")
        try await world.scheduler.advance(by: .seconds(60))
        world.network.setPartitioned(false, between: "alice", and: "bob")
        try await world.scheduler.advance(by: .seconds(60))
        for peer in [a, b] {
            #expect(peer.log.count("disconnected networkLost") == 1)
            #expect(peer.revue.room.remoteParticipants.isEmpty)
        }
        #expect(a.log.texts.suffix(3).contains("unpublished camera"))
    }

    @Test func `a peer that is killed is noticed within four seconds, and lost after forty-five more`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        _ = try await publishCamera(world, from: a, to: b)
        b.transport.kill()
        let killed = world.scheduler.now
        try await world.scheduler.run { a.remote(b)?.paths.isOnline == false }
        #expect(world.scheduler.now - killed <= .seconds(4))
        try await world.scheduler.run(within: .seconds(50)) { a.log.contains("disconnected networkLost") }
        #expect(world.scheduler.now - killed <= .seconds(50))
    }

    @Test func `a killed peer comes back with its identity and friends, and a new call works`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let id = b.id
        b.transport.kill()
        try await world.scheduler.advance(by: .seconds(5))
        let again = world.makePeer("bob")
        try again.start()
        #expect(again.id == id)
        #expect(again.revue.friends.getFriendList() == [a.id])
        try await world.scheduler.run { a.log.contains("disconnected networkLost") }
        try await world.scheduler.run { a.revue.friends.getFriendPaths(friendId: id).isOnline }
        try a.revue.friends.sendInvitation(friendId: id)
        try await world.scheduler.run { again.log.contains("invited") }
        try again.revue.friends.acceptInvitation(friendId: a.id)
        try await world.scheduler.run { again.isConnected(to: a) && a.isConnected(to: again) }
    }

    private func publishCamera(_ world: World, from sender: Peer, to receiver: Peer) async throws -> PictureProbe {
        let local = try #require(sender.local)
        let recipient = try #require(sender.remote(receiver))
        local.setCamera(enabled: true)
        _ = try await world.scheduler.drive { try await local.publishCamera(to: recipient) }
        let probe = PictureProbe(world.scheduler)
        try #require(receiver.remote(sender)?.firstCameraVideoTrack).add(videoRenderer: probe)
        return probe
    }
}
