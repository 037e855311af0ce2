// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

@Suite struct `Profiles` {
    private var world = World.ofFriends()

    @Test mutating func `a name is announced to us and told to every friend`() throws {
        let effects = try world.act(.alice) { session, _ in
            let effects = try session.setName("Alice")
            return (effects, effects)
        }
        #expect(effects == [.transport(.setName("Alice")), .notify(.selfName("Alice"))])
        #expect(world[.alice].profile.name == "Alice")
        #expect(world.notices(.bob) == [.name(Who.alice.peer, "Alice")])
        #expect(world[.bob].profile(of: Who.alice.peer)?.name == "Alice")
    }

    @Test mutating func `a status message and an availability are announced the same way`() throws {
        try world.act(.alice) { session, _ in try session.setStatusMessage("at sea") }
        world.act(.alice) { session, _ in session.setAvailability(.busy) }
        #expect(world.notices(.alice) == [.selfStatusMessage("at sea"), .selfAvailability(.busy)])
        #expect(
            world.notices(.carol) == [
                .statusMessage(Who.alice.peer, "at sea"), .availability(Who.alice.peer, .busy),
            ])
        #expect(world[.carol].profile(of: Who.alice.peer) == Profile(statusMessage: "at sea", availability: .busy))
    }

    @Test func `setting what is set does nothing`() throws {
        var session = world[.alice]
        #expect(try session.setName("") == [])
        #expect(try session.setStatusMessage("") == [])
        #expect(session.setAvailability(.available) == [])
        _ = try session.setName("A")
        #expect(try session.setName("A\0") == [])
    }

    @Test func `a name has at most 128 bytes and a status message 1,007`() throws {
        var session = world[.alice]
        let before = session
        #expect(throws: ProfileFailure.tooLong(size: 129, limit: 128)) {
            try session.setName(String(repeating: "a", count: 129))
        }
        #expect(throws: ProfileFailure.tooLong(size: 1_008, limit: 1_007)) {
            try session.setStatusMessage(String(repeating: "é", count: 504))
        }
        #expect(session == before)
        _ = try session.setName(String(repeating: "é", count: 64))
        _ = try session.setStatusMessage(String(repeating: "a", count: 1_007))
    }

    @Test func `own text loses its NUL characters`() throws {
        var session = world[.alice]
        #expect(try session.setName("a\0b").first == .transport(.setName("ab")))
        #expect(try session.setStatusMessage("\0c").last == .notify(.selfStatusMessage("c")))
    }

    @Test func `what a friend sends is repaired, and announced when it changed`() {
        var session = world[.alice]
        let long = "\0" + String(repeating: "€", count: 60)
        let cut = String(repeating: "€", count: 42)
        #expect(session.handle(.transport(.name(Who.bob.peer, long)), at: .zero) == [.notify(.name(Who.bob.peer, cut))])
        #expect(session.handle(.transport(.name(Who.bob.peer, long)), at: .zero) == [])
        let text = String(repeating: "a", count: 2_000)
        let fitted = String(repeating: "a", count: 1_007)
        #expect(
            session.handle(.transport(.statusMessage(Who.bob.peer, text)), at: .zero) == [
                .notify(.statusMessage(Who.bob.peer, fitted))
            ])
        #expect(session.handle(.transport(.statusMessage(Who.bob.peer, text)), at: .zero) == [])
        #expect(session.handle(.transport(.availability(Who.bob.peer, .available)), at: .zero) == [])
    }

    @Test func `what a stranger sends is ignored`() {
        var session = world[.alice]
        let before = session
        for event in [
            .name(.nobody, "x"), .statusMessage(.nobody, "x"), .availability(.nobody, .away),
            .paths(.nobody, .udpDirect), .text(.nobody, "x"),
        ] as [TransportEvent] {
            #expect(session.handle(.transport(event), at: .zero) == [])
        }
        #expect(session.handle(.datagram(.nobody, [82, 118, 1]), at: .zero) == [])
        #expect(session.handle(.heard(.nobody), at: .zero) == [])
        #expect(session == before)
    }

    @Test func `profiles that a session starts with are repaired`() {
        let session = Session(
            Session.Start(
                address: Who.alice.address, profile: Profile(name: "a\0"),
                friends: [FriendRecord(peer: Who.bob.peer, profile: Profile(name: "b\0"))], seed: 1))
        #expect(session.profile.name == "a")
        #expect(session.profile(of: Who.bob.peer)?.name == "b")
    }

    @Test func `our reachability is announced when it changes`() {
        var session = world[.alice]
        #expect(session.selfReachability == .offline)
        #expect(session.handle(.transport(.selfReachability(.udp)), at: .zero) == [.notify(.selfReachability(.udp))])
        #expect(session.handle(.transport(.selfReachability(.udp)), at: .zero) == [])
        #expect(session.selfReachability == .udp)
    }
}
