// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

@Suite struct `Calls` {
    private var world = World.inCall()

    private func disconnects(_ who: Who) -> [DisconnectCause] {
        world.notices(who).compactMap { if case .disconnected(_, let cause) = $0 { cause } else { nil } }
    }
    private func paths(_ who: Who) -> [Paths] {
        world.notices(who).compactMap { if case .paths(_, let paths) = $0 { paths } else { nil } }
    }

    @Test mutating func `a quiet call stays, kept alive once a second`() {
        world.run(for: .seconds(120))
        #expect(world[.alice].isConnected(Who.bob.peer) && world[.bob].isConnected(Who.alice.peer))
        #expect(world.notices(.alice).isEmpty && world.notices(.bob).isEmpty)
        #expect(world.effects(.alice).filter { $0 == .keepAlive(Who.bob.peer) }.count == 120)
    }

    @Test mutating func `hanging up ends the call on both sides`() {
        world.act(.alice) { $0.hangUp(Who.bob.peer, at: $1) }
        #expect(world.notices(.alice) == [.disconnected(Who.bob.peer, .leave)])
        world.run(for: .seconds(1))
        #expect(world.notices(.bob) == [.disconnected(Who.alice.peer, .leave)])
        #expect(world.effects(.alice).contains(.closeMedia(Who.bob.peer)))
        world.run(for: .seconds(120))
        #expect(disconnects(.alice).count == 1 && disconnects(.bob).count == 1)
        #expect(world[.alice].nextDeadline == nil && world[.bob].nextDeadline == nil)
    }

    @Test mutating func `hanging up on nobody does nothing`() {
        let before = world[.alice]
        world.act(.alice) { $0.hangUp(Who.carol.peer, at: $1) }
        world.act(.alice) { $0.hangUp(.nobody, at: $1) }
        #expect(world[.alice] == before)
    }

    @Test mutating func `two hang-ups at once end the call once on each side`() {
        world.act(.alice) { $0.hangUp(Who.bob.peer, at: $1) }
        world.act(.bob) { $0.hangUp(Who.alice.peer, at: $1) }
        world.run(for: .seconds(100))
        #expect(disconnects(.alice) == [.leave] && disconnects(.bob) == [.leave])
    }

    @Test(arguments: [Who.alice, .bob]) mutating func `destroying one side leaves`(who: Who) {
        world.act(who) { $0.close(at: $1) }
        world.run(for: .seconds(1))
        #expect(disconnects(.alice) == [.leave] && disconnects(.bob) == [.leave])
    }

    @Test mutating func `deleting a friend in a call leaves`() throws {
        try world.act(.alice) { try $0.deleteFriend(Who.bob.peer, at: $1) }
        world.run(for: .seconds(1))
        #expect(disconnects(.alice) == [.leave] && disconnects(.bob) == [.leave])
    }

    @Test mutating func `three seconds of silence empty the paths, whatever the transport claims`() {
        world.cut(.alice, .bob)
        world.run(for: .milliseconds(1_900))
        #expect(paths(.alice) == [])
        world.run(for: .milliseconds(1_200))
        #expect(paths(.alice) == [[]] && paths(.bob) == [[]])
        #expect(world[.alice].paths(of: Who.bob.peer) == [])
        world.report(.tcpRelay, of: .bob, to: .alice)
        #expect(world[.alice].paths(of: Who.bob.peer) == [])
    }

    @Test mutating func `a path lost for ten seconds resumes the call`() {
        world.cut(.alice, .bob)
        world.run(for: .seconds(10))
        world.mend(.alice, .bob)
        world.run(for: .seconds(100))
        for (who, other) in [(Who.alice, Who.bob), (.bob, .alice)] {
            #expect(paths(who) == [[], .udpDirect])
            #expect(disconnects(who) == [])
            #expect(world[who].isConnected(other.peer))
            #expect(world.effects(who).filter { $0 == .refreshMedia(other.peer) }.count == 1)
            #expect(world[who].call(with: other.peer)?.membership.isLost == false)
        }
    }

    @Test mutating func `a resumed call is confirmed by both and stays live`() {
        world.cut(.alice, .bob)
        world.run(for: .seconds(10))
        world.mend(.alice, .bob)
        world.run(for: .seconds(2))
        for (who, other) in [(Who.alice, Who.bob), (.bob, .alice)] {
            guard case .live = world[who].call(with: other.peer)?.membership.life else {
                Issue.record("\(who) waits for a confirmation")
                continue
            }
        }
    }

    @Test mutating func `the same path comes back as the transport says, or as direct UDP when it says none`() {
        world.cut(.alice, .bob)
        world.run(for: .seconds(10))
        world.report([], of: .bob, to: .alice)
        world.report(.tcpRelay, of: .alice, to: .bob)
        world.mend(.alice, .bob)
        world.run(for: .seconds(2))
        #expect(paths(.alice) == [[], .udpDirect])
        #expect(paths(.bob) == [[], .tcpRelay])
    }

    @Test mutating func `a transport that reports no path loses it at once`() {
        world.report([], of: .bob, to: .alice)
        #expect(paths(.alice) == [[]])
        world.run(for: .seconds(2))
        #expect(paths(.alice) == [[], .udpDirect])
        #expect(world[.alice].isConnected(Who.bob.peer))
    }

    @Test mutating func `45 s without a path end the call as network lost on both sides`() {
        world.cut(.alice, .bob)
        world.run(for: .seconds(46))
        #expect(disconnects(.alice) == [] && disconnects(.bob) == [])
        world.run(for: .seconds(3))
        #expect(disconnects(.alice) == [.networkLost] && disconnects(.bob) == [.networkLost])
    }

