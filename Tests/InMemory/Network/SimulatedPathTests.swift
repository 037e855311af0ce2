// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

@Suite struct SimulatedPathTests {
    @Test func `a clean stop is known at once`() throws {
        let duo = try Duo.acquainted()
        duo.bob.transport.stop()
        try duo.pass(.milliseconds(10))
        #expect(duo.alice.ear.events == [.paths(duo.bob.peer, [])])
    }

    @Test(arguments: [true, false])
    func `a partition and a killed peer are noticed after 28 s, not before`(isKilled: Bool) throws {
        let duo = try Duo.acquainted()
        if isKilled {
            duo.bob.transport.kill()
        } else {
            duo.network.setPartitioned(true, between: "alice", and: "bob")
        }
        try duo.pass(.milliseconds(27_900))
        #expect(duo.alice.ear.events.isEmpty)
        try duo.pass(.milliseconds(200))
        #expect(duo.alice.ear.events == [.paths(duo.bob.peer, [])])
        #expect(duo.bob.ear.events == (isKilled ? [] : [.paths(duo.alice.peer, [])]))
    }

    @Test func `a partition that heals in time is never noticed, and texts come late`() throws {
        let duo = try Duo.acquainted()
        duo.network.setPartitioned(true, between: "alice", and: "bob")
        duo.alice.transport.perform(.sendText(duo.bob.peer, "late", token: 9))
        try duo.pass(.seconds(20))
        #expect(duo.bob.ear.events.isEmpty)
        duo.network.setPartitioned(false, between: "alice", and: "bob")
        try duo.pass(.seconds(20))
        #expect(duo.bob.ear.events == [.text(duo.alice.peer, "late")])
        #expect(duo.alice.ear.events == [.textDelivered(token: 9)])
    }

    @Test func `after a partition friends meet again`() throws {
        let duo = try Duo.acquainted()
        duo.network.setPartitioned(true, between: "alice", and: "bob")
        try duo.pass(.seconds(60))
        duo.network.setPartitioned(false, between: "alice", and: "bob")
        try duo.pass(.seconds(1))
        #expect(duo.alice.ear.events.starts(with: [.paths(duo.bob.peer, []), .paths(duo.bob.peer, .udpDirect)]))
    }

    @Test func `a killed peer that restarts with its savedata breaks the session, then is back`() throws {
        let duo = try Duo.acquainted()
        let savedata = duo.bob.transport.savedata()
        duo.bob.transport.kill()
        try duo.pass(.seconds(5))
        let again = try Node("bob", in: duo.network, duo.scheduler, savedata: savedata)
        try duo.pass(.seconds(1))
        #expect(duo.alice.ear.events.starts(with: [.paths(duo.bob.peer, []), .paths(duo.bob.peer, .udpDirect)]))
        #expect(again.ear.events.contains(.paths(duo.alice.peer, .udpDirect)))
        #expect(again.state.friends.map(\.peer) == [duo.alice.peer])
    }

    @Test func `an unplugged machine notices by itself, and returns when plugged in`() throws {
        let duo = try Duo.acquainted()
        duo.network.setPlugged(false, "alice")
        try duo.pass(.seconds(30))
        #expect(Set(duo.alice.ear.events) == [.selfReachability(.offline), .paths(duo.bob.peer, [])])
        duo.network.setPlugged(true, "alice")
        try duo.pass(.seconds(1))
        #expect(duo.alice.ear.events.dropFirst(2).starts(with: [.selfReachability(.udp)]))
        #expect(duo.alice.ear.events.contains(.paths(duo.bob.peer, .udpDirect)))
    }

    @Test func `without UDP on one side the path is a TCP relay`() throws {
        let scheduler = VirtualScheduler()
        defer { scheduler.discardAll() }
        let network = SimulatedNetwork(scheduler: scheduler)
        let relayed = TransportConfiguration(udpEnabled: false)
        let alice = try Node("alice", in: network, scheduler, configuration: relayed)
        let bob = try Node("bob", in: network, scheduler)
        alice.transport.perform(.acceptFriend(bob.peer))
        bob.transport.perform(.acceptFriend(alice.peer))
        try scheduler.advanceSynchronously(by: .seconds(1))
        #expect(alice.ear.events.starts(with: [.selfReachability(.tcp), .paths(bob.peer, .tcpRelay)]))
    }

    @Test func `nothing is heard after stop, and the machine is free for the next transport`() throws {
        let duo = try Duo.acquainted()
        duo.alice.transport.perform(.sendText(duo.bob.peer, "on its way", token: 1))
        duo.bob.transport.stop()
        try duo.pass(.seconds(1))
        #expect(duo.bob.ear.events.isEmpty)
        #expect(duo.bob.transport.savedata().isEmpty)
        #expect(duo.alice.ear.events == [.paths(duo.bob.peer, []), .textFailed(token: 1, .notReachable)])
    }
}
