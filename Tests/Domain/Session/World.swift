// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

@testable import RevueDomain

/// Who takes part in a world. Keys are in this order, so Alice has the smallest.
enum Who: Int, CaseIterable, Sendable {
    case alice, bob, carol

    var peer: PeerID { PeerID(bytes: [UInt8](repeating: UInt8(rawValue + 1), count: PeerID.byteCount)) ?? .nobody }
    var address: FriendAddress { FriendAddress(peer: peer, nospam: UInt32(rawValue + 1)) }
    static func of(_ peer: PeerID) -> Who? { allCases.first { $0.peer == peer } }
}

extension PeerID {
    /// A key that nobody has.
    static var nobody: PeerID { numbered(0) }

    /// A key for this number.
    static func numbered(_ number: UInt64) -> PeerID {
        var bytes = [UInt8](repeating: 0x7f, count: byteCount - 8)
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        guard let peer = PeerID(bytes: bytes) else { fatalError("32 bytes are a key") }
        return peer
    }
}

/// Sessions that hear each other through a simulated network, in virtual time.
///
/// The transport carries requests, texts and datagrams. It notices a partition only when told, as real ones do late.
struct World {
    /// One participant.
    struct Node {
        var session: Session
        /// Whom the transport knows, and what it claims of them.
        var claims: [PeerID: Paths] = [:]
        var effects: [Effect] = []
        var isRunning = true
    }

    private struct Packet {
        enum Payload {
            case datagram([UInt8])
            case keepAlive
            case request(String)
            case text(String, token: UInt64)
            case receipt(UInt64)
        }
        var due: Instant
        var order: Int
        var from: Who
        var to: Who
        var payload: Payload
    }

    var now = Instant(nanoseconds: 1_000_000_000)
    var latency = Interval.milliseconds(10)
    /// How many of a thousand datagrams get lost.
    var lossPerMille: UInt64 = 0
    /// Directions in which nothing arrives.
    var blocked: Set<[Who]> = []
    private(set) var nodes: [Node]
    private var inFlight: [Packet] = []
    private var sentCount = 0
    private var chance: SeededGenerator
    private var nextSeed: UInt64

    /// Everybody, without friends.
    init(seed: UInt64 = 1) {
        chance = SeededGenerator(seed: seed)
        nextSeed = seed &* 1_000
        nodes = Who.allCases.map { who in
            Node(session: Session(Session.Start(address: who.address, seed: seed &* 1_000 &+ UInt64(who.rawValue))))
        }
    }

    /// Everybody a friend of everybody, with paths.
    static func ofFriends(seed: UInt64 = 1) -> World {
        var world = World(seed: seed)
        for one in Who.allCases {
            for other in Who.allCases where one != other { world.befriend(one, other) }
        }
        world.run(for: .seconds(1))
        world.forget()
        return world
    }

    /// Two friends in a call that Alice began.
    static func inCall(seed: UInt64 = 1) -> World {
        var world = ofFriends(seed: seed)
        world.connect(.alice, .bob)
        world.forget()
        return world
    }

    subscript(who: Who) -> Session { nodes[who.rawValue].session }

    // MARK: What happened

    func effects(_ who: Who) -> [Effect] { nodes[who.rawValue].effects }
    func notices(_ who: Who) -> [Notice] {
        effects(who).compactMap { if case .notify(let notice) = $0 { notice } else { nil } }
    }
    func ends(_ who: Who) -> [OperationID: [OperationOutcome]] {
        var result: [OperationID: [OperationOutcome]] = [:]
        for case .finish(let operation, let outcome) in effects(who) { result[operation, default: []].append(outcome) }
        return result
    }
    mutating func forget() { for index in nodes.indices { nodes[index].effects = [] } }

    // MARK: What is done

    /// Carries a command out and what it asks for.
    mutating func act(_ who: Who, _ body: (inout Session, Instant) throws -> [Effect]) rethrows {
        carryOut(try body(&nodes[who.rawValue].session, now), of: who)
    }

    /// Carries a command out that also returns something.
    mutating func act<Result>(
        _ who: Who, _ body: (inout Session, Instant) throws -> (Result, [Effect])
    ) rethrows -> Result {
        let (result, effects) = try body(&nodes[who.rawValue].session, now)
        carryOut(effects, of: who)
        return result
    }

    mutating func handle(_ who: Who, _ event: Event) { act(who) { $0.handle(event, at: $1) } }

    /// A session speaks out of turn: this goes straight onto its link.
    mutating func inject(_ message: ControlMessage, from who: Who, to other: Who) {
        act(who) { session, now in
            var effects: [Effect] = []
            _ = session.send(message, to: other.peer, at: now, into: &effects)
            return effects
        }
    }

    /// What `who` has sent to `other` since the last `forget`, as the link there would deliver it.
    func said(_ who: Who, to other: Who) -> [ControlMessage] {
        guard var link = self[other].links.open[who.peer] else { return [] }
        var messages: [ControlMessage] = []
        for case .send(let bytes, other.peer) in effects(who) {
            for case .deliver(let message) in link.receive(bytes, at: now) { messages.append(message) }
        }
        return messages
    }

    mutating func befriend(_ one: Who, _ other: Who) {
        act(one) { session, now in (try? session.acceptFriend(other.peer, at: now)) ?? [] }
    }

    mutating func connect(_ caller: Who, _ callee: Who) {
        act(caller) { (try? $0.invite(callee.peer, message: nil, at: $1)) ?? [] }
        run(for: .seconds(1))
        act(callee) { (try? $0.acceptInvitation(from: caller.peer, at: $1)) ?? [] }
        run(for: .seconds(1))
    }

    // MARK: The network

