// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueCore
import RevueDomain
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

/// Each error of friends and invitations, from the situation that causes it. Nothing has changed when one is thrown.
@MainActor struct FriendErrorTests {
    private static let (invalid, notRunning) = (Int32(-2), Int32(-4))

    @Test func `adding a friend says what is wrong with them`() async throws {
        let world = World()
        let (a, b) = try await world.makeFriends()
        let c = world.makePeer("carol")
        try c.start()
        let (address, longest) = (c.revue.revueAddress, String(repeating: "é", count: 460) + "x")
        let damaged = String(address.dropLast()) + (address.hasSuffix("2") ? "3" : "2")
        let cases: [(String, String, FriendAddError)] = [
            (b.revue.revueAddress, "again", .alreadyExists), (a.revue.revueAddress, "me", .failed(code: Self.invalid)),
            ("", "hi", .failed(code: Self.invalid)), (c.id, "hi", .failed(code: Self.invalid)),
            (damaged, "hi", .failed(code: Self.invalid)), (address, longest + "x", .failed(code: Self.invalid)),
        ]
        for (address, message, error) in cases {
            #expect(throws: error) { try a.revue.friends.addFriend(address: address, message: message) }
        }
        #expect(a.revue.friends.getFriendList() == [b.id])
        try a.revue.friends.addFriend(address: address, message: longest)
        try await world.scheduler.run { c.log.contains("request \(longest)") }
        for (id, error) in [
            (b.id, FriendAddError.alreadyExists), (a.id, .failed(code: Self.invalid)),
            ("x", .failed(code: Self.invalid)),
        ] {
            #expect(throws: error) { try a.revue.friends.addFriendNorequest(friendId: id) }
        }
    }

    @Test func `deleting a friend who is none says so`() async throws {
        let world = World()
        let (a, b) = try await world.makeFriends()
        for id in ["", "x", a.id] {
            #expect(throws: FriendDeleteError.notFound) { try a.revue.friends.deleteFriend(friendId: id) }
        }
        try a.revue.friends.deleteFriend(friendId: b.id)
        #expect(throws: FriendDeleteError.notFound) { try a.revue.friends.deleteFriend(friendId: b.id) }
        #expect(a.revue.friends.getFriendList().isEmpty)
    }

    @Test func `before initialize every call says that nothing runs`() throws {
        let friends = World().makePeer("alice").revue.friends
        #expect(throws: FriendAddError.failed(code: Self.notRunning)) { try friends.addFriend(address: "x") }
        #expect(throws: FriendAddError.failed(code: Self.notRunning)) { try friends.addFriendNorequest(friendId: "x") }
        #expect(throws: FriendDeleteError.failed(code: Self.notRunning)) { try friends.deleteFriend(friendId: "x") }
        #expect(throws: FriendCallError.notInitialized) { try friends.sendInvitation(friendId: "x") }
        #expect(throws: FriendCallError.notInitialized) { try friends.acceptInvitation(friendId: "x") }
        #expect(throws: FriendCallError.notInitialized) { try friends.rejectInvitation(friendId: "x") }
        #expect(throws: FriendCallError.notInitialized) { try friends.cancelInvitation(friendId: "x") }
        #expect(friends.getFriendList().isEmpty && friends.getFriendName(friendId: "x").isEmpty)
    }

