// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

/// Who is called, and when, by one instance: weak, removed, nested and inherited delegates.
@MainActor struct DelegateTests {
    /// Shared by several delegates: who heard what, in order.
    @MainActor private final class Script {
        var lines: [String] = []
    }

    /// A plain class, to be inherited from.
    private class Ear: RoomDelegate, RevueDelegate {
        let name: String
        let script: Script
        var onMessage: (@MainActor (RemoteParticipant) -> Void)?

        init(_ name: String, _ script: Script) {
            self.name = name
            self.script = script
        }

        func room(_ room: Room, participant: RemoteParticipant, didReceiveMessage message: String) {
            script.lines.append("\(name) message")
            onMessage?(participant)
        }
        func room(_ room: Room, participantDidDisconnect participant: RemoteParticipant) {
            script.lines.append("\(name) disconnected")
        }
        func revue(_ revue: Revue, friend friendId: String, didUpdateName name: String) {
            script.lines.append("\(self.name) name \(name)")
        }
    }

    private final class LoudEar: Ear {
        override func room(_ room: Room, participant: RemoteParticipant, didReceiveMessage message: String) {
            script.lines.append("loud")
            super.room(room, participant: participant, didReceiveMessage: message)
        }
    }

    @MainActor private final class MainActorEar: ParticipantDelegate {
        let script: Script
        init(_ script: Script) { self.script = script }
        func participant(_ participant: RemoteParticipant, didReceiveMessage message: String) {
            script.lines.append("participant message")
        }
        func participant(_ participant: RemoteParticipant, didDisconnectWithReason reason: DisconnectReason) {
            script.lines.append("participant disconnected \(reason)")
        }
    }

    private func send(_ text: String, _ world: World, from a: Peer, to b: Peer) async throws {
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        _ = try await world.scheduler.drive { try await local.publish(message: text, to: bob) }
    }

    @Test func `hanging up within a delegate first ends the event in delivery, then tells the end, then returns`()
        async throws
    {
        let world = World()
        let (a, b) = try await world.makeCall()
        let script = Script()
        let ears = ["first", "second"].map { Ear($0, script) }
        let last = MainActorEar(script)
        defer { withExtendedLifetime((ears, last)) {} }
        for ear in ears { b.revue.room.delegates.add(delegate: ear) }
        b.remote(a)?.delegates.add(delegate: last)
        ears[0].onMessage = { participant in
            script.lines.append("hang up")
            participant.disconnect()
            script.lines.append("hung up \(participant.lastDisconnectReason == .leave)")
        }
        try await send("bye", world, from: a, to: b)
        #expect(
            script.lines == [
                "first message", "hang up", "second message", "participant message", "first disconnected",
                "second disconnected", "participant disconnected leave", "hung up true",
            ])
        #expect(!b.isConnected(to: a))
    }

    @Test func `a delegate that another removes within the same event is not called any more`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let script = Script()
        let ears = ["first", "second", "third"].map { Ear($0, script) }
        defer { withExtendedLifetime(ears) {} }
        for ear in ears { b.revue.room.delegates.add(delegate: ear) }
        ears[0].onMessage = { [unowned second = ears[1]] _ in b.revue.room.delegates.remove(delegate: second) }
        try await send("one", world, from: a, to: b)
        try await send("two", world, from: a, to: b)
        #expect(script.lines == ["first message", "third message", "first message", "third message"])
    }

    @Test func `a delegate that is added within an event hears of the next one`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let script = Script()
        let (first, late) = (Ear("first", script), Ear("late", script))
        defer { withExtendedLifetime((first, late)) {} }
        b.revue.room.delegates.add(delegate: first)
        first.onMessage = { _ in b.revue.room.delegates.add(delegate: late) }
        try await send("one", world, from: a, to: b)
        #expect(script.lines == ["first message"])
        try await send("two", world, from: a, to: b)
        #expect(script.lines == ["first message", "first message", "late message"])
    }

    @Test func `delegates are held weakly, by every layer`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let script = Script()
        var boxes: [WeakBox] = []
        do {
            let (ear, other) = (Ear("gone", script), MainActorEar(script))
            b.revue.delegates.add(delegate: ear)
            b.revue.room.delegates.add(delegate: ear)
            b.remote(a)?.delegates.add(delegate: other)
            boxes = [WeakBox(ear), WeakBox(other)]
            try await send("one", world, from: a, to: b)
        }
        try await send("two", world, from: a, to: b)
        #expect(boxes.allSatisfy { $0.object == nil })
        #expect(script.lines == ["gone message", "participant message"])
    }

    @Test func `a subclass is called through what it overrides`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let script = Script()
        let ear = LoudEar("ear", script)
        defer { withExtendedLifetime(ear) {} }
        b.revue.room.delegates.add(delegate: ear)
        try await send("one", world, from: a, to: b)
        #expect(script.lines == ["loud", "ear message"])
    }

    @Test func `destroy removes all delegates, and the next life starts without them`() async throws {
        let world = World()
        let peer = world.makePeer("alice")
        try peer.start()
        let script = Script()
        let ear = Ear("ear", script)
        defer { withExtendedLifetime(ear) {} }
        peer.revue.delegates.add(delegate: ear)
        peer.revue.setSelfName("one")
        _ = try await world.scheduler.drive { await peer.revue.destroy() }
        try peer.start()
        peer.revue.setSelfName("two")
        try await world.scheduler.advance(by: .seconds(1))
        #expect(script.lines == ["ear name one"])
    }

    @Test func `a setter on main has told its event when it returns`() throws {
        let world = World()
        let peer = world.makePeer("alice")
        try peer.start()
        let script = Script()
        let ear = Ear("ear", script)
        defer { withExtendedLifetime(ear) {} }
        peer.revue.delegates.add(delegate: ear)
        for name in ["one", "two"] {
            #expect(peer.revue.setSelfName(name))
            #expect(script.lines.last == "ear name \(name)" && peer.local?.name == name)
        }
        #expect(script.lines.count == 2)
    }
}
