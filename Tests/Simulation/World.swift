// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueCore
import RevueDomain
import RevueInMemory
import RevuePorts
import RevueTime

/// Whole instances in one simulated network, in virtual time: no thread, no clock, the same for the same seed.
@MainActor final class World {
    let scheduler: VirtualScheduler
    let network: SimulatedNetwork
    private var stores: [String: InMemoryIdentityStore] = [:]

    init(seed: UInt64 = 1, conditions: LinkConditions = .clean) {
        scheduler = VirtualScheduler(seed: seed)
        network = SimulatedNetwork(scheduler: scheduler, seed: seed, conditions: conditions)
    }

    /// What is queued holds the scheduler, and the scheduler what is queued.
    deinit { scheduler.discardAll() }

    /// An instance that is not initialized yet, with fakes for everything and an identity store that outlives it.
    ///
    /// - Parameters:
    ///   - scheduler: another one than the world's, on its clock.
    ///   - adapt: replaces what must be different.
    func makePeer(
        _ name: String, scheduler: (any Scheduler)? = nil, adapt: (inout Adapters) -> Void = { _ in }
    ) -> Peer {
        let store = stores[name] ?? InMemoryIdentityStore()
        stores[name] = store
        return Peer(name: name, world: self, store: store, scheduler: scheduler, adapt: adapt)
    }

    /// Two peers who are friends and see each other.
    func makeFriends(_ first: String = "alice", _ second: String = "bob") async throws -> (Peer, Peer) {
        let (a, b) = (makePeer(first), makePeer(second))
        try a.start()
        try b.start()
        try await befriend(a, b)
        return (a, b)
    }

    /// Makes friends of two peers that run.
    func befriend(_ a: Peer, _ b: Peer) async throws {
        try a.revue.friends.addFriend(address: b.revue.revueAddress, message: "hello")
        try await scheduler.run { b.log.contains("request") }
        try b.revue.friends.addFriendNorequest(friendId: a.id)
        try await scheduler.run {
            a.revue.friends.getFriendPaths(friendId: b.id).isOnline
                && b.revue.friends.getFriendPaths(friendId: a.id).isOnline
        }
    }

    /// Two peers in a call.
    func makeCall() async throws -> (Peer, Peer) {
        let (a, b) = try await makeFriends()
        try await call(a, b)
        return (a, b)
    }

    /// Brings two friends into a call.
    func call(_ a: Peer, _ b: Peer) async throws {
        try a.revue.friends.sendInvitation(friendId: b.id, message: "video")
        try await scheduler.run { b.log.contains("invited") }
        try b.revue.friends.acceptInvitation(friendId: a.id)
        try await scheduler.run { a.isConnected(to: b) && b.isConnected(to: a) }
    }
}
