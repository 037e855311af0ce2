// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

/// Each error of the room, from the situation that causes it. The slot is free afterwards, and no event has fired.
@MainActor struct RoomErrorTests {
    private func publish(
        _ world: World, _ body: @escaping @MainActor () async throws -> Void
    ) async throws -> RoomError? {
        try await world.scheduler.drive { () -> RoomError? in
            do {
                try await body()
                return nil
            } catch { return error as? RoomError }
        }
    }

    @Test func `a second audio to the same friend is refused, and the first stays`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        let first = try await world.scheduler.drive { try await local.publishMicrophone(to: bob) }
        let music = LocalAudioTrack.createBufferTrack(name: "music")
        let error = try await publish(world) { _ = try await local.publish(audioTrack: music, to: bob) }
        #expect(error == .audioPublicationAlreadyExists(friendId: b.id))
        #expect(local.localAudioTracks.map(\.sid) == [first.sid] && a.log.count("published") == 1)
        _ = try await world.scheduler.drive { try await local.publishCamera(to: bob) }
    }

    @Test func `a track belongs to the instance that first published it`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let track = LocalVideoTrack.createBufferTrack()
        let (bob, alice) = (try #require(a.remote(b)), try #require(b.remote(a)))
        let (mine, theirs) = (try #require(a.local), try #require(b.local))
        _ = try await world.scheduler.drive { try await mine.publish(videoTrack: track, to: bob) }
        let error = try await publish(world) { _ = try await theirs.publish(videoTrack: track, to: alice) }
        #expect(error == .trackAlreadyPublished && b.log.count("published") == 0)
        #expect(theirs.localVideoTracks.isEmpty)
    }

    @Test func `options out of range are refused before anything happens`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        for (options, name) in [
            (VideoPublishOptions(maxFps: 61), "maxFps"),
            (VideoPublishOptions(codec: .vp8(Vp8Encoding(maxBitrate: 0))), "maxBitrate"),
        ] {
            let error = try await publish(world) { try await local.publishCamera(to: bob, options: options) }
            guard case .invalidParameter(name, _)? = error else {
                Issue.record("\(String(describing: error)) is not about \(name)")
                continue
            }
        }
        let audio = AudioPublishOptions(encoding: AudioEncoding(maxBitrate: 5_999))
        let error = try await publish(world) { try await local.publishMicrophone(to: bob, options: audio) }
        guard case .invalidParameter("maxBitrate", _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(local.trackPublications.isEmpty && a.log.count("published") == 0)
    }

    @Test func `a codec that no adapter has is refused by name`() async throws {
        let world = World()
        let (a, b) = (world.makePeer("alice") { $0.videoCodecs = [] }, world.makePeer("bob"))
        try a.start()
        try b.start()
        try await world.befriend(a, b)
        try await world.call(a, b)
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        for (options, name) in [(VideoPublishOptions(), "vp8"), (VideoPublishOptions(codec: .h264Default), "h264")] {
            let error = try await publish(world) { try await local.publishCamera(to: bob, options: options) }
            #expect(error == .codecNotSupported(codec: name))
        }
    }

    @Test func `a recipient who does not answer for ten seconds, on a path that works, ends it as timed out`()
        async throws
    {
        let world = World()
        let main = SlowMain(world.scheduler)
        let (a, b) = (world.makePeer("alice"), world.makePeer("bob", scheduler: main))
        try a.start()
        try b.start()
        try await world.befriend(a, b)
        try await world.call(a, b)
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        // So much waits for bob's main thread that he takes nothing more of alice.
        main.hold()
        for number in 0..<256 {
            Task { @MainActor in try await local.publish(message: "\(number)", to: bob, timeout: 30) }
        }
        try await world.scheduler.advance(by: .seconds(5))
        let begin = world.scheduler.now
        let error = try await publish(world) { try await local.publishCamera(to: bob) }
        #expect(error == .timedOut && abs((world.scheduler.now - begin).seconds - 10) < 0.1)
        #expect(!bob.paths.isEmpty && local.localVideoTracks.isEmpty && a.log.count("published") == 0)
        main.release()
        try await world.scheduler.advance(by: .seconds(1))
        #expect(b.log.count("subscribed") == b.log.count("unsubscribed"))
        _ = try await world.scheduler.drive { try await local.publishCamera(to: bob) }
        #expect(b.remote(a)?.firstCameraVideoTrack != nil)
    }

    @Test func `a publish whose task is cancelled leaves the slot free`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        world.network.setPartitioned(true, between: "alice", and: "bob")
        let kept = Task { @MainActor in try await local.publishCamera(to: bob) }
        let direct = Task { @MainActor in try await local.publishMicrophone(to: bob) }
        await Task.yield()
        direct.cancel()
        await #expect(throws: RoomError.cancelled) { try await direct.value }
        world.network.setPartitioned(false, between: "alice", and: "bob")
        _ = try await world.scheduler.drive { try await kept.value }
        _ = try await world.scheduler.drive { try await local.publishMicrophone(to: bob) }
        #expect(b.log.texts.filter { $0.hasPrefix("subscribed") } == ["subscribed camera", "subscribed microphone"])
    }

    @Test func `destroy ends a publish that waits as cancelled, and then nothing runs`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        world.network.setPartitioned(true, between: "alice", and: "bob")
        let attempt = Task { @MainActor in try await local.publishCamera(to: bob) }
        try await world.scheduler.advance(by: .milliseconds(100))
        _ = try await world.scheduler.drive { await a.revue.destroy() }
        await #expect(throws: RoomError.cancelled) { try await attempt.value }
        let track = LocalVideoTrack.createBufferTrack()
        let error = try await publish(world) { _ = try await local.publish(videoTrack: track, to: bob) }
        #expect(error == .notInitialized)
    }

    @Test func `what waits for a peer is bounded: a publish beyond that is refused`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        world.network.setPartitioned(true, between: "alice", and: "bob")
        try await world.scheduler.run { bob.paths.isEmpty }
        var refused: RoomError?
        for _ in 0..<300 where refused == nil {
            let attempt = Task { @MainActor in try await local.publishCamera(to: bob) }
            await Task.yield()
            attempt.cancel()
            do { _ = try await attempt.value } catch {
                if error as? RoomError != .cancelled { refused = error as? RoomError }
            }
        }
        guard case .dataPublishFailed? = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(local.localVideoTracks.isEmpty && a.log.count("published") == 0)
    }

    @Test func `sources that are no switch of the participant are refused`() async throws {
        let world = World()
        let (a, _) = try await world.makeCall()
        let local = try #require(a.local)
        await #expect(throws: RoomMessageError.unsupportedSource(.unknown)) {
            try await local.set(source: .unknown, enabled: true)
        }
        #expect(try await local.set(source: .camera, enabled: true).isEmpty && local.isCameraActive)
        #expect(try await local.set(source: .microphone, enabled: false).isEmpty && local.microphoneTrack.isMuted)
    }
}
