// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevueTime
import Testing

@MainActor struct SpeakingTests {
    @Test func `who is heard speaks on both sides, and a mute ends it at once`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let local = try #require(a.local)
        local.setMicrophone(enabled: true)
        let recipient = try #require(a.remote(b))
        _ = try await world.scheduler.drive { try await local.publishMicrophone(to: recipient) }
        try await world.scheduler.advance(by: .seconds(2))
        let remote = try #require(b.remote(a))
        #expect(local.isSpeaking && local.audioLevel > 0 && local.lastSpokeAt != nil)
        #expect(remote.isSpeaking && remote.audioLevel > 0)
        #expect(b.revue.room.activeSpeakers.map(\.identity) == [a.id])
        #expect(b.log.count("speakers 1") >= 1)
        _ = try await world.scheduler.drive { try await local.microphoneTrack.mute() }
        #expect(!local.isSpeaking && local.audioLevel == 0)
        try await world.scheduler.advance(by: .milliseconds(100))
        #expect(!remote.isSpeaking && b.revue.room.activeSpeakers.isEmpty)
        #expect(b.log.texts.last { $0.hasPrefix("speakers") } == "speakers 0")
    }

    @Test func `nobody speaks any more once they have left`() async throws {
        let world = World()
        let (a, b) = try await world.makeCall()
        let local = try #require(a.local)
        local.setMicrophone(enabled: true)
        let recipient = try #require(a.remote(b))
        _ = try await world.scheduler.drive { try await local.publishMicrophone(to: recipient) }
        try await world.scheduler.advance(by: .seconds(2))
        a.revue.room.disconnectAll()
        try await world.scheduler.advance(by: .seconds(1))
        #expect(b.revue.room.activeSpeakers.isEmpty)
    }
}
