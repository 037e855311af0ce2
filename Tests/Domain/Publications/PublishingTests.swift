// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

extension TrackDescription {
    static let camera = TrackDescription(
        id: TrackID(rawValue: 1), kind: .video, source: .camera, name: "camera", hardware: .running)
    static let microphone = TrackDescription(
        id: TrackID(rawValue: 2), kind: .audio, source: .microphone, name: "microphone", hardware: .running)
    static let screen = TrackDescription(
        id: TrackID(rawValue: 3), kind: .video, source: .screenShareVideo, name: "screen", hardware: .running)
    static let all = [camera, microphone, screen]
}

extension World {
    static let vp8 = [PayloadFormat(payloadType: 96, codec: .vp8), PayloadFormat(payloadType: 97, codec: .rtx)]
    static let opus = [PayloadFormat(payloadType: 111, codec: .opus)]

    /// Publishes a track under an operation of the track's own number.
    @discardableResult
    mutating func publish(
        _ track: TrackDescription, from who: Who, to other: Who, as operation: UInt64? = nil
    ) throws(PublishFailure) -> PublicationID {
        let operation = OperationID(rawValue: operation ?? track.id.rawValue)
        let formats = track.kind == .video ? Self.vp8 : Self.opus
        do {
            return try act(who) { session, now in
                for track in TrackDescription.all { session.add(track) }
                return try session.publish(
                    track.id, to: other.peer, formats: formats, operation: operation, at: now)
            }
        } catch let failure as PublishFailure {
            throw failure
        } catch {
            fatalError("\(error)")
        }
    }
}

@Suite struct `Publishing` {
    private var world = World.inCall()
    private let operation = OperationID(rawValue: 1)

    /// Everything but frames, keep-alives and log lines.
    private func effects(_ who: Who) -> [Effect] {
        world.effects(who).filter { effect in
            switch effect {
            case .send, .keepAlive, .log: false
            default: true
            }
        }
    }

