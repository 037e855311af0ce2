// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

@MainActor struct CallTests {
    @Test func `two friends connect, see and hear each other, and hang up`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let local = try #require(a.local)
        let bob = try #require(a.remote(b))
        local.setCamera(enabled: true)
        local.setMicrophone(enabled: true)
        _ = try await world.scheduler.drive { try await local.publishCamera(to: bob) }
        _ = try await world.scheduler.drive { try await local.publishMicrophone(to: bob) }
        let alice = try #require(b.remote(a))
        let video = try #require(alice.firstCameraVideoTrack)
        let audio = try #require(alice.firstAudioTrack)
        let pictures = PictureProbe(world.scheduler)
        let sounds = SoundProbe()
        video.add(videoRenderer: pictures)
        audio.add(audioRenderer: sounds)
        try await world.scheduler.advance(by: .seconds(5))
        #expect(pictures.count >= 70)
        #expect(sounds.frames >= 240)
        a.revue.room.disconnectAll()
        try await world.scheduler.run { !b.isConnected(to: a) }
        #expect(b.log.contains("disconnected leave"))
    }
}
