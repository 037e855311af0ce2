// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

/// What an integrator may believe after all notices so far, checked notice by notice.
private struct Ledger {
    private var connected: Set<PeerID> = []
    private var ringing: Set<PeerID> = []
    private var own: Set<PublicationID> = []
    private var theirs: [PeerID: [PublicationID: Bool]] = [:]
    private var kinds: [PeerID: [PublicationID: MediaKind]] = [:]
    private var waiting: Set<OperationID> = []
    private var sending: Set<PublicationID> = []
    private var receiving: [PeerID: Set<PublicationID>] = [:]
    private(set) var complaints: [String] = []
    private(set) var counts: [String: Int] = [:]

    mutating func began(_ operation: OperationID) { waiting.insert(operation) }

    mutating func take(_ effects: [Effect]) { for effect in effects { take(effect) } }

    private mutating func check(_ holds: Bool, _ what: String) { if !holds { complaints.append(what) } }

    private mutating func take(_ effect: Effect) {
        switch effect {
        case .notify(let notice): take(notice)
        case .finish(let operation, _):
            check(waiting.remove(operation) != nil, "\(operation) ended twice or never began")
        case .startSending(let id, _): check(sending.insert(id).inserted, "\(id) sends twice")
        case .stopSending(let id): check(sending.remove(id) != nil, "\(id) stopped without sending")
        case .setOutlet(let id, _): check(sending.contains(id), "\(id) has an outlet without sending")
        case .startReceiving(let peer, let id, _):
            check(receiving[peer, default: []].insert(id).inserted, "\(id) received twice")
        case .stopReceiving(let peer, let id):
            check(receiving[peer]?.remove(id) != nil, "\(id) stopped without receiving")
        case .closeMedia(let peer): check(receiving[peer]?.isEmpty ?? true, "media closed while receiving")
        case .transport, .send, .keepAlive, .openMedia, .refreshMedia, .persist, .log: break
        }
    }

    private mutating func take(_ notice: Notice) {
        switch notice {
        case .sentInvitation(let peer, _), .receivedInvitation(let peer, _):
            check(!connected.contains(peer), "an invitation in a call")
            check(ringing.insert(peer).inserted, "two invitations at once")
        case .endedInvitation(let peer, let end):
            counts["ended \(end)", default: 0] += 1
            check(ringing.remove(peer) != nil, "an invitation ended twice")
        case .connected(let peer):
            counts["connected", default: 0] += 1
            ringing.remove(peer)
            check(connected.insert(peer).inserted, "connected twice")
        case .disconnected(let peer, let cause):
            counts["disconnected \(cause)", default: 0] += 1
            check(connected.remove(peer) != nil, "disconnected twice")
            check(theirs[peer]?.isEmpty ?? true, "disconnected before unsubscribed")
        case .published(let id):
            counts["published", default: 0] += 1
            check(own.insert(id).inserted, "published twice")
        case .unpublished(let id): check(own.remove(id) != nil, "unpublished twice")
        case .subscribed(let peer, let id, let stream, let muted):
            check(connected.contains(peer), "subscribed outside a call")
            check(theirs[peer]?[id] == nil, "subscribed twice")
            check(theirs[peer]?.keys.contains { kinds[peer]?[$0] == stream.kind } != true, "two of a kind")
            theirs[peer, default: [:]][id] = muted
            kinds[peer, default: [:]][id] = stream.kind
        case .unsubscribed(let peer, let id):
            check(theirs[peer]?.removeValue(forKey: id) != nil, "unsubscribed twice")
        case .remoteMuted(let peer, let id, let muted):
            counts["muted", default: 0] += 1
            check(theirs[peer]?[id] == !muted, "muted without a flip")
            theirs[peer]?[id] = muted
        case .message(let peer, _), .muteRequest(let peer, _):
            counts["messages", default: 0] += 1
            check(connected.contains(peer), "a message outside a call")
        case .selfReachability, .selfName, .selfStatusMessage, .selfAvailability, .friendRequest, .paths, .name,
            .statusMessage, .availability, .text, .trackMuted, .publicationMuted:
            break
        }
    }

    /// What must hold when nothing is under way any more.
    mutating func rest(_ session: Session) {
        check(waiting.isEmpty, "operations that never ended: \(waiting)")
        check(connected == Set(session.connectedPeers), "who is connected")
        check(own == Set(session.publications.map(\.id)), "what is published")
        check(sending == own, "what is sent")
    }
}

/// Legal commands in a random order, on a network that cuts, loses and restarts, against what must always hold.
@Suite struct `Whatever happens` {
    private struct Play {
        var world = World.ofFriends()
        var chance: SeededGenerator
        var ledgers = Who.allCases.map { _ in Ledger() }
        var lastOperation: UInt64 = 100

        init(seed: UInt64) {
            world = World.ofFriends(seed: seed)
            chance = SeededGenerator(seed: seed &+ 77)
        }

        mutating func pick<Element>(_ choices: [Element]) -> Element {
            choices[Int(chance.next() % UInt64(choices.count))]
        }

