// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

@Suite struct `What a friend may declare` {
    private typealias Outcome = SubscriptionSlots.Outcome
    private var slots = SubscriptionSlots()

    private static func declaration(
        _ id: UInt32, _ kind: MediaKind = .video, ssrc: UInt32 = 10, rtx: UInt32 = 11, muted: Bool = false,
        version: UInt32 = 1
    ) -> Declaration {
        let formats = kind == .video ? World.vp8 : World.opus
        return Declaration(
            id: PublicationID(rawValue: id),
            stream: StreamDescription(
                kind: kind, source: .camera, name: "x", ssrc: ssrc, rtxSSRC: rtx, formats: formats),
            isMuted: muted, version: version)
    }

    private mutating func declare(_ declaration: Declaration, own: [UInt32] = []) -> Outcome {
        slots.declared(declaration, own: own)
    }

    private func isSubscribed(_ outcome: Outcome) -> Bool { if case .subscribed = outcome { true } else { false } }

    @Test mutating func `a second stream of a kind replaces the first`() {
        let first = declare(Self.declaration(1, muted: true))
        let audio = declare(Self.declaration(2, .audio, ssrc: 20, rtx: 21))
        let second = declare(Self.declaration(3, ssrc: 30, rtx: 31))
        #expect(isSubscribed(first) && isSubscribed(audio))
        guard case .subscribed(let subscription, let replaced) = second else {
            Issue.record("not subscribed")
            return
        }
        #expect(subscription.id.rawValue == 3 && replaced?.id.rawValue == 1 && replaced?.isMuted == true)
        #expect(slots.all.map(\.id.rawValue) == [2, 3])
        #expect(slots.ssrcs == [20, 21, 30, 31])
    }

    @Test mutating func `the same declaration again changes nothing`() {
        _ = declare(Self.declaration(1))
        let again = declare(Self.declaration(1))
        #expect(again == .known(muted: nil))
        let muted = declare(Self.declaration(1, muted: true, version: 2))
        #expect(muted == .known(muted: true))
        let stale = declare(Self.declaration(1, version: 1))
        #expect(stale == .stale)
    }

    @Test mutating func `a late declaration of what is gone is stale`() {
        _ = declare(Self.declaration(5))
        _ = slots.withdrawn(PublicationID(rawValue: 5), version: 2)
        let same = declare(Self.declaration(5))
        let older = declare(Self.declaration(4))
        let newer = declare(Self.declaration(6))
        #expect(same == .stale && older == .stale && isSubscribed(newer))
    }

    @Test mutating func `a stale withdrawal takes nothing away`() {
        _ = declare(Self.declaration(1, version: 5))
        let stale = slots.withdrawn(PublicationID(rawValue: 1), version: 4)
        let unknown = slots.withdrawn(PublicationID(rawValue: 2), version: 9)
        let real = slots.withdrawn(PublicationID(rawValue: 1), version: 6)
        #expect(stale == nil && unknown == nil && real?.id.rawValue == 1)
    }

    @Test mutating func `a stale mute changes nothing`() {
        _ = declare(Self.declaration(1, version: 5))
        let id = PublicationID(rawValue: 1)
        let steps = [
            slots.restate(id, isMuted: true, version: 5), slots.restate(id, isMuted: true, version: 6),
            slots.restate(id, isMuted: false, version: 6), slots.restate(id, isMuted: true, version: 7),
            slots.restate(id, isMuted: false, version: 8),
            slots.restate(PublicationID(rawValue: 2), isMuted: true, version: 9),
        ]
        #expect(steps == [nil, true, nil, nil, false, nil])
    }

