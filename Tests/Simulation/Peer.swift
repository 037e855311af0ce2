// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime

/// One whole instance on fakes, and the log of everything its delegates heard.
@MainActor final class Peer {
    let name: String
    let revue: Revue
    let transport: InMemoryTransport
    /// What left through the transport.
    let sent: TappedTransport
    let log: EventLog
    private unowned let world: World

    init(
        name: String, world: World, store: InMemoryIdentityStore, scheduler: (any Scheduler)? = nil,
        adapt: (inout Adapters) -> Void = { _ in }
    ) {
        self.name = name
        self.world = world
        let scheduler = scheduler ?? world.scheduler
        let transport = world.network.makeTransport(name)
        self.transport = transport
        let sent = TappedTransport(transport, scheduler: scheduler)
        self.sent = sent
        var adapters = Adapters(
            scheduler: scheduler, makeTransport: { sent }, videoCodecs: [FakeVideoCodecFactory()],
            audioCodecs: FakeAudioCodecFactory(), pixelConverter: PassthroughPixelConverter(), identityStore: store,
            licenseVerifier: FakeLicenseVerifier(),
            makeCamera: { () throws(CaptureError) in SmallCamera(scheduler: scheduler) },
            makeMicrophone: { () throws(CaptureError) in FakeAudioSource(scheduler: scheduler) })
        adapt(&adapters)
        revue = Revue(adapters: adapters)
        log = EventLog(scheduler: scheduler)
    }

    var id: String { revue.revueId }
    var local: LocalParticipant? { revue.room.localParticipant }

    func start() throws {
        let license = FakeLicenseVerifier.issue(License(holder: "test", notBefore: 0, notAfter: .max))
        try revue.initialize(Revue.Configuration(bootstrapNodes: [], licenseData: Data(license)))
        revue.delegates.add(delegate: log)
        revue.room.delegates.add(delegate: log)
    }

    func isConnected(to peer: Peer) -> Bool { revue.room.remoteParticipants[peer.id] != nil }
    func remote(_ peer: Peer) -> RemoteParticipant? { revue.room.remoteParticipants[peer.id] }
}

/// A camera of 160×90 pixels whatever it is asked for, so that hours of virtual time pass in minutes.
final class SmallCamera: VideoSource {
    private let source: FakeVideoSource

    init(scheduler: any Scheduler) { source = FakeVideoSource(scheduler: scheduler) }

    func start(
        _ request: VideoCaptureRequest, sink: @escaping @Sendable (VideoFrame) -> Void
    ) throws(CaptureError) {
        try source.start(VideoCaptureRequest(width: 160, height: 90, frameRate: request.frameRate), sink: sink)
    }

    func stop() { source.stop() }
}

/// Every event of one instance, with its time, in the order of delivery.
@MainActor final class EventLog: RevueDelegate, RoomDelegate {
    struct Entry: Equatable {
        var at: Instant
        var text: String
    }

    private let scheduler: any Scheduler
    private(set) var entries: [Entry] = []

    init(scheduler: any Scheduler) { self.scheduler = scheduler }

    var texts: [String] { entries.map(\.text) }
    func contains(_ text: String) -> Bool { entries.contains { $0.text.hasPrefix(text) } }
    func count(_ text: String) -> Int { entries.filter { $0.text.hasPrefix(text) }.count }

    func forget() { entries = [] }

    private func add(_ text: String) { entries.append(Entry(at: scheduler.now, text: text)) }

    func revue(_ revue: Revue, didReceiveFriendRequest friendId: String, message: String) { add("request \(message)") }
    func revue(_ revue: Revue, friend friendId: String, didReceiveInvitation message: String?) {
        add("invited \(message ?? "-")")
    }
    func revue(_ revue: Revue, friend friendId: String, didSendInvitation message: String?) {
        add("inviting \(message ?? "-")")
    }
    func revue(_ revue: Revue, friend friendId: String, didEndInvitation reason: InvitationEndReason) {
        add("invitation ended \(reason)")
    }
    func room(_ room: Room, participantDidConnect participant: RemoteParticipant) { add("connected") }
    func room(_ room: Room, participantDidDisconnect participant: RemoteParticipant) {
        add("disconnected \(participant.lastDisconnectReason.map { "\($0)" } ?? "?")")
    }
    func room(_ room: Room, participant: RemoteParticipant, didUpdatePaths paths: FriendConnectionPaths) {
        add("paths \(paths.rawValue)")
    }
    func room(
        _ room: Room, localParticipant: LocalParticipant, didPublishTrack publication: LocalTrackPublication
    ) {
        add("published \(publication.name)")
    }
    func room(
        _ room: Room, localParticipant: LocalParticipant, didUnpublishTrack publication: LocalTrackPublication
    ) {
        add("unpublished \(publication.name)")
    }
    func room(_ room: Room, participant: RemoteParticipant, didSubscribeTrack publication: RemoteTrackPublication) {
        add("subscribed \(publication.name)")
    }
    func room(_ room: Room, participant: RemoteParticipant, didUnsubscribeTrack publication: RemoteTrackPublication) {
        add("unsubscribed \(publication.name)")
    }
    func room(
        _ room: Room, participant: Participant, trackPublication: TrackPublication, didUpdateIsMuted isMuted: Bool
    ) {
        add("muted \(trackPublication.name) \(isMuted)")
    }
    func room(_ room: Room, participant: RemoteParticipant, didReceiveMessage message: String) {
        add("message \(message)")
    }
    func room(_ room: Room, didUpdateSpeakingParticipants speakers: [Participant]) { add("speakers \(speakers.count)") }
    func room(_ room: Room, participant: Participant, didUpdateConnectionQuality quality: ConnectionQuality) {
        add("quality \(quality)")
    }
    func room(
        _ room: Room, participant: Participant, trackPublication: TrackPublication,
        didUpdateStatistics statistics: TrackStatistics
    ) {
        add("statistics \(trackPublication.name)")
    }
}