    @Test mutating func `paths come back after a call that the network ended, and a new call works`() {
        world.cut(.alice, .bob)
        world.run(for: .seconds(60))
        #expect(world[.alice].paths(of: Who.bob.peer) == [])
        world.mend(.alice, .bob)
        world.run(for: .seconds(10))
        #expect(world[.alice].paths(of: Who.bob.peer) == .udpDirect)
        #expect(world[.bob].paths(of: Who.alice.peer) == .udpDirect)
        world.connect(.bob, .alice)
        #expect(world[.alice].isConnected(Who.bob.peer) && world[.bob].isConnected(Who.alice.peer))
    }

    @Test(arguments: [Who.alice, .bob]) mutating func `silence in one direction alone ends the call for both`(deaf: Who)
    {
        let other = deaf == .alice ? Who.bob : .alice
        world.blocked = [[other, deaf]]
        world.run(for: .seconds(120))
        #expect(disconnects(deaf) == [.networkLost])
        #expect(disconnects(other) == [.networkLost])
    }

    @Test mutating func `a hang-up during a lost path is heard when the path comes back`() {
        world.cut(.alice, .bob)
        world.run(for: .seconds(10))
        world.act(.alice) { $0.hangUp(Who.bob.peer, at: $1) }
        world.run(for: .seconds(5))
        world.mend(.alice, .bob)
        world.run(for: .seconds(10))
        #expect(disconnects(.alice) == [.leave] && disconnects(.bob) == [.leave])
    }

    @Test mutating func `a path that comes back after one side gave up ends the other as network lost`() {
        world.blocked = [[.alice, .bob]]
        world.run(for: .seconds(2))
        world.cut(.alice, .bob)
        for _ in 0..<60_000 where disconnects(.bob).isEmpty { world.run(for: .milliseconds(1)) }
        #expect(disconnects(.bob) == [.networkLost] && disconnects(.alice) == [])
        world.blocked = []
        world.run(for: .seconds(20))
        #expect(disconnects(.alice) == [.networkLost] && disconnects(.bob) == [.networkLost])
    }

    @Test mutating func `an invitation after the other side gave up ends the lost call and rings`() throws {
        world.blocked = [[.alice, .bob]]
        world.run(for: .seconds(2))
        world.cut(.alice, .bob)
        for _ in 0..<60_000 where disconnects(.bob).isEmpty { world.run(for: .milliseconds(1)) }
        world.blocked = []
        world.run(for: .milliseconds(100))
        try world.act(.bob) { try $0.invite(Who.alice.peer, message: "again", at: $1) }
        world.run(for: .milliseconds(100))
        #expect(
            world.notices(.alice).suffix(2) == [
                .disconnected(Who.bob.peer, .networkLost), .receivedInvitation(Who.bob.peer, message: "again"),
            ])
        try world.act(.alice) { try $0.acceptInvitation(from: Who.bob.peer, at: $1) }
        world.run(for: .seconds(60))
        #expect(world[.alice].isConnected(Who.bob.peer) && world[.bob].isConnected(Who.alice.peer))
    }

    @Test(arguments: [Who.alice, .bob]) mutating func `a peer that restarted has lost the call at once`(who: Who) {
        let other = who == .alice ? Who.bob : .alice
        world.restart(who)
        world.run(for: .seconds(1))
        #expect(disconnects(other) == [.networkLost])
        #expect(!world[who].isConnected(other.peer))
        world.connect(who, other)
        #expect(world[.alice].isConnected(Who.bob.peer) && world[.bob].isConnected(Who.alice.peer))
    }

    @Test mutating func `a killed peer is noticed within four seconds and given up after 45`() {
        world.kill(.bob)
        world.run(for: .seconds(4))
        #expect(paths(.alice) == [[]])
        #expect(disconnects(.alice) == [])
        world.run(for: .seconds(45))
        #expect(disconnects(.alice) == [.networkLost])
    }

    @Test mutating func `both sides may restart and call again`() {
        world.kill(.bob)
        world.restart(.alice)
        world.restart(.bob)
        world.run(for: .seconds(2))
        world.connect(.bob, .alice)
        #expect(world[.alice].isConnected(Who.bob.peer) && world[.bob].isConnected(Who.alice.peer))
    }

    @Test mutating func `an invitation or an accept of another call does not touch this one`() {
        let other = WireID(high: 3, low: 4)
        for message in [
            .invite(other, message: nil), .accept(other), .reject(other), .cancel(other), .hangup(other),
            .ringing(other),
        ] as [ControlMessage] {
            world.inject(message, from: .bob, to: .alice)
            world.run(for: .seconds(1))
        }
        #expect(world.notices(.alice) == [] && world.notices(.bob) == [])
        #expect(world[.alice].isConnected(Who.bob.peer))
    }

    @Test mutating func `a resume of a call that is over is answered with its end`() throws {
        let call = try #require(world[.bob].call(with: Who.alice.peer)).membership.call
        world.act(.alice) { $0.hangUp(Who.bob.peer, at: $1) }
        world.run(for: .seconds(1))
        world.forget()
        world.inject(.resume(call, []), from: .bob, to: .alice)
        world.run(for: .seconds(1))
        #expect(world.notices(.alice) == [] && world.notices(.bob) == [])
    }

    @Test func `a call holds under loss`() {
        var world = World.ofFriends(seed: 5)
        world.lossPerMille = 300
        world.connect(.alice, .bob)
        world.run(for: .seconds(5))
        #expect(world[.alice].isConnected(Who.bob.peer) && world[.bob].isConnected(Who.alice.peer))
    }
}
