// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevueTime
import Testing

@MainActor struct StatisticsTests {
    private struct Setup {
        var world: World
        var a: Peer
        var b: Peer
        var video: LocalTrackPublication
        var audio: LocalTrackPublication
    }

    private func makeSetup(_ conditions: LinkConditions = .clean) async throws -> Setup {
        let world = World(conditions: conditions)
        let (a, b) = try await world.makeCall()
        let local = try #require(a.local)
        local.setCamera(enabled: true)
        local.setMicrophone(enabled: true)
        let recipient = try #require(a.remote(b))
        let options = VideoPublishOptions(codec: .vp8(Vp8Encoding(maxBitrate: 150_000)))
        let video = try await world.scheduler.drive {
            try await local.publishCamera(to: recipient, options: options)
        }
        let audio = try await world.scheduler.drive { try await local.publishMicrophone(to: recipient) }
        return Setup(world: world, a: a, b: b, video: video, audio: audio)
    }

    @Test func `nothing is measured until reporting is on, nor after it is off`() async throws {
        let setup = try await makeSetup()
        try await setup.world.scheduler.advance(by: .seconds(3))
        #expect(setup.video.statistics == nil && setup.a.log.count("statistics") == 0)
        setup.a.revue.room.reportStatistics = true
        try await setup.world.scheduler.advance(by: .seconds(3))
        #expect(setup.video.statistics != nil)
        setup.a.revue.room.reportStatistics = false
        let events = setup.a.log.count("statistics")
        try await setup.world.scheduler.advance(by: .seconds(3))
        #expect(setup.a.log.count("statistics") == events)
    }

    @Test func `each bucket is filled where the table says so, and nil elsewhere`() async throws {
        let setup = try await makeSetup()
        setup.a.revue.room.reportStatistics = true
        setup.b.revue.room.reportStatistics = true
        try await setup.world.scheduler.advance(by: .seconds(5))
        let track = try #require(setup.a.local?.cameraTrack.statistics)
        #expect(track.videoSource?.width == 160 && track.videoSource?.height == 90)
        #expect(abs((track.videoSource?.fps ?? 0) - 30) < 1)
        #expect(track.outboundRtp == nil && track.inboundRtp == nil && track.iceCandidatePair == nil)
        let sent = try #require(setup.video.statistics)
        #expect(sent.outboundRtp?.width == 160 && abs((sent.outboundRtp?.fps ?? 0) - 15) < 1)
        #expect(sent.outboundRtp?.audioFrameRate == nil && sent.codec?.mimeType == "video/VP8")
        #expect(sent.videoSource == nil && sent.inboundRtp == nil && sent.iceCandidatePair == nil)
        let audio = try #require(setup.audio.statistics)
        #expect(abs((audio.outboundRtp?.audioFrameRate ?? 0) - 50) < 1.5 && audio.outboundRtp?.fps == nil)
        let remote = try #require(setup.b.remote(setup.a))
        let received = try #require(remote.firstCameraVideoTrack?.statistics)
        #expect(abs((received.inboundRtp?.fps ?? 0) - 15) < 1 && received.inboundRtp?.audioLevel == nil)
        #expect(received.inboundRtp?.freezeCount == 0 && received.outboundRtp == nil)
        let heard = try #require(remote.firstAudioTrack?.statistics)
        #expect(heard.inboundRtp?.fps == nil && (heard.inboundRtp?.audioLevel ?? 0) > 0.1 && heard.codec == nil)
        #expect(heard.iceCandidatePair == received.iceCandidatePair)
        let pair = try #require(received.iceCandidatePair)
        #expect(pair.isReliable && pair.connectionType == 3 && pair.rttMs == 2)
        #expect(pair.bytesReceived > 50_000 && pair.packetsReceived > 300)
    }

    @Test func `while muted frames are received but not rendered, and no freeze is counted`() async throws {
        let setup = try await makeSetup()
        setup.b.revue.room.reportStatistics = true
        try await setup.world.scheduler.advance(by: .seconds(3))
        _ = try await setup.world.scheduler.drive { try await setup.video.mute() }
        try await setup.world.scheduler.advance(by: .seconds(2))
        let track = try #require(setup.b.remote(setup.a)?.firstCameraVideoTrack)
        let before = try #require(track.statistics?.inboundRtp)
        try await setup.world.scheduler.advance(by: .seconds(4))
        let after = try #require(track.statistics?.inboundRtp)
        #expect(after.framesReceived > before.framesReceived)
        #expect(after.framesRendered == before.framesRendered)
        _ = try await setup.world.scheduler.drive { try await setup.video.unmute() }
        try await setup.world.scheduler.advance(by: .seconds(3))
        #expect(track.statistics?.inboundRtp?.freezeCount == 0)
    }

    @Test func `a bad connection is rated lower, once a change, and a good one excellent`() async throws {
        let setup = try await makeSetup()
        try await setup.world.scheduler.advance(by: .seconds(4))
        #expect(setup.b.remote(setup.a)?.connectionQuality == .excellent)
        #expect(setup.b.log.count("quality") == 1)
        setup.world.network.setConditions(
            LinkConditions(delay: .milliseconds(200), lossPercent: 10), between: "alice", and: "bob")
        try await setup.world.scheduler.advance(by: .seconds(6))
        let quality = try #require(setup.b.remote(setup.a)?.connectionQuality)
        #expect([.poor, .bad, .fair].contains(quality))
        #expect(setup.b.log.count("quality") <= 6)
    }
}