        mutating func step() {
            let who = pick(Who.allCases)
            let other = pick(Who.allCases.filter { $0 != who })
            switch chance.next() % 20 {
            case 0...3: world.act(who) { (try? $0.invite(other.peer, message: nil, at: $1)) ?? [] }
            case 4...6: world.act(who) { (try? $0.acceptInvitation(from: other.peer, at: $1)) ?? [] }
            case 7: world.act(who) { (try? $0.rejectInvitation(from: other.peer, at: $1)) ?? [] }
            case 8: world.act(who) { (try? $0.cancelInvitation(to: other.peer, at: $1)) ?? [] }
            case 9: world.act(who) { $0.hangUp(other.peer, at: $1) }
            case 10...13: publish(who, other)
            case 14: mute(who)
            case 15: unpublish(who)
            case 16: speak(who, other)
            case 17: network(who, other)
            default: break
            }
            collect()
            world.run(for: .milliseconds(Int64(pick([0, 1, 5, 12, 30, 200, 1_000, 4_000]))))
            collect()
        }

        private mutating func operation(_ who: Who) -> OperationID {
            lastOperation += 1
            return OperationID(rawValue: lastOperation)
        }

        private mutating func publish(_ who: Who, _ other: Who) {
            let track = pick(TrackDescription.all)
            let id = operation(who)
            guard (try? world.publish(track, from: who, to: other, as: id.rawValue)) != nil else { return }
            ledgers[who.rawValue].began(id)
            if chance.next() % 5 == 0 { world.act(who) { $0.cancel(id, at: $1) } }
        }

        private mutating func mute(_ who: Who) {
            let muted = chance.next() % 2 == 0
            let track = pick(TrackDescription.all)
            let hardware = pick(HardwareState.allCases)
            switch chance.next() % 3 {
            case 0: world.act(who) { $0.setMuted(muted, track: track.id, at: $1) }
            case 1: world.act(who) { $0.setHardware(hardware, of: track.id, at: $1) }
            default:
                guard let publication = world[who].publications.last else { return }
                world.act(who) { (try? $0.setMuted(muted, publication: publication.id, at: $1)) ?? [] }
            }
        }

        private mutating func unpublish(_ who: Who) {
            let all = world[who].publications
            guard !all.isEmpty else { return }
            let id = pick(all).id
            world.act(who) { $0.unpublish(id, at: $1) }
        }

        private mutating func speak(_ who: Who, _ other: Who) {
            let id = operation(who)
            let sent: Void? =
                switch chance.next() % 3 {
                case 0:
                    try? world.act(who) {
                        try $0.requestMute(true, of: other.peer, timeout: .seconds(10), operation: id, at: $1)
                    }
                case 1:
                    try? _ = world.act(who) {
                        try $0.sendMessage("x", to: other.peer, timeout: .seconds(5), operation: id, at: $1)
                    }
                default:
                    try? _ = world.act(who) {
                        try $0.sendText("x", to: other.peer, timeout: .seconds(5), operation: id, at: $1)
                    }
                }
            if sent != nil { ledgers[who.rawValue].began(id) }
        }

        private mutating func network(_ who: Who, _ other: Who) {
            switch chance.next() % 8 {
            case 0: world.lossPerMille = pick([0, 50, 300])
            case 1: world.blocked.insert([who, other])
            case 2: world.cut(who, other)
            case 3: world.report([], of: other, to: who)
            case 4: world.report(.tcpRelay, of: other, to: who)
            case 5:
                world.restart(who)
                ledgers[who.rawValue] = Ledger()
            default: world.blocked = []
            }
        }

        private mutating func collect() {
            for who in Who.allCases { ledgers[who.rawValue].take(world.effects(who)) }
            world.forget()
        }

        mutating func rest() {
            world.blocked = []
            world.lossPerMille = 0
            for who in Who.allCases {
                for other in Who.allCases where other != who { world.report(.udpDirect, of: other, to: who) }
            }
            world.run(for: .seconds(120))
            collect()
            for who in Who.allCases { ledgers[who.rawValue].rest(world[who]) }
        }
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `events balance, slots hold, and both sides agree in the end`(seed: UInt64) {
        var play = Play(seed: seed)
        for _ in 0..<150 { play.step() }
        play.rest()
        for who in Who.allCases {
            #expect(play.ledgers[who.rawValue].complaints == [], "\(who)")
            for other in Who.allCases where other != who {
                let one = play.world[who].call(with: other.peer)
                let another = play.world[other].call(with: who.peer)
                #expect(one?.membership.call == another?.membership.call, "\(who) and \(other)")
                let declared = play.world[who].publishing.to(other.peer)
                let known = another?.slots.all ?? []
                #expect(Set(declared.map(\.id)) == Set(known.map(\.id)), "\(who) to \(other)")
                for publication in declared {
                    let seen = known.first { $0.id == publication.id }
                    #expect(publication.isLive && seen?.stream == publication.stream)
                    #expect(seen?.isMuted == publication.outlet.isDeclaredMuted)
                }
                #expect(play.world[who].engagements[other.peer].map(isCall) ?? true, "an invitation still waits")
            }
        }
    }

    @Test func `the plays reach every kind of end`() {
        var counts: [String: Int] = [:]
        for seed in 1...60 as ClosedRange<UInt64> {
            var play = Play(seed: seed)
            for _ in 0..<150 { play.step() }
            for ledger in play.ledgers { counts.merge(ledger.counts, uniquingKeysWith: +) }
        }
        for name in [
            "connected", "disconnected leave", "disconnected networkLost", "published", "muted", "messages",
            "ended cancelled", "ended rejected", "ended timeout", "ended finished",
        ] {
            #expect(counts[name, default: 0] > 5, "\(name)")
        }
    }

    private func isCall(_ engagement: Engagement) -> Bool { if case .call = engagement { true } else { false } }
}