    @Test(
        arguments: [
            (0, 11), (10, 0), (10, 10), (100, 11), (10, 100), (20, 11), (10, 21),
        ] as [(UInt32, UInt32)])
    mutating func `an SSRC that is zero, doubled, ours or the other stream's is refused`(ssrcs: (UInt32, UInt32)) {
        _ = declare(Self.declaration(1, .audio, ssrc: 20, rtx: 21))
        let outcome = declare(Self.declaration(2, ssrc: ssrcs.0, rtx: ssrcs.1), own: [100])
        #expect(outcome == .refused(.badSSRC))
        #expect(slots.all.count == 1)
    }

    @Test mutating func `a replacement may reuse the SSRCs of what it replaces`() {
        _ = declare(Self.declaration(1))
        let outcome = declare(Self.declaration(2))
        #expect(isSubscribed(outcome))
    }

    @Test(
        arguments: [
            [], [(96, .rtx)], [(111, .opus)], [(96, .vp8), (96, .h264)], [(128, .vp8)],
            Array(repeating: (96, .vp8), count: 9),
        ] as [[(UInt8, MediaCodec)]])
    mutating func `formats that cannot be are refused`(formats: [(UInt8, MediaCodec)]) {
        var declaration = Self.declaration(1)
        declaration.stream.formats = formats.map { PayloadFormat(payloadType: $0.0, codec: $0.1) }
        let outcome = declare(declaration)
        #expect(outcome == .refused(.badFormats))
    }

    @Test mutating func `a long name, an unknown cryptor and another stream under a known identifier are refused`() {
        var long = Self.declaration(1)
        long.stream.name = String(repeating: "x", count: 129)
        var encrypted = Self.declaration(1)
        encrypted.cryptor = CryptorUse(id: 1, epoch: 1)
        let outcomes = [
            declare(long), declare(encrypted), declare(Self.declaration(1)),
            declare(Self.declaration(1, ssrc: 77, rtx: 78, version: 2)),
        ]
        #expect(outcomes[0] == .refused(.badName) && outcomes[1] == .refused(.unknownCryptor))
        #expect(isSubscribed(outcomes[2]) && outcomes[3] == .refused(.changedStream))
    }

    @Test func `a refused declaration is not confirmed, and a flood leaves two streams`() throws {
        var world = World.inCall()
        let call = try #require(world[.alice].call(with: Who.bob.peer)).membership.call
        world.inject(.declare(call, Self.declaration(1, ssrc: 0)), from: .alice, to: .bob)
        world.run(for: .seconds(1))
        #expect(world.notices(.bob) == [])
        for number in 0..<100 {
            let kind: MediaKind = number % 2 == 0 ? .audio : .video
            let ssrc = UInt32(1_000 + 2 * number)
            world.inject(
                .declare(call, Self.declaration(UInt32(2 + number), kind, ssrc: ssrc, rtx: ssrc + 1)), from: .alice,
                to: .bob)
        }
        world.run(for: .seconds(5))
        #expect(world[.bob].call(with: Who.alice.peer)?.slots.all.count == 2)
        let notices = world.notices(.bob)
        #expect(notices.filter { if case .subscribed = $0 { true } else { false } }.count == 100)
        #expect(notices.filter { if case .unsubscribed = $0 { true } else { false } }.count == 98)
    }

    @Test func `what belongs to another call than the active one is not for us`() throws {
        var world = World.inCall()
        let video = try world.publish(.camera, from: .alice, to: .bob)
        world.run(for: .seconds(1))
        world.forget()
        let other = WireID(high: 9, low: 9)
        for message in [
            .declare(other, Self.declaration(50)), .withdraw(other, video, version: 9),
            .mute(other, video, isMuted: true, rtpTime: nil, version: 9), .declared(other, video, version: 1),
            .message(other, id: other, sentAt: 0, deadline: .max, text: "x"),
            .muteRequest(other, id: other, sentAt: 0, deadline: .max, isMuted: true),
        ] as [ControlMessage] {
            world.inject(message, from: .alice, to: .bob)
            world.inject(message, from: .alice, to: .carol)
            world.run(for: .seconds(1))
        }
        #expect(world.notices(.bob) == [] && world.notices(.carol) == [])
    }
}