    @Test func `an invitation says why it cannot be sent`() async throws {
        let world = World()
        let (a, b) = try await world.makeFriends()
        let friends = a.revue.friends
        let longest = String(repeating: "é", count: 128)
        #expect(throws: FriendCallError.invalidArgument) { try friends.sendInvitation(friendId: "x") }
        #expect(throws: FriendCallError.invalidArgument) { try friends.sendInvitation(friendId: a.id) }
        #expect(throws: FriendCallError.messageTooLong) {
            try friends.sendInvitation(friendId: b.id, message: longest + "x")
        }
        #expect(!a.log.contains("inviting"))
        try friends.sendInvitation(friendId: b.id, message: longest)
        #expect(throws: FriendCallError.alreadyInCall) { try friends.sendInvitation(friendId: b.id) }
        try await world.scheduler.run { b.log.contains("invited \(longest)") }
        try b.revue.friends.acceptInvitation(friendId: a.id)
        try await world.scheduler.run { a.isConnected(to: b) && b.isConnected(to: a) }
        #expect(throws: FriendCallError.alreadyInCall) { try friends.sendInvitation(friendId: b.id) }
        #expect(throws: FriendCallError.alreadyInCall) { try b.revue.friends.sendInvitation(friendId: a.id) }
        a.revue.room.disconnectAll()
        world.network.setPartitioned(true, between: "alice", and: "bob")
        try await world.scheduler.run { !friends.getFriendPaths(friendId: b.id).isOnline }
        #expect(throws: FriendCallError.friendNotReachable) { try friends.sendInvitation(friendId: b.id) }
    }

    @Test func `an invitation that is not there can be neither answered nor taken back`() async throws {
        let world = World()
        let (a, b) = try await world.makeFriends()
        for friends in [a.revue.friends, b.revue.friends] {
            for id in [a.id, b.id] where friends.isFriendExists(friendId: id) {
                #expect(throws: FriendCallError.invalidState) { try friends.acceptInvitation(friendId: id) }
                #expect(throws: FriendCallError.invalidState) { try friends.rejectInvitation(friendId: id) }
                #expect(throws: FriendCallError.invalidState) { try friends.cancelInvitation(friendId: id) }
            }
        }
        try a.revue.friends.sendInvitation(friendId: b.id)
        try await world.scheduler.run { b.log.contains("invited") }
        #expect(throws: FriendCallError.invalidState) { try a.revue.friends.acceptInvitation(friendId: b.id) }
        #expect(throws: FriendCallError.invalidState) { try b.revue.friends.cancelInvitation(friendId: a.id) }
        try b.revue.friends.rejectInvitation(friendId: a.id)
        #expect(throws: FriendCallError.invalidState) { try b.revue.friends.rejectInvitation(friendId: a.id) }
        #expect(b.log.count("invitation ended rejected") == 1)
    }

    @Test func `a friend who speaks none of our versions cannot be called`() async throws {
        let world = World()
        let a = world.makePeer("alice")
        try a.start()
        let stranger = try Stranger(world, "bob", speaking: 9)
        defer { stranger.stop() }
        try a.revue.friends.addFriend(address: stranger.address)
        try await world.scheduler.run { a.revue.friends.getFriendPaths(friendId: stranger.id).isOnline }
        try await world.scheduler.advance(by: .seconds(2))
        #expect(throws: FriendCallError.callFailed) { try a.revue.friends.sendInvitation(friendId: stranger.id) }
        #expect(!a.log.contains("inviting"))
    }
}

/// A friend on the bare transport, whose control link speaks a version of its own.
private final class Stranger: TransportDelegate {
    private let transport: InMemoryTransport
    private let link: Locked<ControlLink>
    private let scheduler: any Scheduler
    let address: String
    let id: String

    @MainActor init(_ world: World, _ name: String, speaking version: UInt8) throws {
        let relay = Relay()
        transport = world.network.makeTransport(name)
        scheduler = world.scheduler
        let hello = Hello(lowestVersion: version, highestVersion: version, capabilities: [])
        link = Locked(ControlLink(nonce: 77, hello: hello))
        let state = try transport.start(TransportConfiguration(nodes: []), savedata: nil, delegate: relay)
        (address, id) = (state.address.base58, state.address.peer.base58)
        relay.stranger.withLock { $0 = self }
    }

    /// The transport holds its delegate until then.
    func stop() { transport.stop() }

    func transport(didReport event: TransportEvent) {
        let now = scheduler.now
        switch event {
        case .friendRequest(let peer, _): transport.perform(.acceptFriend(peer))
        case .paths(let peer, let paths) where !paths.isEmpty:
            perform(link.withLock { $0.connect(at: now) }, peer)
        default: break
        }
    }

    func transport(didReceive datagram: UnsafeRawBufferPointer, from peer: PeerID) {
        let (bytes, now) = (Array(datagram), scheduler.now)
        perform(link.withLock { $0.receive(bytes, at: now) }, peer)
    }

    func transportDidChangeSavedata() {}

    private func perform(_ actions: [ControlLink.Action], _ peer: PeerID) {
        for case .send(let bytes) in actions { bytes.withUnsafeBytes { _ = transport.send($0, to: peer) } }
    }

    /// Stands in for the stranger until it is made.
    private final class Relay: TransportDelegate {
        let stranger = Locked<Stranger?>(nil)
        func transport(didReport event: TransportEvent) {
            stranger.withLock { $0 }?.transport(didReport: event)
        }
        func transport(didReceive datagram: UnsafeRawBufferPointer, from peer: PeerID) {
            stranger.withLock { $0 }?.transport(didReceive: datagram, from: peer)
        }
        func transportDidChangeSavedata() {}
    }
}