    @Test mutating func `a track is declared, known to its recipient, and only then sent`() throws {
        let id = try world.publish(.camera, from: .alice, to: .bob)
        #expect(effects(.alice) == [])
        #expect(world[.alice].publication(id)?.isLive == false)
        world.run(for: .seconds(1))
        #expect(effects(.alice) == [.notify(.published(id)), .startSending(id, .media), .finish(operation, .done)])
        let publication = try #require(world[.alice].publication(id))
        #expect(
            publication.isLive && publication.peer == Who.bob.peer && publication.track == TrackDescription.camera.id)
        #expect(
            effects(.bob) == [
                .startReceiving(Who.alice.peer, id, publication.stream),
                .notify(.subscribed(Who.alice.peer, id, publication.stream, muted: false)),
            ])
    }

    @Test mutating func `a declaration carries kind, source, name, formats and SSRCs of its own`() throws {
        let video = try world.publish(.camera, from: .alice, to: .bob)
        let audio = try world.publish(.microphone, from: .alice, to: .bob)
        let camera = try #require(world[.alice].publication(video)).stream
        let microphone = try #require(world[.alice].publication(audio)).stream
        #expect(camera.kind == .video && camera.source == .camera && camera.name == "camera")
        #expect(camera.formats == World.vp8 && microphone.formats == World.opus)
        let ssrcs = [camera.ssrc, camera.rtxSSRC, microphone.ssrc, microphone.rtxSSRC]
        #expect(Set(ssrcs).count == 4 && !ssrcs.contains(0))
    }

    @Test func `RTP time runs at 90 or 48 kHz from the publication's offset, and wraps`() throws {
        var world = world
        let video = try world.publish(.camera, from: .alice, to: .bob)
        let audio = try world.publish(.microphone, from: .alice, to: .bob)
        for (id, rate) in [(video, 90_000), (audio, 48_000)] {
            let publication = try #require(world[.alice].publication(id))
            #expect(publication.rtpTime(at: .zero) == publication.timestampOffset)
            let later = Instant.zero + .milliseconds(1_500)
            #expect(publication.rtpTime(at: later) == publication.timestampOffset &+ UInt32(rate * 3 / 2))
            let day = Instant.zero + .seconds(86_400)
            #expect(
                publication.rtpTime(at: day)
                    == publication.timestampOffset &+ UInt32(truncatingIfNeeded: 86_400 * rate))
            _ = publication.rtpTime(at: .distantFuture)
        }
    }

    @Test mutating func `one video and one audio slot go to each friend`() throws {
        let camera = try world.publish(.camera, from: .alice, to: .bob)
        let microphone = try world.publish(.microphone, from: .alice, to: .bob)
        let before = world[.alice]
        for track in TrackDescription.all {
            let taken = track.kind == .video ? camera : microphone
            #expect(throws: PublishFailure.slotTaken(taken)) { try world.publish(track, from: .alice, to: .bob) }
        }
        #expect(world[.alice] == before)
        #expect(world[.alice].slot(.video, to: Who.bob.peer) == camera)
        #expect(world[.alice].slot(.audio, to: Who.bob.peer) == microphone)
        #expect(world[.alice].slot(.audio, to: Who.carol.peer) == nil)
        world.connect(.alice, .carol)
        let other = try world.publish(.camera, from: .alice, to: .carol)
        #expect(world[.alice].publications.map(\.id) == [camera, microphone, other])
    }

    @Test mutating func `nothing is published to who is not in the room, and no unknown track`() throws {
        let before = world[.alice]
        var session = before
        #expect(throws: PublishFailure.notConnected) {
            _ = try session.publish(
                TrackDescription.camera.id, to: Who.carol.peer, formats: World.vp8, operation: operation, at: world.now)
        }
        #expect(throws: PublishFailure.unknownTrack) {
            _ = try session.publish(
                TrackID(rawValue: 99), to: Who.bob.peer, formats: World.vp8, operation: operation, at: world.now)
        }
        #expect(session == before)
    }

    @Test mutating func `unpublishing stops, tells and frees the slot`() throws {
        let id = try world.publish(.camera, from: .alice, to: .bob)
        world.run(for: .seconds(1))
        world.forget()
        world.act(.alice) { $0.unpublish(id, at: $1) }
        #expect(effects(.alice) == [.stopSending(id), .notify(.unpublished(id))])
        #expect(world[.alice].publication(id) == nil && world[.alice].slot(.video, to: Who.bob.peer) == nil)
        world.run(for: .seconds(1))
        #expect(
            effects(.bob) == [.stopReceiving(Who.alice.peer, id), .notify(.unsubscribed(Who.alice.peer, id))])
        world.act(.alice) { $0.unpublish(id, at: $1) }
        #expect(effects(.alice).count == 2)
    }

    @Test mutating func `replacing a track unsubscribes the old one and subscribes the new one`() throws {
        let screen = try world.publish(.screen, from: .alice, to: .bob)
        world.run(for: .seconds(1))
        world.forget()
        world.act(.alice) { $0.unpublish(screen, at: $1) }
        let camera = try world.publish(.camera, from: .alice, to: .bob)
        world.run(for: .seconds(1))
        let stream = try #require(world[.alice].publication(camera)).stream
        #expect(camera > screen)
        #expect(
            world.notices(.bob) == [
                .unsubscribed(Who.alice.peer, screen),
                .subscribed(Who.alice.peer, camera, stream, muted: false),
            ])
    }

    @Test mutating func `a publish that nobody confirms times out after 10 s on a live path`() throws {
        swallowDeclarations()
        let id = try world.publish(.camera, from: .alice, to: .bob)
        for _ in 0..<99 { keepAlive(for: .milliseconds(100)) }
        #expect(world.ends(.alice) == [:])
        for _ in 0..<2 { keepAlive(for: .milliseconds(100)) }
        #expect(world.ends(.alice) == [operation: [.failed(.timedOut)]])
        expectNothingLeft(of: id)
    }

    @Test mutating func `the time to publish stands still without a path`() throws {
        world.cut(.alice, .bob)
        let id = try world.publish(.camera, from: .alice, to: .bob)
        world.run(for: .seconds(30))
        #expect(world.ends(.alice) == [:])
        world.mend(.alice, .bob)
        world.run(for: .seconds(2))
        #expect(world.ends(.alice) == [operation: [.done]])
        #expect(world[.alice].publication(id)?.isLive == true)
        #expect(world.notices(.bob).contains { if case .subscribed = $0 { true } else { false } })
    }

    @Test mutating func `what is published while the path is lost waits for it, for ten seconds more`() throws {
        world.cut(.alice, .bob)
        world.run(for: .seconds(10))
        let id = try world.publish(.camera, from: .alice, to: .bob)
        world.run(for: .seconds(20))
        #expect(world.ends(.alice) == [:])
        swallowDeclarations()
        world.handle(.alice, .heard(Who.bob.peer))
        for _ in 0..<99 { keepAlive(for: .milliseconds(100)) }
        #expect(world.ends(.alice) == [:])
        for _ in 0..<2 { keepAlive(for: .milliseconds(100)) }
        #expect(world.ends(.alice) == [operation: [.failed(.timedOut)]])
        expectNothingLeft(of: id)
    }

    @Test mutating func `a lost path does not give the time to publish back`() throws {
        swallowDeclarations()
        let id = try world.publish(.camera, from: .alice, to: .bob)
        for _ in 0..<60 { keepAlive(for: .milliseconds(100)) }
        world.run(for: .seconds(20))
        for _ in 0..<11 { keepAlive(for: .milliseconds(100)) }
        #expect(world.ends(.alice) == [operation: [.failed(.timedOut)]])
        expectNothingLeft(of: id)
    }

    @Test mutating func `hanging up fails what was not confirmed as disconnected`() throws {
        swallowDeclarations()
        let id = try world.publish(.camera, from: .alice, to: .bob)
        world.act(.alice) { $0.hangUp(Who.bob.peer, at: $1) }
        #expect(
            effects(.alice) == [
                .closeMedia(Who.bob.peer), .finish(operation, .failed(.disconnected)),
                .notify(.disconnected(Who.bob.peer, .leave)),
            ])
        expectNothingLeft(of: id)
    }

    @Test mutating func `cancelling fails what was not confirmed as cancelled`() throws {
        let id = try world.publish(.camera, from: .alice, to: .bob)
        world.act(.alice) { $0.cancel(OperationID(rawValue: 9), at: $1) }
        world.act(.alice) { $0.cancel(OperationID(rawValue: 1), at: $1) }
        #expect(effects(.alice) == [.finish(operation, .failed(.cancelled))])
        expectNothingLeft(of: id)
        world.run(for: .seconds(1))
        #expect(effects(.alice).count == 1)
        #expect(world[.bob].call(with: Who.alice.peer)?.slots.all == [])
        try world.publish(.camera, from: .alice, to: .bob, as: 2)
        world.run(for: .seconds(1))
        #expect(world.ends(.alice)[OperationID(rawValue: 2)] == [.done])
    }

    @Test mutating func `unpublishing what was not confirmed cancels it`() throws {
        let id = try world.publish(.camera, from: .alice, to: .bob)
        world.act(.alice) { $0.unpublish(id, at: $1) }
        #expect(effects(.alice) == [.finish(operation, .failed(.cancelled))])
        expectNothingLeft(of: id)
    }

    @Test mutating func `an operation that has ended cannot be cancelled`() throws {
        let id = try world.publish(.camera, from: .alice, to: .bob)
        world.run(for: .seconds(1))
        let before = world[.alice]
        world.act(.alice) { $0.cancel(OperationID(rawValue: 1), at: $1) }
        #expect(world[.alice] == before && world[.alice].publication(id)?.isLive == true)
    }

    @Test mutating func `the end of a call takes streams and publications away before the participant`() throws {
        let video = try world.publish(.camera, from: .alice, to: .bob)
        let audio = try world.publish(.microphone, from: .alice, to: .bob)
        let theirs = try world.publish(.screen, from: .bob, to: .alice)
        world.run(for: .seconds(1))
        world.forget()
        world.act(.alice) { $0.hangUp(Who.bob.peer, at: $1) }
        let bob = Who.bob.peer
        #expect(
            effects(.alice) == [
                .stopSending(video), .stopSending(audio), .stopReceiving(bob, theirs), .closeMedia(bob),
                .notify(.unsubscribed(bob, theirs)), .notify(.unpublished(video)), .notify(.unpublished(audio)),
                .notify(.disconnected(bob, .leave)),
            ])
        #expect(world[.alice].publications.isEmpty)
    }

    @Test mutating func `a resume keeps publications, and takes away what went meanwhile`() throws {
        let video = try world.publish(.camera, from: .alice, to: .bob)
        let audio = try world.publish(.microphone, from: .alice, to: .bob)
        world.run(for: .seconds(1))
        world.forget()
        world.cut(.alice, .bob)
        world.run(for: .seconds(5))
        world.act(.alice) { $0.unpublish(video, at: $1) }
        let screen = try world.publish(.screen, from: .alice, to: .bob)
        world.act(.alice) { $0.setMuted(true, track: TrackDescription.microphone.id, at: $1) }
        world.run(for: .seconds(5))
        world.mend(.alice, .bob)
        world.run(for: .seconds(5))
        let stream = try #require(world[.alice].publication(screen)).stream
        let alice = Who.alice.peer
        #expect(
            world.notices(.bob) == [
                .paths(alice, []), .paths(alice, .udpDirect), .unsubscribed(alice, video),
                .subscribed(alice, screen, stream, muted: false), .remoteMuted(alice, audio, true),
            ])
        #expect(world[.alice].publications.map(\.isLive) == [true, true])
    }

    @Test mutating func `a resume alone takes away what it does not name, and restates mute`() throws {
        let video = try world.publish(.camera, from: .alice, to: .bob)
        let audio = try world.publish(.microphone, from: .alice, to: .bob)
        world.run(for: .seconds(1))
        world.forget()
        let call = try #require(world[.alice].call(with: Who.bob.peer)).membership.call
        world.inject(
            .resume(call, [PublicationState(id: audio, version: 2, isMuted: true)]), from: .alice, to: .bob)
        world.run(for: .seconds(1))
        #expect(
            world.notices(.bob) == [
                .unsubscribed(Who.alice.peer, video), .remoteMuted(Who.alice.peer, audio, true),
            ])
    }

    @Test func `a track that is published stays known`() throws {
        var world = world
        let id = try world.publish(.camera, from: .alice, to: .bob)
        world.act(.alice) { session, _ in
            session.remove(track: TrackDescription.camera.id)
            return []
        }
        #expect(world[.alice].publishing.track(TrackDescription.camera.id) != nil)
        world.act(.alice) { $0.unpublish(id, at: $1) }
        world.act(.alice) { session, _ in
            session.remove(track: TrackDescription.camera.id)
            return []
        }
        #expect(world[.alice].publishing.track(TrackDescription.camera.id) == nil)
    }

    @Test mutating func `a full queue to the friend fails the publish at once`() throws {
        world.cut(.alice, .bob)
        world.run(for: .seconds(5))
        for _ in 0..<300 { world.inject(.goodbye, from: .alice, to: .bob) }
        let id = try world.publish(.camera, from: .alice, to: .bob)
        #expect(world.ends(.alice) == [operation: [.failed(.queueFull)]])
        expectNothingLeft(of: id)
    }

    // MARK: Scenes

    /// Frames from Alice no longer arrive, but she goes on hearing Bob.
    private mutating func swallowDeclarations() { world.blocked = [[.alice, .bob], [.bob, .alice]] }

    private mutating func keepAlive(for duration: Interval) {
        world.handle(.alice, .heard(Who.bob.peer))
        world.run(for: duration)
    }

    private func expectNothingLeft(of id: PublicationID, _ location: SourceLocation = #_sourceLocation) {
        #expect(world[.alice].publication(id) == nil, sourceLocation: location)
        #expect(world[.alice].slot(.video, to: Who.bob.peer) == nil, sourceLocation: location)
        #expect(!world.notices(.alice).contains(.published(id)), sourceLocation: location)
        #expect(!world.notices(.alice).contains(.unpublished(id)), sourceLocation: location)
    }
}
