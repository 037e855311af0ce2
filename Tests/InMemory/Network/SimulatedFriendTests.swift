// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

@Suite struct SimulatedFriendTests {
    @Test func `a request, its acceptance and the contact arrive in order`() throws {
        let duo = try Duo()
        duo.alice.transport.perform(.setName("Alice"))
        duo.alice.transport.perform(.addFriend(duo.bob.state.address, message: "It is me"))
        try duo.pass(.seconds(1))
        #expect(
            duo.bob.ear.events == [.selfReachability(.udp), .friendRequest(duo.alice.peer, message: "It is me")])
        duo.bob.transport.perform(.acceptFriend(duo.alice.peer))
        try duo.pass(.seconds(1))
        #expect(
            duo.bob.ear.events.dropFirst(2) == [
                .paths(duo.alice.peer, .udpDirect), .name(duo.alice.peer, "Alice"), .statusMessage(duo.alice.peer, ""),
                .availability(duo.alice.peer, .available),
            ])
        #expect(duo.alice.ear.events.contains(.paths(duo.bob.peer, .udpDirect)))
    }

    @Test func `a request to someone who comes later is tried until it arrives`() throws {
        let scheduler = VirtualScheduler()
        defer { scheduler.discardAll() }
        let network = SimulatedNetwork(scheduler: scheduler)
        let first = try Node("bob", in: network, scheduler)
        let savedata = first.transport.savedata()
        first.transport.stop()
        let alice = try Node("alice", in: network, scheduler)
        alice.transport.perform(.addFriend(first.state.address, message: "Hello"))
        try scheduler.advanceSynchronously(by: .seconds(60))
        let bob = try Node("bob", in: network, scheduler, savedata: savedata)
        try scheduler.advanceSynchronously(by: .seconds(90))
        #expect(bob.ear.events.contains(.friendRequest(alice.peer, message: "Hello")))
    }

    @Test func `a request to an outdated address is silent`() throws {
        let duo = try Duo()
        let outdated = FriendAddress(peer: duo.bob.peer, nospam: duo.bob.state.address.nospam ^ 1)
        duo.alice.transport.perform(.addFriend(outdated, message: "Hello"))
        try duo.pass(.seconds(120))
        #expect(duo.bob.ear.events == [.selfReachability(.udp)])
    }

    @Test(arguments: ["", String(repeating: "x", count: 922)])
    func `a request of a size that cannot be sent fails`(message: String) throws {
        let duo = try Duo()
        let command = TransportCommand.addFriend(duo.bob.state.address, message: message)
        duo.alice.transport.perform(command)
        try duo.pass(.seconds(1))
        let failed = duo.alice.ear.events.contains {
            if case .commandFailed(command, _) = $0 { true } else { false }
        }
        #expect(failed)
    }

    @Test func `a change of profile reaches friends, and is known again after a restart`() throws {
        let duo = try Duo.acquainted()
        duo.alice.transport.perform(.setName("Alice"))
        duo.alice.transport.perform(.setStatusMessage("at work"))
        duo.alice.transport.perform(.setAvailability(.busy))
        try duo.pass(.seconds(1))
        let alice = duo.alice.peer
        #expect(
            duo.bob.ear.events == [
                .name(alice, "Alice"), .statusMessage(alice, "at work"), .availability(alice, .busy),
            ]
        )
        let savedata = duo.bob.transport.savedata()
        duo.bob.transport.stop()
        let again = try Node("bob", in: duo.network, duo.scheduler, savedata: savedata)
        let known = Profile(name: "Alice", statusMessage: "at work", availability: .busy)
        #expect(again.state.friends == [TransportState.Friend(peer: alice, profile: known)])
        #expect(again.state.address == duo.bob.state.address)
    }

    @Test func `a deleted friend is gone on one side and away on the other`() throws {
        let duo = try Duo.acquainted()
        duo.alice.transport.perform(.deleteFriend(duo.bob.peer))
        try duo.pass(.seconds(1))
        #expect(duo.alice.ear.events.isEmpty)
        #expect(duo.bob.ear.events == [.paths(duo.alice.peer, [])])
        #expect(!duo.alice.send([1], to: duo.bob))
    }

    @Test func `savedata with any bit changed, or cut anywhere, is refused`() throws {
        let duo = try Duo.acquainted()
        duo.alice.transport.perform(.addFriend(FriendAddress(peer: duo.alice.peer, nospam: 1), message: "me"))
        let whole = duo.alice.transport.savedata()
        duo.alice.transport.stop()
        for length in 0..<whole.count {
            let transport = duo.network.makeTransport("alice")
            #expect(throws: TransportError.self) {
                try transport.start(
                    TransportConfiguration(), savedata: Array(whole.prefix(length)), delegate: Ear(duo.scheduler))
            }
        }
        for bit in 0..<(whole.count * 8) {
            var damaged = whole
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            let transport = duo.network.makeTransport("alice")
            #expect(throws: TransportError.self) {
                try transport.start(TransportConfiguration(), savedata: damaged, delegate: Ear(duo.scheduler))
            }
        }
    }
}
