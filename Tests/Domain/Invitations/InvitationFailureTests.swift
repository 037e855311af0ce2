// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

@Suite struct `Invitations that cannot be` {
    private var world = World.ofFriends()

    /// Runs a command that must fail and leave everything as it was.
    private func expectFailure(
        _ failure: InvitationFailure, _ who: Who, _ body: (inout Session) throws(InvitationFailure) -> [Effect]
    ) {
        var session = world[who]
        let before = session
        #expect(throws: failure) { try body(&session) }
        #expect(session == before)
    }

    @Test func `a stranger cannot be invited`() {
        let now = world.now
        for peer in [PeerID.nobody, Who.alice.peer] {
            expectFailure(.unknownFriend, .alice) { s throws(InvitationFailure) in
                try s.invite(peer, message: nil, at: now)
            }
            expectFailure(.unknownFriend, .alice) { s throws(InvitationFailure) in
                try s.acceptInvitation(from: peer, at: now)
            }
            expectFailure(.unknownFriend, .alice) { s throws(InvitationFailure) in
                try s.rejectInvitation(from: peer, at: now)
            }
            expectFailure(.unknownFriend, .alice) { s throws(InvitationFailure) in
                try s.cancelInvitation(to: peer, at: now)
            }
        }
    }

    @Test mutating func `a friend without a path cannot be invited`() {
        let now = world.now
        world.report([], of: .bob, to: .alice)
        expectFailure(.notReachable, .alice) { s throws(InvitationFailure) in
            try s.invite(Who.bob.peer, message: nil, at: now)
        }
    }

    @Test mutating func `a friend without a path cannot be answered, and rings on`() throws {
        let now = world.now
        try world.act(.alice) { try $0.invite(Who.bob.peer, message: nil, at: $1) }
        world.run(for: .seconds(1))
        world.report([], of: .alice, to: .bob)
        expectFailure(.notReachable, .bob) { s throws(InvitationFailure) in
            try s.acceptInvitation(from: Who.alice.peer, at: now)
        }
        world.report(.tcpRelay, of: .alice, to: .bob)
        try world.act(.bob) { try $0.acceptInvitation(from: Who.alice.peer, at: $1) }
        #expect(world[.bob].isConnected(Who.alice.peer))
    }

    @Test mutating func `a friend who is invited or in the room cannot be invited again`() throws {
        let now = world.now
        try world.act(.alice) { try $0.invite(Who.bob.peer, message: nil, at: $1) }
        expectFailure(.alreadyInCall, .alice) { s throws(InvitationFailure) in
            try s.invite(Who.bob.peer, message: nil, at: now)
        }
        world.run(for: .seconds(1))
        try world.act(.bob) { try $0.acceptInvitation(from: Who.alice.peer, at: $1) }
        world.run(for: .seconds(1))
        expectFailure(.alreadyInCall, .alice) { s throws(InvitationFailure) in
            try s.invite(Who.bob.peer, message: nil, at: now)
        }
        expectFailure(.alreadyInCall, .bob) { s throws(InvitationFailure) in
            try s.invite(Who.alice.peer, message: nil, at: now)
        }
    }

    @Test func `a message above 256 bytes is refused with its size`() throws {
        let now = world.now
        let long = String(repeating: "é", count: 129)
        expectFailure(.messageTooLong(size: 258, limit: 256), .alice) { s throws(InvitationFailure) in
            try s.invite(Who.bob.peer, message: long, at: now)
        }
        var session = world[.alice]
        #expect(throws: Never.self) { _ = try session.invite(Who.bob.peer, message: String(long.dropLast()), at: now) }
    }

    @Test mutating func `nobody can answer what does not ring, or take back what is not theirs`() throws {
        let now = world.now
        func expectNothing(_ who: Who, _ peer: PeerID, mayCancel: Bool, mayAnswer: Bool) {
            if !mayAnswer {
                expectFailure(.invalidState, who) { s throws(InvitationFailure) in
                    try s.acceptInvitation(from: peer, at: now)
                }
                expectFailure(.invalidState, who) { s throws(InvitationFailure) in
                    try s.rejectInvitation(from: peer, at: now)
                }
            }
            if !mayCancel {
                expectFailure(.invalidState, who) { s throws(InvitationFailure) in
                    try s.cancelInvitation(to: peer, at: now)
                }
            }
        }
        expectNothing(.alice, Who.bob.peer, mayCancel: false, mayAnswer: false)
        try world.act(.alice) { try $0.invite(Who.bob.peer, message: nil, at: $1) }
        world.run(for: .seconds(1))
        expectNothing(.alice, Who.bob.peer, mayCancel: true, mayAnswer: false)
        expectNothing(.bob, Who.alice.peer, mayCancel: false, mayAnswer: true)
        try world.act(.bob) { try $0.acceptInvitation(from: Who.alice.peer, at: $1) }
        world.run(for: .seconds(1))
        expectNothing(.alice, Who.bob.peer, mayCancel: false, mayAnswer: false)
        expectNothing(.bob, Who.alice.peer, mayCancel: false, mayAnswer: false)
    }

    @Test mutating func `inviting somebody who rings accepts`() throws {
        try world.act(.alice) { try $0.invite(Who.bob.peer, message: nil, at: $1) }
        world.run(for: .seconds(1))
        try world.act(.bob) { try $0.invite(Who.alice.peer, message: nil, at: $1) }
        world.run(for: .seconds(1))
        #expect(world[.alice].isConnected(Who.bob.peer) && world[.bob].isConnected(Who.alice.peer))
        #expect(world.notices(.bob).last == .connected(Who.alice.peer))
    }

    @Test mutating func `a friend whose version shares nothing with ours is told apart`() {
        // Bob's link answers every hello of this one with the same word: versions that nobody speaks yet.
        var stranger = ControlLink(nonce: 99, hello: Hello(lowestVersion: 9, highestVersion: 9, capabilities: []))
        var session = world[.alice]
        _ = session.handle(.transport(.paths(Who.bob.peer, [])), at: world.now)
        var effects = session.handle(.transport(.paths(Who.bob.peer, .udpDirect)), at: world.now)
        var replies = stranger.connect(at: world.now)
        for _ in 0..<6 {
            for case .send(let bytes) in replies {
                effects += session.handle(.datagram(Who.bob.peer, bytes), at: world.now)
            }
            replies = []
            for case .send(let bytes, Who.bob.peer) in effects { replies += stranger.receive(bytes, at: world.now) }
            effects = []
        }
        #expect(throws: InvitationFailure.incompatible) {
            _ = try session.invite(Who.bob.peer, message: nil, at: world.now)
        }
    }
}
