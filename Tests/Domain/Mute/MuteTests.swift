// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

@Suite struct `Mute between two sessions` {
    private var world = World.inCall()
    private let camera = TrackDescription.camera

    /// What Bob knows of Alice's video: whether he sees it as muted.
    private var bobSeesMuted: Bool? {
        world[.bob].call(with: Who.alice.peer)?.slots.all.first { $0.stream.kind == .video }?.isMuted
    }
    private var content: OutletContent? {
        world[.alice].slot(.video, to: Who.bob.peer).flatMap { world[.alice].publication($0) }?.content
    }
    private func outlets(_ who: Who) -> [OutletContent] {
        world.effects(who).compactMap { effect in
            switch effect {
            case .startSending(_, let content), .setOutlet(_, let content): content
            default: nil
            }
        }
    }

    /// Alice's camera begins in this state.
    private mutating func begin(_ hardware: HardwareState, muted: Bool = false) {
        var track = camera
        track.hardware = hardware
        track.isMuted = muted
        world.act(.alice) { session, _ in
            session.add(track)
            return []
        }
    }
    private mutating func publish() throws -> PublicationID {
        let id = try world.publish(camera, from: .alice, to: .bob)
        world.run(for: .milliseconds(200))
        return id
    }
    private mutating func muteTrack(_ muted: Bool) {
        world.act(.alice) { $0.setMuted(muted, track: TrackDescription.camera.id, at: $1) }
        world.run(for: .milliseconds(200))
    }
    private mutating func mute(_ id: PublicationID, _ muted: Bool) throws {
        try world.act(.alice) { try $0.setMuted(muted, publication: id, at: $1) }
        world.run(for: .milliseconds(200))
    }
    private mutating func switchHardware(_ state: HardwareState) {
        world.act(.alice) { $0.setHardware(state, of: TrackDescription.camera.id, at: $1) }
        world.run(for: .milliseconds(200))
    }

    @Test(arguments: HardwareState.allCases, MuteLevels.allCases)
    mutating func `every row of the table holds between two sessions`(hardware: HardwareState, levels: MuteLevels)
        throws
    {
        begin(hardware, muted: levels == .track || levels == .both)
        let id = try publish()
        if levels == .publication || levels == .both { try mute(id, true) }
        let expected = Outlet(hardware: hardware, levels: levels)
        #expect(content == expected.content)
        #expect(bobSeesMuted == expected.isDeclaredMuted)
        #expect(outlets(.alice).last == expected.content)
    }

    @Test mutating func `a camera that never started is declared unmuted and sends nothing until it starts`() throws {
        begin(.neverStarted)
        _ = try publish()
        #expect(outlets(.alice) == [.nothing] && bobSeesMuted == false)
        switchHardware(.running)
        #expect(outlets(.alice) == [.nothing, .media] && bobSeesMuted == false)
        #expect(!world.notices(.bob).contains { if case .remoteMuted = $0 { true } else { false } })
    }

