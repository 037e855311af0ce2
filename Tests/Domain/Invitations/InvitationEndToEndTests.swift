// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

@Suite struct `Invitations between two sessions` {
    private var world = World.ofFriends()

    /// The ends of invitations that someone saw.
    private func ends(_ who: Who) -> [InvitationEnd] {
        world.notices(who).compactMap { if case .endedInvitation(_, let end) = $0 { end } else { nil } }
    }

    private mutating func invite(_ message: String? = "video") {
        world.act(.alice) { (try? $0.invite(Who.bob.peer, message: message, at: $1)) ?? [] }
        world.run(for: .milliseconds(200))
    }

    private mutating func accept() {
        world.act(.bob) { (try? $0.acceptInvitation(from: Who.alice.peer, at: $1)) ?? [] }
        world.run(for: .milliseconds(200))
    }

    @Test mutating func `an invitation rings with its message`() {
        invite("video")
        #expect(world.notices(.alice) == [.sentInvitation(Who.bob.peer, message: "video")])
        #expect(world.notices(.bob) == [.receivedInvitation(Who.alice.peer, message: "video")])
        #expect(!world[.alice].isConnected(Who.bob.peer))
    }

    @Test mutating func `an accepted invitation connects both and never ends`() {
        invite()
        accept()
        #expect(world.notices(.alice).last == .connected(Who.bob.peer))
        #expect(world.notices(.bob).last == .connected(Who.alice.peer))
        #expect(world[.alice].connectedPeers == [Who.bob.peer])
        #expect(world[.bob].connectedPeers == [Who.alice.peer])
        world.run(for: .seconds(60))
        #expect(ends(.alice) == [] && ends(.bob) == [])
        #expect(world[.alice].isConnected(Who.bob.peer) && world[.bob].isConnected(Who.alice.peer))
    }

    @Test mutating func `media opens before the participant is announced`() {
        invite()
        accept()
        for (who, other) in [(Who.alice, Who.bob), (.bob, .alice)] {
            let effects = world.effects(who).filter { effect in
                switch effect {
                case .openMedia, .notify(.connected): true
                default: false
                }
            }
            #expect(effects == [.openMedia(other.peer), .notify(.connected(other.peer))])
        }
    }

    @Test mutating func `a rejected invitation is rejected there and finished here`() throws {
        invite()
        try world.act(.bob) { try $0.rejectInvitation(from: Who.alice.peer, at: $1) }
        world.run(for: .seconds(100))
        #expect(ends(.bob) == [.rejected])
        #expect(ends(.alice) == [.finished])
    }

    @Test mutating func `a cancelled invitation is cancelled on both sides`() throws {
        invite()
        try world.act(.alice) { try $0.cancelInvitation(to: Who.bob.peer, at: $1) }
        world.run(for: .seconds(100))
        #expect(ends(.alice) == [.cancelled])
        #expect(ends(.bob) == [.cancelled])
    }

    @Test mutating func `an invitation that nobody answers times out on both sides after 45 s`() {
        invite()
        world.run(for: .milliseconds(44_700))
        #expect(ends(.alice) == [] && ends(.bob) == [])
        world.run(for: .seconds(1))
        #expect(ends(.alice) == [.timeout])
        #expect(ends(.bob) == [.timeout])
    }

    @Test mutating func `a cancel that is lost ends the ringing as a time-out`() throws {
        invite()
        world.cut(.alice, .bob)
        try world.act(.alice) { try $0.cancelInvitation(to: Who.bob.peer, at: $1) }
        world.run(for: .seconds(50))
        #expect(ends(.alice) == [.cancelled])
        #expect(ends(.bob) == [.timeout])
        world.mend(.alice, .bob)
        world.run(for: .seconds(100))
        #expect(ends(.alice).count == 1 && ends(.bob).count == 1)
    }

    @Test mutating func `an invitation that arrives after its caller gave up rings for nobody`() {
        world.cut(.alice, .bob)
        invite()
        world.run(for: .seconds(50))
        #expect(ends(.alice) == [.timeout])
        world.mend(.alice, .bob)
        world.run(for: .seconds(20))
        #expect(ends(.bob) == [.timeout])
        #expect(world.notices(.bob).count == 2)
    }

