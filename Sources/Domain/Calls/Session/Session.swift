// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// The whole of a user's state between friends: who they are, who invites whom, who is in the room and what is published.
///
/// One value, advanced by events and commands, each of which returns what the outside must do, in order. It reads no clock
/// and draws randomness from its seed alone: the same inputs give the same outputs. A command that throws has changed
/// nothing. It belongs to one thread at a time.
public struct Session: Sendable, Equatable {
    /// What a session starts with.
    public struct Start: Sendable {
        /// Our address.
        public var address: FriendAddress
        /// Our own profile.
        public var profile: Profile
        /// Our friends, in the order to show them.
        public var friends: [FriendRecord]
        /// What the last session stored.
        public var stored: StoredState
        /// What the transport carries.
        public var limits: Limits
        /// All randomness follows from it: it must differ from session to session.
        public var seed: UInt64

        /// A start.
        public init(
            address: FriendAddress, profile: Profile = Profile(), friends: [FriendRecord] = [],
            stored: StoredState = StoredState(), limits: Limits = Limits(), seed: UInt64
        ) {
            self.address = address
            self.profile = profile
            self.friends = friends
            self.stored = stored
            self.limits = limits
            self.seed = seed
        }
    }

    /// The sizes that the transport carries, in bytes.
    public struct Limits: Sendable, Hashable {
        /// The longest friend request.
        public var requestBytes: Int
        /// The longest text, and the longest room message with what goes around it.
        public var textBytes: Int
        /// The largest datagram.
        public var datagramBytes: Int

        /// Limits; the defaults are toxcore's, less what tunnels take.
        public init(requestBytes: Int = 921, textBytes: Int = 1_372, datagramBytes: Int = 1_188) {
            self.requestBytes = requestBytes
            self.textBytes = textBytes
            self.datagramBytes = datagramBytes
        }
    }

    /// Our address.
    public let address: FriendAddress
    /// Our own profile.
    public internal(set) var profile: Profile
    /// How we are reachable.
    public internal(set) var selfReachability = SelfReachability.offline

    let limits: Limits
    var generator: SeededGenerator
    var book: FriendBook
    var requests: FriendRequestLedger
    var engagements = SortedTable<PeerID, Engagement>()
    var publishing = PublicationLedger()
    var messages = MessageLedger()
    var links = Links()
    var timers = Timers()
    var lastCall: UInt64 = 0
    var isClosed = false

    /// A session that knows its friends and has heard of none yet.
    public init(_ start: Start) {
        address = start.address
        profile = start.profile.repaired
        limits = start.limits
        generator = SeededGenerator(seed: start.seed)
        book = FriendBook(start.friends.filter { $0.peer != start.address.peer })
        requests = FriendRequestLedger(start.stored)
    }

    /// Takes in what happened and returns what the outside must do, in order.
    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .timer: fireTimers(at: now, into: &effects)
        case .datagram(let peer, let bytes): receive(bytes, from: peer, at: now, into: &effects)
        case .unreadDatagram(let peer, let bytes): receiveUnread(bytes, from: peer, at: now, into: &effects)
        case .heard(let peer): heard(peer, at: now, into: &effects)
        case .transport(let event): if !isClosed { handle(event, at: now, into: &effects) }
        }
        return effects
    }

    /// When `handle(.timer)` is due if nothing else happens; nil when nothing is waited for.
    public var nextDeadline: Instant? { timers.next?.deadline }

    /// What must outlive the session; changed whenever an effect says `persist`.
    public var stored: StoredState { requests.stored }

    private mutating func fireTimers(at now: Instant, into effects: inout [Effect]) {
        while let name = timers.takeDue(at: now) {
            switch name {
            case .link(let peer): linkTimerFired(peer, at: now, into: &effects)
            case .departure(let peer): finishDeparture(of: peer, into: &effects)
            case .invitation(let peer): advance(.expired, with: peer, at: now, into: &effects)
            case .silence(let peer): silenceTimerFired(peer, at: now, into: &effects)
            case .keepAlive(let peer):
                timers[name] = now + CallMembership.keepAlive
                effects.append(.keepAlive(peer))
            case .networkLost(let peer): endCall(with: peer, because: .networkLost, at: now, into: &effects)
            case .publish(let id): publishTimerFired(id, at: now, into: &effects)
            case .message(let token): finishMessage(token, .failed(.timedOut), into: &effects)
            }
        }
    }

    private mutating func handle(_ event: TransportEvent, at now: Instant, into effects: inout [Effect]) {
        switch event {
        case .selfReachability(let reachability):
            guard reachability != selfReachability else { return }
            selfReachability = reachability
            effects.append(.notify(.selfReachability(reachability)))
        case .friendRequest(let peer, let message):
            receivedRequest(message, from: peer, at: now, into: &effects)
        case .paths(let peer, let paths):
            let inCall = isConnected(peer)
            changeReach(of: peer, at: now, into: &effects) { $0.reported(paths, inCall: inCall) }
        case .name(let peer, let name):
            if let name = book.setName(name, of: peer) { effects.append(.notify(.name(peer, name))) }
        case .statusMessage(let peer, let text):
            if let text = book.setStatusMessage(text, of: peer) { effects.append(.notify(.statusMessage(peer, text))) }
        case .availability(let peer, let availability):
            if book.setAvailability(availability, of: peer) {
                effects.append(.notify(.availability(peer, availability)))
            }
        case .text(let peer, let text):
            if book.contains(peer), !text.isEmpty { effects.append(.notify(.text(peer, text))) }
        case .textDelivered(let token): finishText(token, .done, into: &effects)
        case .textFailed(let token, let failure): finishText(token, .failed(failure.asOutcome), into: &effects)
        case .commandFailed(let command, let reason): commandFailed(command, reason, at: now, into: &effects)
        }
    }
}

/// What we and one friend have to do with each other beyond friendship.
enum Engagement: Equatable, Sendable {
    /// One invited the other.
    case invitation(Invitation)
    /// Both are in a call.
    case call(Call)

    /// An active call.
    struct Call: Equatable, Sendable {
        var membership: CallMembership
        var slots = SubscriptionSlots()
        var seen = SeenMessages()
    }
}
