// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// Remembers what a transport reported, and whether it ever reported two things at once.
final class ContractEar: TransportDelegate {
    let events = Record<TransportEvent>()
    let datagrams = Record<[UInt8]>()
    let changes = Record<Bool>()
    private let inside = Locked((now: 0, most: 0))

    func transport(didReport event: TransportEvent) { during { events.add(event) } }
    func transport(didReceive datagram: UnsafeRawBufferPointer, from peer: PeerID) {
        during { datagrams.add(Array(datagram)) }
    }
    func transportDidChangeSavedata() { during { changes.add(true) } }

    var mostAtOnce: Int { inside.withLock { $0.most } }
    var calls: Int { events.count + datagrams.count + changes.count }

    private func during(_ body: () -> Void) {
        inside.withLock { inside in
            inside.now += 1
            inside.most = max(inside.most, inside.now)
        }
        body()
        inside.withLock { $0.now -= 1 }
    }
}

/// One started transport.
struct ContractPeer: Sendable {
    let transport: any Transport
    let ear: ContractEar
    let state: TransportState
    var id: PeerID { state.address.peer }

    init(_ lab: TransportContract.Lab, _ name: String, savedata: [UInt8]? = nil) throws {
        transport = lab.make(name)
        ear = ContractEar()
        state = try transport.start(lab.configuration, savedata: savedata, delegate: ear)
    }

    func send(_ bytes: [UInt8], to peer: PeerID) -> Bool { bytes.withUnsafeBytes { transport.send($0, to: peer) } }
    func has(_ event: TransportEvent) -> Bool { ear.events.all.contains(event) }
}

/// Two transports in one lab.
struct ContractPair: Sendable {
    let lab: TransportContract.Lab
    let alice: ContractPeer
    let bob: ContractPeer

    init(_ lab: TransportContract.Lab) throws {
        self.lab = lab
        alice = try ContractPeer(lab, "alice")
        do {
            bob = try ContractPeer(lab, "bob")
        } catch {
            alice.transport.stop()
            throw error
        }
    }

    func stop() {
        alice.transport.stop()
        bob.transport.stop()
    }

    func wait(for what: String, until condition: @Sendable () -> Bool) async throws {
        try await lab.time.wait(for: what, within: lab.patience, until: condition)
    }

    /// By request and acceptance, until both see each other.
    func meet() async throws {
        try await ask(message: "friends?")
        bob.transport.perform(.acceptFriend(alice.id))
        try await wait(for: "path on both sides") { sees(alice, bob) && sees(bob, alice) }
    }

    func ask(message: String) async throws {
        try await wait(for: "network on both sides") { isOnline(alice) && isOnline(bob) }
        alice.transport.perform(.addFriend(bob.state.address, message: message))
        try await wait(for: "friend request") { bob.has(.friendRequest(alice.id, message: message)) }
    }

    func isOnline(_ peer: ContractPeer) -> Bool {
        let last = peer.ear.events.all.last { if case .selfReachability = $0 { true } else { false } }
        return last.map { $0 != .selfReachability(.offline) } ?? false
    }

    func sees(_ peer: ContractPeer, _ other: ContractPeer) -> Bool {
        let paths = peer.ear.events.all.compactMap { event -> Paths? in
            if case .paths(other.id, let paths) = event { paths } else { nil }
        }
        return paths.last.map { !$0.isEmpty } ?? false
    }
}
