// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

@Suite struct `Friends` {
    private var world = World()

    private mutating func request(_ who: Who, _ other: Who, _ text: String = "hello") throws {
        try world.act(who) { try $0.addFriend(other.address, message: text, at: $1) }
        world.run(for: .seconds(1))
    }

    @Test mutating func `a request shows up with its text and waits`() throws {
        try request(.alice, .bob, "It's me")
        #expect(world.notices(.bob) == [.friendRequest(Who.alice.peer, message: "It's me")])
        #expect(world[.bob].friendRequests == [FriendRequest(peer: Who.alice.peer, message: "It's me", order: 1)])
        #expect(!world[.bob].isFriend(Who.alice.peer))
        #expect(world[.alice].friends == [Who.bob.peer])
        #expect(world[.alice].paths(of: Who.bob.peer) == [])
    }

    @Test mutating func `accepting makes friends of both, with paths`() throws {
        try request(.alice, .bob)
        world.forget()
        try world.act(.bob) { try $0.acceptFriend(Who.alice.peer, at: $1) }
        world.run(for: .seconds(1))
        #expect(world[.bob].friends == [Who.alice.peer])
        #expect(world[.bob].friendRequests.isEmpty && world[.alice].stored.sent.isEmpty)
        #expect(world.notices(.alice) == [.paths(Who.bob.peer, .udpDirect)])
        #expect(world.notices(.bob) == [.paths(Who.alice.peer, .udpDirect)])
        #expect(world.effects(.bob).contains(.persist) && world.effects(.alice).contains(.persist))
    }