    @Test(arguments: [Who.alice, .bob]) mutating func `destroying one side finishes the invitation`(who: Who) {
        invite()
        world.act(who) { $0.close(at: $1) }
        world.run(for: .seconds(100))
        #expect(ends(.alice) == [.finished])
        #expect(ends(.bob) == [.finished])
    }

    @Test(arguments: [(Who.alice, Who.bob), (.bob, .alice)])
    mutating func `deleting the friend finishes the invitation on both sides`(pair: (who: Who, other: Who)) throws {
        invite()
        try world.act(pair.who) { try $0.deleteFriend(pair.other.peer, at: $1) }
        world.run(for: .seconds(100))
        #expect(ends(.alice) == [.finished])
        #expect(ends(.bob) == [.finished])
    }

    @Test(arguments: [Who.alice, .bob]) mutating func `a peer that restarts finishes the invitation`(who: Who) {
        invite()
        world.restart(who)
        world.run(for: .seconds(30))
        #expect(ends(who == .alice ? .bob : .alice) == [.finished])
    }

    @Test(arguments: [Interval.zero, .milliseconds(5), .milliseconds(15), .milliseconds(25)])
    mutating func `two invitations at once connect without an error`(apart: Interval) throws {
        try world.act(.bob) { try $0.invite(Who.alice.peer, message: "b", at: $1) }
        world.run(for: apart)
        try world.act(.alice) { try $0.invite(Who.bob.peer, message: "a", at: $1) }
        world.run(for: .seconds(60))
        #expect(world[.alice].connectedPeers == [Who.bob.peer])
        #expect(world[.bob].connectedPeers == [Who.alice.peer])
        #expect(ends(.alice) == [] && ends(.bob) == [])
        for (who, other) in [(Who.alice, Who.bob), (.bob, .alice)] {
            #expect(world.notices(who).filter { $0 == .connected(other.peer) }.count == 1)
        }
        #expect(
            world[.alice].call(with: Who.bob.peer)?.membership.call
                == world[.bob].call(with: Who.alice.peer)?.membership.call)
    }

    @Test(arguments: [Who.alice, .bob], [0, 3, 7, 11, 13, 17, 21, 25, 31, 40])
    mutating func `glare that one side cancels leaves both agreeing`(who: Who, milliseconds: Int64) throws {
        try world.act(.alice) { try $0.invite(Who.bob.peer, message: nil, at: $1) }
        world.run(for: .milliseconds(2))
        try world.act(.bob) { try $0.invite(Who.alice.peer, message: nil, at: $1) }
        world.run(for: .milliseconds(milliseconds))
        let other = who == .alice ? Who.bob : .alice
        world.act(who) { (try? $0.cancelInvitation(to: other.peer, at: $1)) ?? [] }
        world.run(for: .seconds(60))
        #expect(world[.alice].isConnected(Who.bob.peer) == world[.bob].isConnected(Who.alice.peer))
        for (one, another) in [(Who.alice, Who.bob), (.bob, .alice)] {
            let connected = world.notices(one).filter { $0 == .connected(another.peer) }.count
            let gone = world.notices(one).filter { if case .disconnected = $0 { true } else { false } }.count
            #expect(connected - gone == (world[one].isConnected(another.peer) ? 1 : 0))
        }
    }

    @Test(arguments: [0, 5, 11, 15, 20, 25])
    mutating func `an accept that crosses a cancel leaves nobody connected`(milliseconds: Int64) throws {
        invite()
        world.act(.alice) { (try? $0.cancelInvitation(to: Who.bob.peer, at: $1)) ?? [] }
        world.run(for: .milliseconds(milliseconds))
        world.act(.bob) { (try? $0.acceptInvitation(from: Who.alice.peer, at: $1)) ?? [] }
        world.run(for: .seconds(5))
        #expect(ends(.alice) == [.cancelled])
        #expect(!world[.alice].isConnected(Who.bob.peer) && !world[.bob].isConnected(Who.alice.peer))
        let connected = world.notices(.bob).contains(.connected(Who.alice.peer))
        #expect(world.notices(.bob).contains(.disconnected(Who.alice.peer, .leave)) == connected)
        #expect(ends(.bob) == (connected ? [] : [.cancelled]))
    }

    @Test mutating func `a late answer to a dead call is ignored`() throws {
        invite()
        let call = try #require(callID(.alice, Who.bob))
        try world.act(.alice) { try $0.cancelInvitation(to: Who.bob.peer, at: $1) }
        world.run(for: .seconds(1))
        world.forget()
        for message in [.accept(call), .reject(call), .ringing(call), .hangup(call), .cancel(call)] as [ControlMessage]
        {
            world.inject(message, from: .bob, to: .alice)
            world.run(for: .seconds(1))
        }
        #expect(world.notices(.alice) == [])
    }

    @Test(arguments: [true, false])
    mutating func `whoever accepts or resumes a call that is over is told so`(accepts: Bool) {
        let call = WireID(high: 9, low: 9)
        world.inject(accepts ? .accept(call) : .resume(call, []), from: .bob, to: .alice)
        world.run(for: .milliseconds(11))
        #expect(world.said(.alice, to: .bob) == [.reject(call)])
        #expect(world.notices(.alice) == [])
    }

    @Test mutating func `an answer to another call than the one that waits is ignored`() throws {
        invite()
        world.forget()
        let other = WireID(high: 1, low: 1)
        for message in [.accept(other), .reject(other), .ringing(other), .hangup(other), .cancel(other)]
            as [ControlMessage]
        {
            world.inject(message, from: .bob, to: .alice)
            world.inject(message, from: .alice, to: .bob)
            world.run(for: .seconds(1))
        }
        #expect(world.notices(.alice) == [] && world.notices(.bob) == [])
        accept()
        #expect(world[.alice].isConnected(Who.bob.peer))
    }

    @Test mutating func `a call connects when the accept was overtaken by a message of the call`() throws {
        invite()
        let call = try #require(callID(.alice, .bob))
        world.inject(
            .message(call, id: WireID(high: 1, low: 2), sentAt: 0, deadline: 9_000, text: "hi"), from: .bob, to: .alice)
        world.run(for: .milliseconds(100))
        #expect(world.notices(.alice).suffix(2) == [.connected(Who.bob.peer), .message(Who.bob.peer, "hi")])
    }

    @Test mutating func `a friend who sends another invitation has given up the first`() throws {
        invite("one")
        let second = WireID(high: 7, low: 7)
        world.inject(.invite(second, message: "two"), from: .alice, to: .bob)
        world.run(for: .milliseconds(100))
        #expect(
            world.notices(.bob) == [
                .receivedInvitation(Who.alice.peer, message: "one"), .endedInvitation(Who.alice.peer, .finished),
                .receivedInvitation(Who.alice.peer, message: "two"),
            ])
    }

    @Test mutating func `a room holds several friends, in the order in which they connected`() throws {
        world.connect(.alice, .carol)
        try world.act(.bob) { try $0.invite(Who.alice.peer, message: nil, at: $1) }
        world.run(for: .seconds(1))
        #expect(world.notices(.alice).contains(.receivedInvitation(Who.bob.peer, message: nil)))
        try world.act(.alice) { try $0.acceptInvitation(from: Who.bob.peer, at: $1) }
        world.run(for: .seconds(1))
        #expect(world[.alice].connectedPeers == [Who.carol.peer, Who.bob.peer])
        world.act(.alice) { $0.hangUp(Who.carol.peer, at: $1) }
        world.run(for: .seconds(1))
        #expect(world[.alice].connectedPeers == [Who.bob.peer])
        #expect(!world[.carol].isConnected(Who.alice.peer))
    }

    private func callID(_ who: Who, _ other: Who) -> WireID? {
        guard case .invitation(let invitation) = world[who].engagements[other.peer] else { return nil }
        return invitation.call
    }
}