    @Test mutating func `a camera that is switched off shows the placeholder, and comes back`() throws {
        begin(.running)
        let id = try publish()
        switchHardware(.stopped)
        switchHardware(.running)
        #expect(outlets(.alice) == [.media, .placeholder, .media])
        #expect(
            world.notices(.bob).suffix(2) == [
                .remoteMuted(Who.alice.peer, id, true), .remoteMuted(Who.alice.peer, id, false),
            ])
        #expect(world[.alice].publication(id)?.isMuted == false)
        #expect(world.notices(.alice) == [.published(id)])
    }

    @Test mutating func `a track muted before it is published is a placeholder from the start`() throws {
        begin(.neverStarted, muted: true)
        let id = try publish()
        #expect(outlets(.alice) == [.placeholder])
        let stream = try #require(world[.alice].publication(id)).stream
        #expect(world.notices(.bob) == [.subscribed(Who.alice.peer, id, stream, muted: true)])
    }

    @Test mutating func `a publication muted before its recipient knows it starts as a placeholder`() throws {
        begin(.running)
        let id = try world.publish(camera, from: .alice, to: .bob)
        try mute(id, true)
        #expect(outlets(.alice) == [.placeholder])
        #expect(bobSeesMuted == true)
    }

    @Test mutating func `a flip is announced once, with the level that flipped`() throws {
        begin(.running)
        let id = try publish()
        world.forget()
        muteTrack(true)
        muteTrack(true)
        #expect(world.notices(.alice) == [.trackMuted(camera.id, true)])
        try mute(id, true)
        try mute(id, true)
        #expect(world.notices(.alice) == [.trackMuted(camera.id, true), .publicationMuted(id, true)])
        #expect(world.notices(.bob) == [.remoteMuted(Who.alice.peer, id, true)])
        #expect(outlets(.alice) == [.placeholder])
    }

    @Test mutating func `the two levels do not change each other`() throws {
        begin(.running)
        let id = try publish()
        try mute(id, true)
        muteTrack(true)
        muteTrack(false)
        #expect(content == .placeholder && bobSeesMuted == true)
        #expect(world[.alice].publication(id)?.isMuted == true)
        muteTrack(true)
        try mute(id, false)
        #expect(content == .placeholder && bobSeesMuted == true)
        muteTrack(false)
        #expect(content == .media && bobSeesMuted == false)
    }

    @Test mutating func `unmuting while the camera is off still sends the placeholder`() throws {
        begin(.running)
        _ = try publish()
        switchHardware(.stopped)
        muteTrack(true)
        muteTrack(false)
        #expect(content == .placeholder && bobSeesMuted == true)
        switchHardware(.running)
        #expect(content == .media && bobSeesMuted == false)
    }

    @Test mutating func `a muted publication stays muted when the camera goes off and on`() throws {
        begin(.running)
        let id = try publish()
        try mute(id, true)
        switchHardware(.stopped)
        switchHardware(.running)
        #expect(content == .placeholder && bobSeesMuted == true)
    }

    @Test mutating func `muting one publication leaves the others alone`() throws {
        world.connect(.alice, .carol)
        let toBob = try publish()
        let toCarol = try world.publish(camera, from: .alice, to: .carol)
        world.run(for: .seconds(1))
        try mute(toBob, true)
        #expect(world[.alice].publication(toBob)?.content == .placeholder)
        #expect(world[.alice].publication(toCarol)?.content == .media)
        #expect(!world.notices(.carol).contains { if case .remoteMuted = $0 { true } else { false } })
    }

    @Test mutating func `muting the track reaches every recipient`() throws {
        world.connect(.alice, .carol)
        let ids = [try publish(), try world.publish(camera, from: .alice, to: .carol)]
        world.run(for: .seconds(1))
        muteTrack(true)
        #expect(ids.map { world[.alice].publication($0)?.content } == [.placeholder, .placeholder])
        #expect(world.notices(.bob).last == .remoteMuted(Who.alice.peer, ids[0], true))
        #expect(world.notices(.carol).last == .remoteMuted(Who.alice.peer, ids[1], true))
    }

    @Test mutating func `unpublishing and publishing again keeps the track's mute and forgets the publication's`()
        throws
    {
        begin(.running)
        let first = try publish()
        try mute(first, true)
        world.act(.alice) { $0.unpublish(first, at: $1) }
        let second = try publish()
        #expect(content == .media && bobSeesMuted == false)
        muteTrack(true)
        world.act(.alice) { $0.unpublish(second, at: $1) }
        _ = try publish()
        #expect(content == .placeholder && bobSeesMuted == true)
    }

    @Test mutating func `a publication that is gone cannot be muted`() throws {
        begin(.running)
        let id = try publish()
        world.act(.alice) { $0.unpublish(id, at: $1) }
        let before = world[.alice]
        #expect(throws: PublicationFailure.notPublished) { try mute(id, true) }
        var session = before
        #expect(throws: PublicationFailure.notPublished) {
            try session.setMuted(true, publication: id, at: world.now)
        }
        #expect(session == before)
    }

    @Test mutating func `an unknown track is neither muted nor switched`() {
        let before = world[.alice]
        world.act(.alice) { $0.setMuted(true, track: TrackID(rawValue: 77), at: $1) }
        world.act(.alice) { $0.setHardware(.running, of: TrackID(rawValue: 77), at: $1) }
        #expect(world[.alice] == before)
        #expect(world.effects(.alice) == [])
    }

    @Test mutating func `a track outside any call is muted for later`() {
        begin(.running)
        world.act(.alice) { $0.hangUp(Who.bob.peer, at: $1) }
        muteTrack(true)
        #expect(world.notices(.alice).last == .trackMuted(camera.id, true))
    }

    @Test mutating func `a mute during a lost path is stated when the path comes back`() throws {
        begin(.running)
        let id = try publish()
        world.cut(.alice, .bob)
        world.run(for: .seconds(6))
        for _ in 0..<5 { muteTrack(true); muteTrack(false) }
        muteTrack(true)
        world.forget()
        world.mend(.alice, .bob)
        world.run(for: .seconds(3))
        #expect(
            world.notices(.bob).filter { $0 != .paths(Who.alice.peer, .udpDirect) } == [
                .remoteMuted(Who.alice.peer, id, true)
            ])
        #expect(bobSeesMuted == true)
    }

    @Test mutating func `a hundred toggles in a row end as the last one says, under loss`() throws {
        world.lossPerMille = 200
        begin(.running)
        let id = try world.publish(camera, from: .alice, to: .bob)
        world.run(for: .seconds(3))
        for toggle in 1...101 {
            try world.act(.alice) { try $0.setMuted(toggle % 2 == 1, publication: id, at: $1) }
            world.run(for: .milliseconds(7))
        }
        world.run(for: .seconds(5))
        #expect(bobSeesMuted == true)
        let flips = world.notices(.bob).compactMap { if case .remoteMuted(_, _, let muted) = $0 { muted } else { nil } }
        for (one, next) in zip(flips, flips.dropFirst()) { #expect(one != next) }
    }

    @Test mutating func `a mute tells the RTP time at which it begins`() throws {
        begin(.running)
        let id = try publish()
        let publication = try #require(world[.alice].publication(id))
        world.forget()
        world.act(.alice) { $0.setMuted(true, track: TrackDescription.camera.id, at: $1) }
        let call = try #require(world[.alice].call(with: Who.bob.peer)).membership.call
        #expect(
            world.said(.alice, to: .bob) == [
                .mute(call, id, isMuted: true, rtpTime: publication.rtpTime(at: world.now), version: 2)
            ])
    }
}