    mutating func cut(_ one: Who, _ other: Who) { blocked.formUnion([[one, other], [other, one]]) }
    mutating func mend(_ one: Who, _ other: Who) { blocked.subtract([[one, other], [other, one]]) }

    /// The transport of `who` reports these paths to `other`.
    mutating func report(_ paths: Paths, of other: Who, to who: Who) {
        nodes[who.rawValue].claims[other.peer] = paths
        handle(who, .transport(.paths(other.peer, paths)))
    }

    /// The process dies without a word.
    mutating func kill(_ who: Who) {
        nodes[who.rawValue].isRunning = false
        inFlight.removeAll { $0.from == who || $0.to == who }
    }

    /// The process starts again with its identity, friends and stored state.
    mutating func restart(_ who: Who) {
        kill(who)
        nextSeed &+= 17
        let old = self[who]
        let friends = old.friends.map { FriendRecord(peer: $0, profile: old.profile(of: $0) ?? Profile()) }
        nodes[who.rawValue].session = Session(
            Session.Start(
                address: old.address, profile: old.profile, friends: friends,
                stored: StoredState(decoding: old.stored.encoded()) ?? StoredState(), seed: nextSeed &+ 7))
        nodes[who.rawValue].isRunning = true
        for friend in friends {
            if let other = Who.of(friend.peer), nodes[other.rawValue].claims[who.peer] != nil {
                report(.udpDirect, of: other, to: who)
            }
        }
    }

    /// Lets time pass, event by event.
    mutating func run(for duration: Interval) {
        let end = now + duration
        for _ in 0..<200_000 {
            guard let next = nextInstant, next <= end else {
                now = end
                return
            }
            now = max(now, next)
            step()
        }
        fatalError("The world does not come to rest.")
    }

    private var nextInstant: Instant? {
        let timers = nodes.filter(\.isRunning).compactMap(\.session.nextDeadline)
        return (timers + inFlight.map(\.due)).min()
    }

    private mutating func step() {
        let due = inFlight.filter { $0.due <= now }.sorted { ($0.due, $0.order) < ($1.due, $1.order) }
        inFlight.removeAll { $0.due <= now }
        for packet in due { arrive(packet) }
        for who in Who.allCases where nodes[who.rawValue].isRunning {
            if let deadline = self[who].nextDeadline, deadline <= now { handle(who, .timer) }
        }
    }

    private mutating func arrive(_ packet: Packet) {
        let (from, to) = (packet.from, packet.to)
        guard nodes[to.rawValue].isRunning, !blocked.contains([from, to]) else { return }
        switch packet.payload {
        case .datagram(let bytes): handle(to, .datagram(from.peer, bytes))
        case .keepAlive: handle(to, .heard(from.peer))
        case .request(let text): handle(to, .transport(.friendRequest(from.peer, message: text)))
        case .text(let text, let token):
            guard nodes[to.rawValue].claims[from.peer] != nil else { return }
            handle(to, .transport(.text(from.peer, text)))
            post(.receipt(token), from: to, to: from)
        case .receipt(let token): handle(to, .transport(.textDelivered(token: token)))
        }
    }

    private mutating func post(_ payload: Packet.Payload, from: Who, to peer: PeerID) {
        if let to = Who.of(peer) { post(payload, from: from, to: to) }
    }

    private mutating func post(_ payload: Packet.Payload, from: Who, to: Who) {
        sentCount += 1
        switch payload {
        case .datagram, .keepAlive: if chance.next() % 1_000 < lossPerMille { return }
        case .request, .text, .receipt: break
        }
        inFlight.append(Packet(due: now + latency, order: sentCount, from: from, to: to, payload: payload))
    }

    private mutating func carryOut(_ effects: [Effect], of who: Who) {
        nodes[who.rawValue].effects += effects
        for effect in effects {
            switch effect {
            case .send(let bytes, let peer): post(.datagram(bytes), from: who, to: peer)
            case .keepAlive(let peer): post(.keepAlive, from: who, to: peer)
            case .transport(let command): perform(command, of: who)
            case .openMedia, .closeMedia, .startSending, .setOutlet, .stopSending, .refreshMedia, .startReceiving,
                .stopReceiving, .notify, .finish, .persist, .log:
                break
            }
        }
    }

    private mutating func perform(_ command: TransportCommand, of who: Who) {
        switch command {
        case .addFriend(let address, let message):
            meet(who, address.peer)
            post(.request(message), from: who, to: address.peer)
        case .acceptFriend(let peer): meet(who, peer)
        case .deleteFriend(let peer):
            nodes[who.rawValue].claims[peer] = nil
            if let other = Who.of(peer), nodes[other.rawValue].claims[who.peer] != nil {
                report([], of: who, to: other)
            }
        case .sendText(let peer, let text, let token): post(.text(text, token: token), from: who, to: peer)
        case .setName(let name): tellFriends(of: who) { .name($0, name) }
        case .setStatusMessage(let text): tellFriends(of: who) { .statusMessage($0, text) }
        case .setAvailability(let availability): tellFriends(of: who) { .availability($0, availability) }
        }
    }

    private mutating func meet(_ who: Who, _ peer: PeerID) {
        nodes[who.rawValue].claims[peer] = []
        guard let other = Who.of(peer), nodes[other.rawValue].claims[who.peer] != nil else { return }
        report(.udpDirect, of: other, to: who)
        report(.udpDirect, of: who, to: other)
    }

    private mutating func tellFriends(of who: Who, _ event: (PeerID) -> TransportEvent) {
        for other in Who.allCases where nodes[other.rawValue].claims[who.peer] != nil {
            handle(other, .transport(event(who.peer)))
        }
    }
}
