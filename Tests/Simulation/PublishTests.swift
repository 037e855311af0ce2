// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

@MainActor struct PublishTests {
    @Test func `a second video to the same friend is refused, and the first stays`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        let first = try await world.scheduler.drive { try await local.publishCamera(to: bob) }
        let error = await #expect(throws: RoomError.self) {
            try await world.scheduler.drive { try await local.publishCamera(to: bob) }
        }
        #expect(error == .videoPublicationAlreadyExists(friendId: b.id))
        #expect(local.localVideoTracks.map(\.sid) == [first.sid])
    }

    @Test func `publishes of one slot at once give one publication and typed errors`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        let results = try await world.scheduler.drive { () -> [Bool] in
            let tasks = (0..<5).map { _ in
                Task { @MainActor in
                    do {
                        _ = try await local.publishCamera(to: bob)
                        return true
                    } catch RoomError.videoPublicationAlreadyExists {
                        return false
                    }
                }
            }
            var results: [Bool] = []
            for task in tasks { results.append(try await task.value) }
            return results
        }
        #expect(results.filter { $0 }.count == 1)
        #expect(local.localVideoTracks.count == 1)
        #expect(b.log.count("subscribed") == 1)
    }

    @Test func `replacing a track gives unsubscribe, then subscribe, with the new name`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        let (music, voice) = (
            LocalAudioTrack.createBufferTrack(name: "bgm"), LocalAudioTrack.createBufferTrack(name: "tts")
        )
        let first = try await world.scheduler.drive { try await local.publish(audioTrack: music, to: bob) }
        local.unpublish(publication: first)
        _ = try await world.scheduler.drive { try await local.publish(audioTrack: voice, to: bob) }
        try await world.scheduler.advance(by: .seconds(1))
        #expect(b.log.texts.suffix(3) == ["subscribed bgm", "unsubscribed bgm", "subscribed tts"])
        #expect(b.remote(a)?.firstAudioTrack?.name == "tts")
    }

    @Test func `the type of a friend's video is nil until the first frame`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        let sent = try await world.scheduler.drive { try await local.publishCamera(to: bob) }
        try await world.scheduler.advance(by: .seconds(1))
        let received = try #require(b.remote(a)?.videoTracks.first)
        #expect(sent.mimeType == "video/VP8" && received.mimeType == nil)
        #expect(received.isSubscribed && received.track != nil && received.dimensions == nil)
        local.setCamera(enabled: true)
        try await world.scheduler.advance(by: .seconds(1))
        #expect(received.mimeType == "video/VP8")
        #expect(received.dimensions == CMVideoDimensions(width: 160, height: 90))
        #expect(sent.dimensions == CMVideoDimensions(width: 160, height: 90))
    }

    @Test func `what is switched off is not decoded, and comes back with a keyframe`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        local.setCamera(enabled: true)
        let options = VideoPublishOptions(codec: .vp8LowLatency)
        _ = try await world.scheduler.drive { try await local.publishCamera(to: bob, options: options) }
        let received = try #require(b.remote(a)?.videoTracks.first as? RemoteTrackPublication)
        let probe = PictureProbe(world.scheduler)
        (received.track as? VideoTrack)?.add(videoRenderer: probe)
        try await world.scheduler.advance(by: .seconds(2))
        received.set(enabled: false)
        let off = world.scheduler.now
        try await world.scheduler.advance(by: .seconds(2))
        #expect(probe.count(since: off) == 0 && !received.isEnabled && !received.isMuted)
        received.set(enabled: true)
        let on = world.scheduler.now
        try await world.scheduler.advance(by: .seconds(2))
        #expect(probe.count(since: on) >= 20)
    }

    @Test func `settings out of range are refused by name, and nothing changes`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        let publication = try await world.scheduler.drive { try await local.publishCamera(to: bob) }
        #expect(throws: RoomError.self) { try publication.setMaxFps(0) }
        #expect(throws: RoomError.self) { try publication.setVp8Encoding(Vp8Encoding(maxBitrate: 0)) }
        #expect(throws: RoomError.codecNotSupported(codec: "h264")) { try publication.setH264Encoding(H264Encoding()) }
        #expect(publication.videoPublishOptions == VideoPublishOptions())
        try publication.setMaxFps(30)
        #expect(publication.videoPublishOptions?.maxFps == 30)
        local.unpublish(publication: publication)
        #expect(throws: RoomError.trackNotPublished) { try publication.setMaxFps(20) }
        await #expect(throws: RoomError.trackNotPublished) { try await publication.mute() }
    }

    @Test func `a publish during a hang-up ends as disconnected, and leaves nothing behind`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        world.network.setPartitioned(true, between: "alice", and: "bob")
        let outcome = Task { @MainActor in
            do {
                _ = try await local.publishCamera(to: bob)
                return nil as RoomError?
            } catch { return error as? RoomError }
        }
        try await world.scheduler.advance(by: .seconds(1))
        bob.disconnect()
        try await world.scheduler.advance(by: .seconds(1))
        #expect(await outcome.value == .disconnected)
        #expect(local.localVideoTracks.isEmpty && a.log.count("published") == 0)
    }

    @Test func `one encode serves every recipient with the same settings`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
        let track = LocalVideoTrack.createBufferTrack(name: "canvas", source: .camera)
        let publication = try await world.scheduler.drive { try await local.publish(videoTrack: track, to: bob) }
        #expect(publication.source == .camera && publication.name == "canvas")
        #expect(b.remote(a)?.firstCameraVideoTrack?.name == "canvas")
        let capturer = try #require(track.capturer as? BufferCapturer)
        let probe = PictureProbe(world.scheduler)
        b.remote(a)?.firstCameraVideoTrack?.add(videoRenderer: probe)
        let picture = try #require(PixelBuffer(width: 64, height: 48, format: .i420))
        picture.withPlanes { planes in for index in planes.indices { planes[index].bytes.update(repeating: 100) } }
        capturer.capture(picture)
        try await world.scheduler.advance(by: .milliseconds(100))
        #expect(probe.count == 0)
        _ = try await world.scheduler.drive { try await capturer.startCapture() }
        capturer.capture(picture, timeStampNs: 0, rotation: ._90)
        try await world.scheduler.advance(by: .milliseconds(100))
        let size = try #require(probe.lastSize)
        #expect(size.width == 48 && size.height == 64)
    }
}