    @Test func `our own address is refused, and so is our own key`() {
        let before = world[.alice]
        var session = before
        #expect(throws: AddFriendFailure.ownAddress) {
            try session.addFriend(FriendAddress(peer: Who.alice.peer, nospam: 77), message: "x", at: .zero)
        }
        #expect(throws: AddFriendFailure.ownAddress) { try session.acceptFriend(Who.alice.peer, at: .zero) }
        #expect(session == before)
    }

    @Test func `a request has 1 to 921 bytes`() throws {
        var session = world[.alice]
        let before = session
        #expect(throws: AddFriendFailure.messageEmpty) {
            try session.addFriend(Who.bob.address, message: "\0", at: .zero)
        }
        #expect(throws: AddFriendFailure.messageTooLong(size: 922, limit: 921)) {
            try session.addFriend(Who.bob.address, message: String(repeating: "é", count: 461), at: .zero)
        }
        #expect(session == before)
        let longest = String(repeating: "a", count: 921)
        let effects = try session.addFriend(Who.bob.address, message: longest, at: .zero)
        #expect(effects == [.transport(.addFriend(Who.bob.address, message: longest)), .persist])
    }

    @Test mutating func `a friend cannot be added or accepted again`() throws {
        try request(.alice, .bob)
        let before = world[.alice]
        var session = before
        #expect(throws: AddFriendFailure.alreadyFriend) {
            try session.addFriend(Who.bob.address, message: "x", at: .zero)
        }
        #expect(throws: AddFriendFailure.alreadyFriend) { try session.acceptFriend(Who.bob.peer, at: .zero) }
        #expect(session == before)
    }

    @Test mutating func `when both asked each other, accepting succeeds`() throws {
        try world.act(.alice) { try $0.addFriend(Who.bob.address, message: "a", at: $1) }
        try world.act(.bob) { try $0.addFriend(Who.alice.address, message: "b", at: $1) }
        // The transports know each other at once; the requests still arrive.
        var session = Session(Session.Start(address: Who.alice.address, seed: 1))
        _ = try session.addFriend(Who.bob.address, message: "a", at: .zero)
        let shown = session.handle(.transport(.friendRequest(Who.bob.peer, message: "b")), at: .zero)
        #expect(shown == [.notify(.friendRequest(Who.bob.peer, message: "b")), .persist])
        #expect(try session.acceptFriend(Who.bob.peer, at: .zero) == [.persist])
        #expect(session.friendRequests.isEmpty && session.stored.sent.isEmpty)
        #expect(throws: AddFriendFailure.alreadyFriend) { try session.acceptFriend(Who.bob.peer, at: .zero) }
        #expect(world[.alice].paths(of: Who.bob.peer) == .udpDirect)
    }

    @Test mutating func `a friend can be accepted without a request`() throws {
        let effects = try world.act(.alice) { session, now in
            let effects = try session.acceptFriend(Who.bob.peer, at: now)
            return (effects, effects)
        }
        #expect(effects == [.transport(.acceptFriend(Who.bob.peer))])
    }

    @Test func `a request of a friend is not shown`() throws {
        var session = World.ofFriends()[.alice]
        #expect(session.handle(.transport(.friendRequest(Who.bob.peer, message: "again")), at: .zero) == [])
        #expect(session.handle(.transport(.friendRequest(Who.alice.peer, message: "me")), at: .zero) == [])
    }

    @Test mutating func `a deleted friend is gone at once, and can be added again`() throws {
        world = .ofFriends()
        try world.act(.alice) { try $0.deleteFriend(Who.bob.peer, at: $1) }
        #expect(world[.alice].friends == [Who.carol.peer])
        #expect(world[.alice].profile(of: Who.bob.peer) == nil && world[.alice].paths(of: Who.bob.peer) == [])
        world.run(for: .seconds(1))
        #expect(world.effects(.alice).contains(.transport(.deleteFriend(Who.bob.peer))))
        #expect(world[.bob].paths(of: Who.alice.peer) == [])
        try world.act(.alice) { try $0.addFriend(Who.bob.address, message: "sorry", at: $1) }
        world.run(for: .seconds(1))
        #expect(world[.alice].friends == [Who.carol.peer, Who.bob.peer])
        #expect(world[.alice].paths(of: Who.bob.peer) == .udpDirect)
        world.connect(.alice, .bob)
        #expect(world[.bob].isConnected(Who.alice.peer) && world[.alice].isConnected(Who.bob.peer))
    }

    @Test mutating func `adding again cuts a lingering goodbye short`() throws {
        world = .ofFriends()
        world.cut(.alice, .bob)
        try world.act(.alice) { try $0.deleteFriend(Who.bob.peer, at: $1) }
        #expect(!world.effects(.alice).contains(.transport(.deleteFriend(Who.bob.peer))))
        try world.act(.alice) { try $0.acceptFriend(Who.bob.peer, at: $1) }
        let commands = world.effects(.alice).filter { if case .transport = $0 { true } else { false } }
        #expect(commands == [.transport(.deleteFriend(Who.bob.peer)), .transport(.acceptFriend(Who.bob.peer))])
        world.mend(.alice, .bob)
        world.run(for: .seconds(2))
        #expect(world[.alice].isFriend(Who.bob.peer))
        world.connect(.bob, .alice)
        #expect(world[.bob].isConnected(Who.alice.peer) && world[.alice].isConnected(Who.bob.peer))
    }

    @Test mutating func `a goodbye lingers for half a second at most`() throws {
        world = .ofFriends()
        world.cut(.alice, .bob)
        try world.act(.alice) { try $0.deleteFriend(Who.bob.peer, at: $1) }
        world.run(for: .milliseconds(499))
        #expect(!world.effects(.alice).contains(.transport(.deleteFriend(Who.bob.peer))))
        world.run(for: .milliseconds(1))
        #expect(world.effects(.alice).contains(.transport(.deleteFriend(Who.bob.peer))))
    }

    @Test func `who is no friend cannot be deleted`() {
        var session = world[.alice]
        let before = session
        #expect(throws: DeleteFriendFailure.notFound) { try session.deleteFriend(Who.bob.peer, at: .zero) }
        #expect(session == before)
    }

    @Test func `a friend whom the transport refuses is none`() throws {
        var session = world[.alice]
        _ = try session.addFriend(Who.bob.address, message: "x", at: .zero)
        let command = TransportCommand.addFriend(Who.bob.address, message: "x")
        let effects = session.handle(.transport(.commandFailed(command, reason: "bad nospam")), at: .zero)
        #expect(effects.contains(.persist))
        #expect(session.friends.isEmpty && session.stored.sent.isEmpty)
        _ = try session.acceptFriend(Who.bob.peer, at: .zero)
        _ = session.handle(.transport(.commandFailed(.acceptFriend(Who.bob.peer), reason: "?")), at: .zero)
        #expect(session.friends.isEmpty)
        let known = session
        for command in [.setName("x"), .setStatusMessage("x"), .setAvailability(.away), .deleteFriend(Who.bob.peer)]
            as [TransportCommand]
        {
            let effects = session.handle(.transport(.commandFailed(command, reason: "?")), at: .zero)
            #expect(effects == [.log(LogLine(.warning, "transport", "A command failed: ?"))])
        }
        #expect(session == known)
    }

    @Test func `friends keep their order, and we are never our own friend`() {
        let records = [Who.carol, .alice, .bob, .carol].map { FriendRecord(peer: $0.peer) }
        let session = Session(Session.Start(address: Who.alice.address, friends: records, seed: 1))
        #expect(session.friends == [Who.carol.peer, Who.bob.peer])
    }
}
