// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueSDK
import RevueTime

/// An instance of the SDK as the command line drives it: what happened so far, and ways to wait for what should.
@MainActor final class Peer {
    /// How an instance is started.
    struct Settings {
        var adapters: Adapters
        var nodes: [NodeAddress]
        var licence: Data
        var name: String?
    }

    /// A friend's answer, or the lack of one.
    enum Answer: Equatable {
        case connected
        case ended(InvitationEndReason)
    }

    let revue: Revue
    let changes: Changes
    private(set) var requests: [(id: String, message: String)] = []
    private(set) var incoming: String?
    private(set) var ended: InvitationEndReason?
    private(set) var participant: RemoteParticipant?
    private(set) var disconnectReason: DisconnectReason?
    /// Hears every event, with the time it has just happened.
    private let report: @MainActor (PeerEvent) -> Void
    /// Hears of remote tracks as they come.
    private let subscribed: @MainActor (Track) -> Void

    init(
        adapters: Adapters, interruption: Interruption, report: @escaping @MainActor (PeerEvent) -> Void,
        subscribed: @escaping @MainActor (Track) -> Void = { _ in }
    ) {
        revue = Revue(adapters: adapters)
        changes = Changes(interruption: interruption)
        self.report = report
        self.subscribed = subscribed
    }

    // MARK: - Life

    /// Starts the instance and announces it; alone, it neither joins through a node nor changes its name.
    func start(_ options: PeerOptions, isAlone: Bool = false) throws {
        let name = isAlone ? nil : options.name
        let configuration = Revue.Configuration(
            savedataFileName: options.transport.savedataFileName,
            bootstrapNodes: isAlone
                ? []
                : options.nodes.map { node in
                    Revue.BootstrapNode(
                        address: node.host, port: Int32(node.port), publicKey: node.key,
                        tcpRelayPort: node.relayPort.map(Int32.init))
                }, licenseData: options.licence)
        do {
            try revue.initialize(configuration)
        } catch let error as RevueInitError {
            throw CommandFailure(.identity, Peer.advice(for: error))
        }
        revue.delegates.add(delegate: self)
        revue.room.delegates.add(delegate: self)
        if let name, !revue.setSelfName(name) {
            throw CommandFailure(.usage, "the name is longer than the 128 bytes that others are told")
        }
        report(
            .ready(id: revue.revueId, address: revue.revueAddress, friends: revue.friends.getFriendList().count))
    }

    func stop() async { await revue.destroy() }

    // MARK: - Friends

    func waitUntilOnline(within limit: Interval = .seconds(60)) async throws {
        let online = try await changes.first(within: limit) { revue.connectionState == .offline ? nil : true }
        if online == nil {
            throw CommandFailure(
                .network, "not on the network after \(Int(limit.seconds)) s: is the --node right, and does it run?")
        }
    }

    func waitUntilReachable(_ friend: String, within limit: Interval = .seconds(90)) async throws {
        let found = try await changes.first(within: limit) {
            revue.friends.getFriendPaths(friendId: friend).isOnline ? true : nil
        }
        if found == nil {
            throw CommandFailure(
                .network,
                "\(friend) is not reachable after \(Int(limit.seconds)) s: are they online, through the same nodes,"
                    + " and did they accept the friend request?")
        }
    }

    func add(address: String, message: String) throws {
        do {
            try revue.friends.addFriend(address: address, message: message)
            report(.friendRequestSent(to: address))
        } catch FriendAddError.alreadyExists {
            report(.warning("already a friend: \(address)"))
        } catch {
            throw CommandFailure(.failed, "\(address) cannot be added: \(error.localizedDescription)")
        }
    }

    func accept(request id: String) throws {
        do {
            try revue.friends.addFriendNorequest(friendId: id)
            report(.friendAccepted(id))
        } catch FriendAddError.alreadyExists {
            report(.warning("already a friend: \(id)"))
        } catch {
            throw CommandFailure(.failed, "\(id) cannot be accepted: \(error.localizedDescription)")
        }
        requests.removeAll { $0.id == id }
    }

    /// The next friend request; nil when none comes within the limit.
    func nextRequest(within limit: Interval) async throws -> (id: String, message: String)? {
        try await changes.first(within: limit) { requests.first }
    }

    // MARK: - Calls

    func invite(_ friend: String, within limit: Interval = .seconds(60)) async throws -> Answer {
        ended = nil
        do {
            try revue.friends.sendInvitation(friendId: friend, message: "video")
        } catch {
            throw CommandFailure(.notAnswered, "\(friend) cannot be called: \(error.localizedDescription)")
        }
        let answer = try await changes.first(within: limit) { () -> Answer? in
            participant == nil ? ended.map(Answer.ended) : .connected
        }
        return answer ?? .ended(.timeout)
    }

