// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevueTime
import Testing

/// What of the pictures that one side sends the other sees, on a lossy path of 60 ms there and back.
@MainActor struct RecoveryTests {
    struct Seen {
        var share: Double
        var longestGap: Interval
    }

    private static func watch(_ codec: VideoCodec, lossPercent: Double, seed: UInt64) async throws -> Seen {
        let conditions = LinkConditions(
            delay: .milliseconds(30), jitter: .milliseconds(3), lossPercent: lossPercent, reorderingPercent: 1,
            duplicationPercent: 1)
        let world = World(seed: seed, conditions: conditions)
        let (a, b) = try await world.makeCall()
        let local = try #require(a.local)
        local.setCamera(enabled: true)
        let recipient = try #require(a.remote(b))
        _ = try await world.scheduler.drive {
            try await local.publishCamera(to: recipient, options: VideoPublishOptions(codec: codec))
        }
        let probe = PictureProbe(world.scheduler)
        b.remote(a)?.firstCameraVideoTrack?.add(videoRenderer: probe)
        try await world.scheduler.advance(by: .seconds(20))
        let times = probe.times
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        _ = try await world.scheduler.drive { await a.revue.destroy() }
        _ = try await world.scheduler.drive { await b.revue.destroy() }
        return Seen(share: Double(times.count) / 300, longestGap: gaps.max() ?? .seconds(20))
    }

    @Test(
        arguments: [VideoCodec.vp8AllKeyframe, .vp8LowLatency], [(0.0, 1.0), (5, 0.97), (20, 0.88)])
    func `pictures of 22 packets arrive at this loss, and none stands for long`(
        codec: VideoCodec, loss: (percent: Double, share: Double)
    ) async throws {
        let seen = try await Self.watch(codec, lossPercent: loss.percent, seed: 1)
        #expect(seen.share >= loss.share)
        #expect(seen.longestGap < .milliseconds(450))
    }
}
