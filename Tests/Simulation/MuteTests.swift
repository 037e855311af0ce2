// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

/// What each recipient really receives, decoded, for the levels of mute. The whole truth table is the domain's test.
@MainActor struct MuteTests {
    private struct Recipient {
        var peer: Peer
        var publication: LocalTrackPublication
        var probe: PictureProbe
        var track: VideoTrack
    }

    private struct Setup {
        var world: World
        var sender: Peer
        var local: LocalParticipant
        var recipients: [Recipient]

        /// Pictures of the camera that each recipient gets in a second and a half.
        @MainActor func pictures() async throws -> [Int] {
            let start = world.scheduler.now
            try await world.scheduler.advance(by: .milliseconds(1_500))
            return recipients.map { $0.probe.count(since: start) }
        }
    }

    private func makeSetup() async throws -> Setup {
        let world = World()
        let (a, b) = try await world.makeCall()
        let c = world.makePeer("carol")
        try c.start()
        try a.revue.friends.addFriend(address: c.revue.revueAddress)
        try await world.scheduler.run { c.log.contains("request") }
        try c.revue.friends.addFriendNorequest(friendId: a.id)
        try await world.scheduler.run { a.revue.friends.getFriendPaths(friendId: c.id).isOnline }
        try a.revue.friends.sendInvitation(friendId: c.id)
        try await world.scheduler.run { c.log.contains("invited") }
        try c.revue.friends.acceptInvitation(friendId: a.id)
        try await world.scheduler.run { a.isConnected(to: c) && c.isConnected(to: a) }
        let local = try #require(a.local)
        var recipients: [Recipient] = []
        for peer in [b, c] {
            let participant = try #require(a.remote(peer))
            let publication = try await world.scheduler.drive { try await local.publishCamera(to: participant) }
            let track = try #require(peer.remote(a)?.firstCameraVideoTrack)
            let probe = PictureProbe(world.scheduler)
            track.add(videoRenderer: probe)
            recipients.append(Recipient(peer: peer, publication: publication, probe: probe, track: track))
        }
        return Setup(world: world, sender: a, local: local, recipients: recipients)
    }

    @Test func `a camera that never ran is declared unmuted, and nothing is sent`() async throws {
        let setup = try await makeSetup()
        #expect(try await setup.pictures() == [0, 0])
        #expect(setup.recipients.allSatisfy { !$0.track.isMuted })
    }

    @Test func `a camera switched off shows everyone the placeholder, and changes no isMuted here`() async throws {
        let setup = try await makeSetup()
        setup.local.setCamera(enabled: true)
        #expect(try await setup.pictures().allSatisfy { $0 >= 20 })
        setup.local.setCamera(enabled: false)
        try await setup.world.scheduler.advance(by: .milliseconds(100))
        #expect(try await setup.pictures() == [0, 0])
        #expect(setup.recipients.allSatisfy { $0.track.isMuted && !$0.publication.isMuted })
        #expect(!setup.local.cameraTrack.isMuted && !setup.local.isCameraActive)
        setup.local.setCamera(enabled: true)
        #expect(try await setup.pictures().allSatisfy { $0 >= 20 })
        #expect(setup.recipients.allSatisfy { !$0.track.isMuted })
    }

    @Test func `a muted publication hides from its recipient alone`() async throws {
        let setup = try await makeSetup()
        setup.local.setCamera(enabled: true)
        _ = try await setup.pictures()
        let first = setup.recipients[0]
        _ = try await setup.world.scheduler.drive { try await first.publication.mute() }
        try await setup.world.scheduler.advance(by: .milliseconds(100))
        let pictures = try await setup.pictures()
        #expect(pictures[0] == 0 && pictures[1] >= 20)
        #expect(first.track.isMuted && first.publication.isMuted && !setup.recipients[1].track.isMuted)
        #expect(!setup.local.cameraTrack.isMuted)
        #expect(setup.sender.log.count("muted camera true") == 1)
        _ = try await setup.world.scheduler.drive { try await setup.local.cameraTrack.mute() }
        _ = try await setup.world.scheduler.drive { try await first.publication.unmute() }
        try await setup.world.scheduler.advance(by: .milliseconds(100))
        #expect(try await setup.pictures() == [0, 0])
        _ = try await setup.world.scheduler.drive { try await setup.local.cameraTrack.unmute() }
        #expect(try await setup.pictures().allSatisfy { $0 >= 20 })
    }

    @Test func `leaving the room unmutes the camera track, also with nobody there`() async throws {
        let setup = try await makeSetup()
        _ = try await setup.world.scheduler.drive { try await setup.local.cameraTrack.mute() }
        setup.sender.revue.room.disconnectAll()
        #expect(!setup.local.cameraTrack.isMuted)
        _ = try await setup.world.scheduler.drive { try await setup.local.cameraTrack.mute() }
        setup.sender.revue.room.disconnectAll()
        #expect(!setup.local.cameraTrack.isMuted)
    }

    @Test func `a hundred fast toggles end in the last state asked, with a matching count of events`() async throws {
        let setup = try await makeSetup()
        setup.local.setCamera(enabled: true)
        _ = try await setup.pictures()
        let publication = setup.recipients[0].publication
        _ = try await setup.world.scheduler.drive {
            for toggle in 0..<100 {
                if toggle.isMultiple(of: 2) { try await publication.mute() } else { try await publication.unmute() }
            }
            try await publication.mute()
        }
        try await setup.world.scheduler.advance(by: .milliseconds(500))
        #expect(setup.sender.log.count("muted camera") == 101)
        #expect(publication.isMuted && setup.recipients[0].track.isMuted)
        let heard = setup.recipients[0].peer.log.texts.filter { $0.hasPrefix("muted camera") }
        #expect(heard.last == "muted camera true")
        #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test func `a custom placeholder is shown while muted, and not counted as rendered`() async throws {
        let setup = try await makeSetup()
        let picture = try #require(PixelBuffer(width: 64, height: 48, format: .i420))
        picture.withPlanes { planes in for index in planes.indices { planes[index].bytes.update(repeating: 90) } }
        setup.local.cameraTrack.mutePlaceholder = picture
        setup.local.setCamera(enabled: true)
        _ = try await setup.pictures()
        _ = try await setup.world.scheduler.drive { try await setup.local.cameraTrack.mute() }
        try await setup.world.scheduler.advance(by: .milliseconds(100))
        _ = try await setup.pictures()
        let size = try #require(setup.recipients[0].probe.lastSize)
        #expect(size.width == 64 && size.height == 48)
    }
}