    /// Waits to be called, and accepts.
    func answer(within limit: Interval) async throws {
        guard let caller = try await changes.first(within: limit, { incoming }) else {
            throw CommandFailure(.notAnswered, "nobody called within \(Int(limit.seconds)) s")
        }
        try revue.friends.acceptInvitation(friendId: caller)
        report(.accepted(from: caller))
        let connected = try await changes.first(within: .seconds(20)) { () -> Answer? in
            participant == nil ? ended.map(Answer.ended) : .connected
        }
        guard connected == .connected else {
            throw CommandFailure(.notAnswered, "\(caller) took the call back")
        }
    }

    func hangUp() {
        guard let participant else { return }
        report(.hungUp)
        participant.disconnect()
    }

    /// Runs until the friend is gone, or the limit; true when the friend is gone.
    func waitForEnd(within limit: Interval) async throws -> Bool {
        try await changes.first(within: limit) { participant == nil ? true : nil } ?? false
    }

    private static func advice(for error: RevueInitError) -> String {
        switch error {
        case .licenseMissing: "there is no licence; name one with --licence FILE"
        case .licenseMalformed: "the licence is not a licence file; name another with --licence FILE"
        case .licenseInvalid: "the licence was not signed with the key that this program knows"
        case .licenseExpired: "the licence is over; ask for a new one and name it with --licence FILE"
        case .waitingForDestroy: "the instance still runs"
        case .invalidConfiguration:
            "the configuration is refused: is another process using this --data directory?"
        default: "the instance did not start: \(error.localizedDescription)"
        }
    }
}

extension Peer: RevueDelegate {
    func revue(_ revue: Revue, didUpdateConnectionState status: SelfConnectionStatus) {
        report(.reachability("\(status)"))
        changes.notify()
    }

    func revue(_ revue: Revue, didReceiveFriendRequest friendId: String, message: String) {
        if !requests.contains(where: { $0.id == friendId }) { requests.append((friendId, message)) }
        report(.friendRequest(from: friendId, message: message))
        changes.notify()
    }

    func revue(_ revue: Revue, friend friendId: String, didUpdatePaths paths: FriendConnectionPaths) {
        report(.paths(friend: friendId, bits: Int(paths.rawValue)))
        changes.notify()
    }

    func revue(_ revue: Revue, friend friendId: String, didSendInvitation message: String?) {
        report(.invited(friendId))
    }

    func revue(_ revue: Revue, friend friendId: String, didReceiveInvitation message: String?) {
        incoming = friendId
        report(.invitation(from: friendId))
        changes.notify()
    }

    func revue(_ revue: Revue, friend friendId: String, didEndInvitation reason: InvitationEndReason) {
        if incoming == friendId { incoming = nil }
        ended = reason
        report(.invitationEnded(friend: friendId, reason: "\(reason)"))
        changes.notify()
    }
}

extension Peer: RoomDelegate {
    func room(_ room: Room, participantDidConnect participant: RemoteParticipant) {
        self.participant = participant
        incoming = nil
        disconnectReason = nil
        report(.connected(participant.identity))
        changes.notify()
    }

    func room(_ room: Room, participantDidDisconnect participant: RemoteParticipant) {
        self.participant = nil
        disconnectReason = participant.lastDisconnectReason
        report(.disconnected(reason: participant.lastDisconnectReason.map { "\($0)" } ?? "unknown"))
        changes.notify()
    }

    func room(_ room: Room, localParticipant: LocalParticipant, didPublishTrack publication: LocalTrackPublication) {
        report(.published(kind: "\(publication.kind)", options: publication.mimeType ?? ""))
    }

    func room(_ room: Room, participant: RemoteParticipant, didSubscribeTrack publication: RemoteTrackPublication) {
        report(.subscribed(kind: "\(publication.kind)", mimeType: publication.mimeType ?? ""))
        if let track = publication.track { subscribed(track) }
    }

    func room(_ room: Room, participant: RemoteParticipant, didUnsubscribeTrack publication: RemoteTrackPublication) {
        report(.unsubscribed(kind: "\(publication.kind)"))
    }

    func room(
        _ room: Room, participant: Participant, trackPublication: TrackPublication, didUpdateIsMuted isMuted: Bool
    ) {
        guard participant is RemoteParticipant else { return }
        report(.remoteMuted(kind: "\(trackPublication.kind)", isMuted))
        changes.notify()
    }
}
