// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

@MainActor struct LifecycleTests {
    private func license(notBefore: Int64 = 0, notAfter: Int64 = .max) -> Data {
        Data(FakeLicenseVerifier.issue(License(holder: "test", notBefore: notBefore, notAfter: notAfter)))
    }

    @Test func `without a valid licence nothing starts, and the error says why`() throws {
        let world = World()
        let peer = world.makePeer("alice")
        let cases: [(Data?, RevueInitError)] = [
            (nil, .licenseMissing), (Data(), .licenseMissing), (Data("no licence".utf8), .licenseMalformed),
            (license(notAfter: 1), .licenseExpired),
        ]
        for (data, error) in cases {
            #expect(throws: error) {
                try peer.revue.initialize(Revue.Configuration(bootstrapNodes: [], licenseData: data))
            }
            #expect(peer.revue.room.localParticipant == nil && peer.id.isEmpty)
        }
        try peer.start()
        #expect(peer.revue.room.localParticipant != nil)
    }

    @Test func `a clock turned back does not revive an expired licence`() async throws {
        let world = World()
        let peer = world.makePeer("alice")
        let now = world.scheduler.wallClockNanoseconds / 1_000_000_000
        let valid = Revue.Configuration(bootstrapNodes: [], licenseData: license(notAfter: now + 100))
        world.scheduler.shiftWallClock(by: .seconds(50))
        try peer.revue.initialize(valid)
        _ = try await world.scheduler.drive { await peer.revue.destroy() }
        world.scheduler.shiftWallClock(by: .seconds(60))
        #expect(throws: RevueInitError.licenseExpired) { try peer.revue.initialize(valid) }
        world.scheduler.shiftWallClock(by: .seconds(-100))
        try peer.revue.initialize(valid)
    }

    @Test func `a second initialize leaves the running instance as it is`() throws {
        let world = World()
        let peer = world.makePeer("alice")
        try peer.start()
        let id = peer.id
        #expect(throws: RevueInitError.waitingForDestroy) { try peer.start() }
        #expect(peer.id == id)
    }

    @Test func `destroy delivers the ends of calls, then removes all delegates`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        _ = try await world.scheduler.drive { await a.revue.destroy() }
        #expect(a.log.count("disconnected leave") == 1)
        #expect(a.revue.room.localParticipant == nil && a.id.isEmpty && a.revue.room.remoteParticipants.isEmpty)
        try await world.scheduler.run { b.log.contains("disconnected leave") }
        let events = a.log.entries.count
        let again = world.makePeer("alice")
        try again.start()
        try await world.scheduler.advance(by: .seconds(2))
        #expect(a.log.entries.count == events)
    }

    @Test func `identity and friends outlive destroy, and deleteSavedata ends them`() async throws {
        let world = World()
        let (a, b) = try await world.makeFriends()
        let id = a.id
        _ = try await world.scheduler.drive { await a.revue.destroy() }
        let again = world.makePeer("alice")
        try again.start()
        #expect(again.id == id && again.revue.friends.getFriendList() == [b.id])
        _ = try await world.scheduler.drive { await again.revue.destroy(.deleteAllData) }
        let fresh = world.makePeer("alice")
        try fresh.start()
        #expect(fresh.id != id && fresh.revue.friends.getFriendList().isEmpty)
    }

    @Test func `two calls of destroy at once share one run`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        _ = try await world.scheduler.drive {
            async let first: Void = a.revue.destroy()
            async let second: Void = a.revue.destroy(.deleteAllData)
            _ = await (first, second)
        }
        #expect(a.log.count("disconnected") == 1)
        try await world.scheduler.run { !b.isConnected(to: a) }
        try a.start()
    }

    @Test func `after destroy nothing of the instance stays in memory`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let boxes = try await publishEverything(world, from: a, to: b)
        _ = try await world.scheduler.drive { await a.revue.destroy() }
        _ = try await world.scheduler.drive { await b.revue.destroy() }
        try await world.scheduler.advance(by: .seconds(2))
        for box in boxes { #expect(box.object == nil, "\(box.name) is still there") }
    }

    /// In a function of its own, so that none of its variables keeps what it made.
    private func publishEverything(_ world: World, from a: Peer, to b: Peer) async throws -> [WeakBox] {
        let local = try #require(a.local)
        local.setCamera(enabled: true)
        local.setMicrophone(enabled: true)
        let recipient = try #require(a.remote(b))
        let camera = try await world.scheduler.drive { try await local.publishCamera(to: recipient) }
        let microphone = try await world.scheduler.drive { try await local.publishMicrophone(to: recipient) }
        try await world.scheduler.advance(by: .seconds(1))
        let received = try #require(b.remote(a)?.firstCameraVideoTrack)
        let objects: [AnyObject] = [local, local.cameraTrack, recipient, camera, microphone, received]
        return objects.map(WeakBox.init)
    }
}

/// Sees whether an object is still alive.
final class WeakBox {
    private(set) weak var object: AnyObject?
    let name: String

    init(_ object: AnyObject) {
        self.object = object
        name = "\(type(of: object))"
    }
}
