// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

@Suite struct `A session` {
    @Test func `destroying it cancels what waits, then ends calls and invitations`() throws {
        var world = World.inCall()
        try world.act(.alice) { try $0.invite(Who.carol.peer, message: nil, at: $1) }
        world.run(for: .seconds(1))
        let video = try world.publish(.camera, from: .alice, to: .bob, as: 1)
        world.run(for: .seconds(1))
        world.cut(.alice, .bob)
        try world.publish(.microphone, from: .alice, to: .bob, as: 2)
        _ = try world.act(.alice) {
            try $0.sendText("x", to: Who.bob.peer, timeout: .seconds(9), operation: OperationID(rawValue: 3), at: $1)
        }
        _ = try world.act(.alice) {
            try $0.sendMessage("x", to: Who.bob.peer, timeout: .seconds(9), operation: OperationID(rawValue: 4), at: $1)
        }
        world.forget()
        world.act(.alice) { $0.close(at: $1) }
        let effects = world.effects(.alice).filter { effect in
            switch effect {
            case .send, .log, .keepAlive: false
            default: true
            }
        }
        let bob = Who.bob.peer
        #expect(
            effects == [
                .finish(OperationID(rawValue: 2), .failed(.cancelled)),
                .finish(OperationID(rawValue: 3), .failed(.cancelled)),
                .finish(OperationID(rawValue: 4), .failed(.cancelled)),
                .stopSending(video), .closeMedia(bob), .notify(.unpublished(video)),
                .notify(.disconnected(bob, .leave)), .notify(.endedInvitation(Who.carol.peer, .finished)),
            ])
    }

    @Test func `after it is destroyed it says goodbye for at most half a second, and nothing more`() {
        var world = World.inCall()
        world.cut(.alice, .bob)
        world.act(.alice) { $0.close(at: $1) }
        world.forget()
        world.run(for: .milliseconds(499))
        #expect(world[.alice].nextDeadline != nil)
        world.run(for: .milliseconds(1))
        #expect(world[.alice].nextDeadline == nil)
        world.handle(.alice, .transport(.selfReachability(.udp)))
        world.handle(.alice, .heard(Who.bob.peer))
        world.handle(.alice, .datagram(Who.bob.peer, [82, 118, 1]))
        world.act(.alice) { $0.close(at: $1) }
        #expect(world.notices(.alice) == [])
    }

    @Test func `a goodbye that is acknowledged lingers no longer`() {
        var world = World.inCall()
        world.act(.alice) { $0.close(at: $1) }
        world.run(for: .milliseconds(100))
        #expect(world[.alice].nextDeadline == nil)
        #expect(world.notices(.bob) == [.disconnected(Who.alice.peer, .leave)])
    }

    @Test func `a peer that restarts ends a lingering goodbye`() throws {
        var world = World.ofFriends()
        world.cut(.alice, .bob)
        try world.act(.alice) { try $0.deleteFriend(Who.bob.peer, at: $1) }
        world.mend(.alice, .bob)
        world.restart(.bob)
        world.run(for: .milliseconds(300))
        #expect(world.effects(.alice).contains(.transport(.deleteFriend(Who.bob.peer))))
    }

    @Test func `an idle session waits for nothing`() {
        var world = World.ofFriends()
        world.run(for: .seconds(5))
        for who in Who.allCases { #expect(world[who].nextDeadline == nil) }
        #expect(world.effects(.alice) == [])
    }

    @Test func `the same inputs give the same outputs, another seed others`() throws {
        func play(seed: UInt64) throws -> [Effect] {
            var world = World.ofFriends(seed: seed)
            world.lossPerMille = 100
            world.connect(.alice, .bob)
            for track in TrackDescription.all.prefix(2) { try world.publish(track, from: .alice, to: .bob) }
            world.run(for: .seconds(3))
            world.act(.alice) { $0.setMuted(true, track: TrackDescription.camera.id, at: $1) }
            world.cut(.alice, .bob)
            world.run(for: .seconds(8))
            world.mend(.alice, .bob)
            world.run(for: .seconds(8))
            return world.effects(.alice) + world.effects(.bob)
        }
        let first = try play(seed: 3)
        #expect(try play(seed: 3) == first)
        #expect(try play(seed: 4) != first)
    }

    @Test func `no datagram traps, whoever it comes from`() {
        var world = World.inCall()
        var chance = SeededGenerator(seed: 11)
        var sample: [UInt8] = []
        for case .send(let bytes, _) in World.ofFriends().effects(.alice) { sample = bytes }
        for round in 0..<3_000 {
            var bytes = round % 2 == 0 ? sample : []
            if bytes.isEmpty {
                for _ in 0..<(chance.next() % 200) { bytes.append(UInt8(truncatingIfNeeded: chance.next())) }
                if bytes.count > 2 { (bytes[0], bytes[1]) = (82, 118) }
            } else {
                bytes[Int(chance.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: chance.next())
            }
            world.handle(.bob, .datagram(Who.alice.peer, bytes))
        }
        world.run(for: .seconds(5))
        #expect(world[.bob].isConnected(Who.alice.peer))
    }
}

@Suite struct `Named timers` {
    private var timers = Timers()

    @Test mutating func `the earliest comes first, and those that fall together in the order of their names`() {
        timers[.keepAlive(.numbered(1))] = Instant.zero + .seconds(2)
        timers[.publish(PublicationID(rawValue: 1))] = Instant.zero + .seconds(1)
        timers[.link(.numbered(2))] = Instant.zero + .seconds(1)
        timers[.link(.numbered(1))] = Instant.zero + .seconds(1)
        #expect(timers.next?.name == .link(.numbered(1)))
        var order: [TimerName] = []
        while let name = timers.takeDue(at: .zero + .seconds(1)) { order.append(name) }
        #expect(order == [.link(.numbered(1)), .link(.numbered(2)), .publish(PublicationID(rawValue: 1))])
        #expect(timers.next?.deadline == .zero + .seconds(2))
    }

    @Test mutating func `a name has one deadline, and none when it is taken away`() {
        timers[.message(1)] = Instant.zero + .seconds(1)
        timers[.message(1)] = Instant.zero + .seconds(2)
        #expect(timers[.message(1)] == .zero + .seconds(2))
        let early = timers.takeDue(at: .zero + .seconds(1))
        timers[.message(1)] = nil
        timers[.message(2)] = nil
        #expect(early == nil && timers.next == nil)
    }
}

@Suite struct `A sorted table` {
    @Test func `is walked in the order of its keys`() {
        var table = SortedTable<Int, String>()
        #expect(table.isEmpty)
        for key in [5, 1, 9, 3, 7, 3] { table[key] = "\(key)" }
        #expect(table.keys == [1, 3, 5, 7, 9])
        #expect(table.values == ["1", "3", "5", "7", "9"])
        table[5] = nil
        table[6] = nil
        #expect(table.keys == [1, 3, 7, 9] && table.count == 4)
        #expect(table[5] == nil && table[9] == "9" && table.contains(1) && !table.contains(2))
        let changed: Void? = table.update(7) { $0 += "!" }
        let missed: Void? = table.update(8) { $0 += "!" }
        #expect(changed != nil && missed == nil && table[7] == "7!")
    }
}
