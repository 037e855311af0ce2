// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain
import Testing

@testable import RevueCore

struct ValueTests {
    @Test func `paths have one bit each and are online when any is set`() {
        #expect(FriendConnectionPaths.udpDirect.rawValue == 1)
        #expect(FriendConnectionPaths.udpRelay.rawValue == 2)
        #expect(FriendConnectionPaths.tcpRelay.rawValue == 4)
        #expect(FriendConnectionPaths([.udpDirect, .tcpRelay]).rawValue == 5)
        #expect(!FriendConnectionPaths().isOnline)
        #expect(FriendConnectionPaths.udpRelay.isOnline)
        #expect(FriendConnectionPaths(Paths([.udpRelay, .tcpRelay])) == [.udpRelay, .tcpRelay])
    }

    @Test(
        arguments: [
            (FriendConnectionPaths(), Int32(0)), ([.tcpRelay], 1), ([.udpRelay, .tcpRelay], 2),
            ([.udpDirect, .udpRelay, .tcpRelay], 3),
        ] as [(FriendConnectionPaths, Int32)])
    func `the connection type is that of the best path`(paths: FriendConnectionPaths, type: Int32) {
        #expect(paths.connectionType == type)
    }

    @Test func `raw values are the documented ones`() {
        #expect([UserStatus.none, .away, .busy].map(\.rawValue) == [0, 1, 2])
        #expect([SelfConnectionStatus.offline, .tcp, .udp].map(\.rawValue) == [0, 1, 2])
        #expect([RevueLogLevel.trace, .debug, .info, .warning, .error].map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect([VideoRotation._0, ._90, ._180, ._270].map(\.rawValue) == [0, 90, 180, 270])
        #expect([PresenceStatus.offline, .online, .away, .busy].map(\.rawValue) == [0, 1, 2, 3])
        #expect(
            [Track.Source.unknown, .camera, .microphone, .screenShareVideo, .screenShareAudio].map(\.rawValue)
                == ["unknown", "camera", "microphone", "screenShareVideo", "screenShareAudio"])
        #expect([VideoCodecType.vp8, .h264].map(\.rawValue) == ["vp8", "h264"])
        #expect([RcMode.vbr, .cbr, .cq].map(\.rawValue) == ["vbr", "cbr", "cq"])
    }

    @Test func `track names are the documented ones`() {
        #expect(Track.cameraName == "camera")
        #expect(Track.microphoneName == "microphone")
        #expect(Track.screenShareVideoName == "screen_share")
        #expect(Track.screenShareAudioName == "screen_share_audio")
    }

    @Test func `a rotation survives JSON as its degrees`() throws {
        let data = try JSONEncoder().encode([VideoRotation._270, ._0])
        #expect(String(decoding: data, as: UTF8.self) == "[270,0]")
        #expect(try JSONDecoder().decode([VideoRotation].self, from: data) == [._270, ._0])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([VideoRotation].self, from: Data("[45]".utf8)) }
    }

    @Test(arguments: [
        (PresenceStatus.unknown, false), (.offline, false), (.online, true), (.away, true), (.busy, true),
    ])
    func `online, away and busy count as there`(status: PresenceStatus, isOnline: Bool) {
        #expect(status.isOnline == isOnline)
    }

    @Test(arguments: [(Int32(0), Int32(20), false), (3, -1, false), (3, 0, true), (1, 300, true)])
    func `a connection is reliable once there is one and its round trip is known`(
        type: Int32, rtt: Int32, isReliable: Bool
    ) {
        let statistics = IceCandidatePairStatistics(
            connectionType: type, quality: .init(rttMs: rtt), traffic: .init())
        #expect(statistics.isReliable == isReliable)
    }

    @Test func `what does not apply to sound is nil and its counters are 0`() {
        let sound = InboundStatistics(audioFrameRate: 50, audioLevel: 0.5)
        #expect(sound.width == nil && sound.height == nil && sound.fps == nil)
        #expect(sound.framesReceived == 0 && sound.framesRendered == 0 && sound.freezeCount == 0)
        let pictures = InboundStatistics(
            width: nil, height: nil, fps: 0, framesReceived: 3, framesRendered: 2, freezeCount: 1,
            totalFreezesDuration: 1.5)
        #expect(pictures.audioFrameRate == nil && pictures.audioLevel == nil)
    }

    @Test func `domain values have their public counterparts`() {
        for availability in Availability.allCases {
            #expect(UserStatus(availability).availability == availability)
        }
        for source in MediaSource.allCases { #expect(Track.Source(source).mediaSource == source) }
        for kind in MediaKind.allCases { #expect(Track.Kind(kind).mediaKind == kind) }
        #expect(SelfReachability.allCases.map { SelfConnectionStatus($0) } == [.offline, .tcp, .udp])
        #expect(
            [InvitationEnd.cancelled, .rejected, .timeout, .finished].map { InvitationEndReason($0) }
                == [.cancelled, .rejected, .timeout, .finished])
        #expect([DisconnectCause.leave, .networkLost].map { DisconnectReason($0) } == [.leave, .networkLost])
    }
}
