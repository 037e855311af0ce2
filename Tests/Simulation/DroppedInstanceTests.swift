// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevueTime
import Testing

@MainActor struct DroppedInstanceTests {
    @Test func `an instance that is let go of in the middle of a call leaves no track behind`() async throws {
        weak var video: VideoTrack?
        weak var audio: Track?
        do {
            let world = World()
            let (a, b) = try await world.makeCall()
            let (local, bob) = (try #require(a.local), try #require(a.remote(b)))
            local.setCamera(enabled: true)
            local.setMicrophone(enabled: true)
            _ = try await world.scheduler.drive { try await local.publishCamera(to: bob) }
            _ = try await world.scheduler.drive { try await local.publishMicrophone(to: bob) }
            try await world.scheduler.advance(by: .seconds(1))
            video = b.remote(a)?.firstCameraVideoTrack
            audio = b.remote(a)?.firstAudioTrack
            #expect(video != nil && audio != nil)
        }
        #expect(video == nil && audio == nil)
    }
}
