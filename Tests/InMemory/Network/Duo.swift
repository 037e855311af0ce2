// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueInMemory
import RevuePorts
import RevueTime

/// Remembers what a transport reported, and when.
final class Ear: TransportDelegate {
    struct Datagram: Equatable {
        var bytes: [UInt8]
        var peer: PeerID
        var time: Instant
    }
    private struct Heard {
        var events: [TransportEvent] = []
        var datagrams: [Datagram] = []
        var changes = 0
    }
    private let heard = Locked(Heard())
    private let scheduler: any Scheduler

    init(_ scheduler: any Scheduler) { self.scheduler = scheduler }

    func transport(didReport event: TransportEvent) { heard.withLock { $0.events.append(event) } }
    func transport(didReceive datagram: UnsafeRawBufferPointer, from peer: PeerID) {
        let entry = Datagram(bytes: Array(datagram), peer: peer, time: scheduler.now)
        heard.withLock { $0.datagrams.append(entry) }
    }
    func transportDidChangeSavedata() { heard.withLock { $0.changes += 1 } }

    var events: [TransportEvent] { heard.withLock { $0.events } }
    var datagrams: [Datagram] { heard.withLock { $0.datagrams } }
    var changes: Int { heard.withLock { $0.changes } }
    func forget() { heard.withLock { $0 = Heard() } }
}

/// One user of the simulated network.
final class Node {
    let transport: InMemoryTransport
    let ear: Ear
    private(set) var state: TransportState
    var peer: PeerID { state.address.peer }

    init(
        _ name: String, in network: SimulatedNetwork, _ scheduler: VirtualScheduler, savedata: [UInt8]? = nil,
        configuration: TransportConfiguration = TransportConfiguration()
    ) throws {
        transport = network.makeTransport(name)
        ear = Ear(scheduler)
        state = try transport.start(configuration, savedata: savedata, delegate: ear)
    }

    func send(_ bytes: [UInt8], to other: Node) -> Bool {
        bytes.withUnsafeBytes { transport.send($0, to: other.peer) }
    }
}

/// Two friends on one link.
final class Duo {
    let scheduler: VirtualScheduler
    let network: SimulatedNetwork
    let alice: Node
    let bob: Node

    init(seed: UInt64 = 1, conditions: LinkConditions = .clean) throws {
        scheduler = VirtualScheduler(seed: seed)
        network = SimulatedNetwork(scheduler: scheduler, seed: seed, conditions: conditions)
        alice = try Node("alice", in: network, scheduler)
        bob = try Node("bob", in: network, scheduler)
    }

    /// What is queued holds the scheduler, and the scheduler what is queued.
    deinit { scheduler.discardAll() }

    /// Both are friends, see each other, and have forgotten how it came about.
    static func acquainted(seed: UInt64 = 1, conditions: LinkConditions = .clean) throws -> Duo {
        let duo = try Duo(seed: seed, conditions: conditions)
        duo.alice.transport.perform(.acceptFriend(duo.bob.peer))
        duo.bob.transport.perform(.acceptFriend(duo.alice.peer))
        try duo.pass(.seconds(1))
        duo.alice.ear.forget()
        duo.bob.ear.forget()
        return duo
    }

    func pass(_ interval: Interval) throws { try scheduler.advanceSynchronously(by: interval) }
}
