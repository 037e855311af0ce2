// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevueTime
import Testing

@MainActor struct RoomOutputTests {
    @Test func `the room's output is what friends say, at the volume of their tracks, and can be sent on`() async throws
    {
        let world = World()
        let (a, b) = try await world.makeCall()
        #expect(world.makePeer("nobody").revue.room.roomOutputTrack == nil)
        let local = try #require(a.local)
        local.setMicrophone(enabled: true)
        _ = try await world.scheduler.drive { try await local.publishMicrophone(to: #require(a.remote(b))) }
        let track = try #require(b.remote(a)?.firstAudioTrack as? RemoteAudioTrack)
        let output = try #require(b.revue.room.roomOutputTrack)
        #expect(output === b.revue.room.roomOutputTrack)
        let probe = SoundProbe()
        output.add(audioRenderer: probe)
        b.revue.room.isSpeakerMuted = true
        try await world.scheduler.advance(by: .seconds(2))
        #expect((95...101).contains(probe.frames) && probe.silentFrames < 5)
        track.volume = 0
        try await world.scheduler.advance(by: .milliseconds(100))
        probe.forget()
        try await world.scheduler.advance(by: .seconds(1))
        #expect(probe.frames >= 49 && probe.silentFrames == probe.frames)
        track.volume = 1
        output.remove(audioRenderer: probe)
        // A host sends everyone the mix: here its only guest hears itself.
        _ = try await world.scheduler.drive {
            try await b.local?.publish(audioTrack: output, to: #require(b.remote(a)))
        }
        let echo = SoundProbe()
        a.remote(b)?.firstAudioTrack?.add(audioRenderer: echo)
        try await world.scheduler.advance(by: .seconds(1))
        #expect(echo.frames >= 40 && echo.silentFrames < 10)
        _ = try await world.scheduler.drive { await b.revue.destroy() }
        #expect(b.revue.room.roomOutputTrack == nil)
    }
}
