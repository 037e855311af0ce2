// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

/// What the layers of delegates, and the loops over events, hear of a whole call.
@MainActor struct EventTests {
    /// A loop's events, as texts; whether it has ended.
    @MainActor private final class Loop {
        private(set) var texts: [String] = []
        private(set) var hasEnded = false

        func follow<Element>(_ events: EventStream<Element>, _ text: @escaping (Element) -> String?) {
            Task { @MainActor in
                for await event in events { if let text = text(event) { texts.append(text) } }
                hasEnded = true
            }
        }
    }

    /// Everything that can happen in a call, seen from `b`; both have hung up at the end.
    private func liveThroughACall(_ world: World, _ a: Peer, _ b: Peer) async throws {
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        b.revue.room.reportStatistics = true
        a.revue.setSelfName("Alice")
        b.revue.setSelfName("Bob")
        b.revue.setSelfStatusMessage("here")
        a.revue.setSelfStatus(.busy)
        local.setCamera(enabled: true)
        local.setMicrophone(enabled: true)
        _ = try await world.scheduler.drive { try await local.publishCamera(to: bob) }
        _ = try await world.scheduler.drive { try await local.publishMicrophone(to: bob) }
        let (back, alice) = (try #require(b.local), try #require(b.remote(a)))
        let own = try await world.scheduler.drive { try await back.publishCamera(to: alice) }
        _ = try await world.scheduler.drive { try await own.mute() }
        try await world.scheduler.advance(by: .seconds(3))
        _ = try await world.scheduler.drive { try await local.publish(message: "hi", to: bob) }
        _ = try await world.scheduler.drive { try await bob.requestMute(true) }
        _ = try await world.scheduler.drive { try await a.revue.friends.sendMessage(friendId: b.id, message: "out") }
        _ = try await world.scheduler.drive { try await local.cameraTrack.mute() }
        world.network.setPartitioned(true, between: "alice", and: "bob")
        try await world.scheduler.run { alice.paths.isEmpty }
        world.network.setPartitioned(false, between: "alice", and: "bob")
        try await world.scheduler.run { !alice.paths.isEmpty && !bob.paths.isEmpty }
        try await world.scheduler.advance(by: .seconds(1))
        bob.disconnect()
        try await world.scheduler.run { !b.isConnected(to: a) }
    }

    @Test func `both layers hear of each event once, in one order, after the property has its value`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let journal = Journal()
        journal.follow(b)
        try await liveThroughACall(world, a, b)
        let (room, participant) = (journal.texts(.room), journal.texts(.participant))
        #expect(room.filter { !$0.hasPrefix("speakers") } == participant.filter { !$0.hasPrefix("speaking") })
        for expected in [
            "name Alice", "name Bob", "status message here", "status busy", "subscribed camera",
            "subscribed microphone",
            "published camera", "muted camera true", "message hi", "mute request true", "paths 0",
            "unsubscribed camera", "unsubscribed microphone", "unpublished camera", "disconnected", "speakers 1",
        ] {
            #expect(room.contains(expected), "nothing said “\(expected)”")
        }
        #expect(participant.contains("speaking true") && participant.contains("speaking false"))
        #expect(journal.lines.filter { !$0.agrees } == [])
        // One order: the room's layer hears of an event just before the participant's.
        let both = journal.lines.filter { $0.layer != .revue && !$0.text.hasPrefix("speak") }
        for (index, line) in both.enumerated() where line.layer == .participant {
            #expect(both[index - 1] == Journal.Line(layer: .room, text: line.text, agrees: true))
        }
        // Outside the room an event comes before what the room says of the same change.
        let names = journal.lines.filter { $0.text == "name Alice" }.map(\.layer)
        #expect(names == [.revue, .room, .participant])
        #expect(journal.texts(.revue).filter { $0 == "message out" }.count == 1 && !room.contains("message out"))
        #expect(!journal.texts(.revue).contains("message hi"))
    }

    @Test func `nothing is heard about a participant after their disconnect event`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let journal = Journal()
        journal.follow(b)
        try await liveThroughACall(world, a, b)
        a.revue.setSelfName("Later")
        try await world.scheduler.advance(by: .seconds(5))
        let end = try #require(journal.lines.firstIndex { $0.layer == .participant && $0.text == "disconnected" })
        #expect(journal.lines[(end + 1)...].filter { $0.layer != .revue } == [])
        #expect(journal.texts(.revue).last == "name Later")
        // What they published and received ends before they do.
        let last = Array(journal.texts(.room).suffix(4))
        #expect(last[..<2].sorted() == ["unsubscribed camera", "unsubscribed microphone"])
        #expect(last[2...] == ["unpublished camera", "disconnected"])
    }

    @Test func `loops over events get what the delegates get, each loop all of it, until destroy`() async throws {
        let world = World()
        let (a, b) = try await world.makeFriends()
        let journal = Journal()
        journal.follow(b)
        let (room, again, outside) = (Loop(), Loop(), Loop())
        let events = b.revue.room.events
        room.follow(events) { $0.text }
        again.follow(events) { $0.text }
        outside.follow(b.revue.events) { $0.text }
        try a.revue.friends.sendInvitation(friendId: b.id, message: "video")
        try await world.scheduler.run { journal.texts(.revue).contains("invited video") }
        try b.revue.friends.acceptInvitation(friendId: a.id)
        try await world.scheduler.run { a.isConnected(to: b) && b.isConnected(to: a) }
        try await liveThroughACall(world, a, b)
        _ = try await world.scheduler.drive { await b.revue.destroy() }
        try await world.scheduler.run { room.hasEnded && again.hasEnded && outside.hasEnded }
        #expect(room.texts == journal.texts(.room) && room.texts.count > 20)
        #expect(again.texts == room.texts)
        #expect(outside.texts == journal.texts(.revue) && outside.texts.contains("invited video"))
    }

    @Test func `a stream that is taken before an event has it, however late its loop begins`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let events = b.revue.room.events
        _ = try await world.scheduler.drive { try await a.local?.publish(message: "early", to: #require(a.remote(b))) }
        let first = Loop()
        first.follow(events) { $0.text }
        try await world.scheduler.run { !first.texts.isEmpty }
        #expect(first.texts == ["message early"])
    }

    @Test func `an instance that is let go of ends its loops, and a later loop at once`() async throws {
        let world = World()
        let (waiting, late) = (Loop(), Loop())
        var stream: EventStream<RevueEvent>?
        do {
            let peer = world.makePeer("alice")
            stream = peer.revue.events
            waiting.follow(try #require(stream)) { $0.text }
            try await world.scheduler.advance(by: .milliseconds(10))
            #expect(!waiting.hasEnded)
        }
        try await world.scheduler.run { waiting.hasEnded }
        late.follow(try #require(stream)) { $0.text }
        try await world.scheduler.run { late.hasEnded }
    }

    @Test func `destroy ends the loops of this life, and the next life has events of its own`() async throws {
        let world = World()
        let peer = world.makePeer("alice")
        try peer.start()
        let (before, after) = (Loop(), Loop())
        before.follow(peer.revue.events) { $0.text }
        _ = try await world.scheduler.drive { await peer.revue.destroy() }
        try await world.scheduler.run { before.hasEnded }
        after.follow(peer.revue.events) { $0.text }
        try peer.start()
        peer.revue.setSelfName("again")
        try await world.scheduler.run { after.texts.contains("name again") }
        #expect(!after.hasEnded && !before.texts.contains("name again"))
    }
}
