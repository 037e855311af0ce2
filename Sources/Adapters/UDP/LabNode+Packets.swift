// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// What packets do.
extension LabNode {
    /// A datagram that starts as a packet of ours does; false when it is malformed or not meant for us.
    mutating func received(_ datagram: [UInt8], from endpoint: Endpoint, at now: Instant) -> Bool {
        guard let packet = LabPacket(parsing: datagram), packet.sender != identity.peer else { return false }
        switch packet.content {
        case .request(let address, let id, let message):
            return requested(by: packet.sender, at: address, (id, message), from: endpoint)
        case .requestReceived(let id):
            guard let index = index(of: packet.sender), friends[index].request?.id == id else { return false }
            friends[index].request?.isReceived = true
            learn(endpoint, index)
            return true
        case .hello(let receiver) where receiver != identity.peer: return false
        case .hello, .heartbeat, .item, .goodbye:
            guard let index = index(of: packet.sender) else { return false }
            return received(packet, index, from: endpoint, at: now)
        }
    }

    private mutating func requested(
        by peer: PeerID, at address: FriendAddress, _ request: (id: UInt64, message: String), from endpoint: Endpoint
    ) -> Bool {
        guard address == identity.address else { return false }
        effects.append(
            .transmit(LabPacket(sender: identity.peer, content: .requestReceived(id: request.id)), to: endpoint))
        if let index = index(of: peer) {
            learn(endpoint, index)
            return true
        }
        let known = requesters.firstIndex { $0.peer == peer }
        let last = known.map { requesters.remove(at: $0) }
        requesters.append(Requester(peer: peer, id: request.id, endpoint: endpoint))
        if requesters.count > Self.rememberedRequesters { requesters.removeFirst() }
        if last?.id != request.id { effects.append(.report(.friendRequest(peer, message: request.message))) }
        return true
    }

    private mutating func received(
        _ packet: LabPacket, _ index: Int, from endpoint: Endpoint, at now: Instant
    ) -> Bool {
        let link = friends[index]
        guard packet.nonce != 0, !link.retired.contains(packet.nonce) else { return false }
        guard packet.answered == link.nonce else {
            guard case .hello = packet.content else { return false }
            friends[index].speaks = true
            let answer = helloPacket(index, answering: packet.nonce)
            effects.append(.transmit(answer, to: endpoint))
            return true
        }
        friends[index].speaks = true
        switch link.state {
        case .up(var connection) where connection.peerNonce == packet.nonce:
            connection.lastHeard = now
            let hasMoved = connection.endpoint != endpoint
            connection.endpoint = endpoint
            friends[index].state = .up(connection)
            if hasMoved { learn(endpoint, index) }
        case .up(let connection):
            friends[index].retire(connection.peerNonce)
            bringDown(index, keepsNonce: true, at: now)
            bringUp(index, packet.nonce, endpoint, at: now)
        case .searching, .plain: bringUp(index, packet.nonce, endpoint, at: now)
        }
        take(packet, index, at: now)
        return true
    }

    /// A packet on a link that is up.
    private mutating func take(_ packet: LabPacket, _ index: Int, at now: Instant) {
        guard var connection = friends[index].connection else { return }
        let delivered = connection.stream.acknowledged(upTo: packet.acknowledgement, at: now)
        effects += delivered.map { .report(.textDelivered(token: $0)) }
        var isNext = false
        if case .item = packet.content { isNext = connection.stream.accepts(packet.sequence) }
        friends[index].state = .up(connection)
        switch packet.content {
        case .item(let item):
            if isNext { deliver(item, index) }
            transmit(.heartbeat, index, at: now)
        case .goodbye: return bringDown(index, keepsNonce: false, at: now)
        case .hello, .heartbeat, .request, .requestReceived: break
        }
        flush(index, at: now)
    }

    private mutating func deliver(_ item: LabItem, _ index: Int) {
        let peer = friends[index].peer
        let before = friends[index].profile
        let event: TransportEvent
        switch item {
        case .name(let name):
            friends[index].profile.name = name
            event = .name(peer, name)
        case .statusMessage(let message):
            friends[index].profile.statusMessage = message
            event = .statusMessage(peer, message)
        case .availability(let availability):
            friends[index].profile.availability = availability
            event = .availability(peer, availability)
        case .text(let text): return effects.append(.report(.text(peer, text)))
        }
        if friends[index].profile != before { effects += [.report(event), .save] }
    }

    // MARK: The link's life

    private mutating func bringUp(_ index: Int, _ peerNonce: UInt64, _ endpoint: Endpoint, at now: Instant) {
        let wasPlain = if case .plain = friends[index].state { true } else { false }
        var connection = FriendLink.Connection(
            peerNonce: peerNonce, endpoint: endpoint, lastHeard: now, lastSent: now)
        connection.stream.offerLatest(.name(profile.name))
        connection.stream.offerLatest(.statusMessage(profile.statusMessage))
        connection.stream.offerLatest(.availability(profile.availability))
        friends[index].state = .up(connection)
        friends[index].request = nil
        learn(endpoint, index)
        if !wasPlain { effects.append(.report(.paths(friends[index].peer, .udpDirect))) }
        flush(index, at: now)
    }

    /// The friend is gone: the path, then the texts that nobody acknowledged.
    mutating func bringDown(_ index: Int, keepsNonce: Bool, at now: Instant) {
        let link = friends[index]
        if !keepsNonce { friends[index].nonce = Self.nonce() }
        friends[index].state = .searching(nextHello: now + timing.heartbeat)
        placesChanged()
        effects.append(.report(.paths(link.peer, [])))
        for token in link.connection?.stream.waiting.compactMap(\.token) ?? [] {
            effects.append(.report(.textFailed(token: token, .notReachable)))
        }
    }

    private mutating func learn(_ endpoint: Endpoint, _ index: Int) {
        if friends[index].learned != endpoint {
            friends[index].learned = endpoint
            effects.append(.save)
        }
        placesChanged()
    }

    // MARK: Sending

    /// Sends what the stream lets go.
    mutating func flush(_ index: Int, at now: Instant) {
        guard var connection = friends[index].connection else { return }
        let departures = connection.stream.departures(at: now)
        friends[index].state = .up(connection)
        for departure in departures { transmit(.item(departure.item), index, departure.sequence, at: now) }
    }

    mutating func transmit(_ content: LabPacket.Content, _ index: Int, _ sequence: UInt32 = 0, at now: Instant) {
        guard var connection = friends[index].connection else { return }
        var packet = LabPacket(sender: identity.peer, content: content)
        packet.nonce = friends[index].nonce
        packet.answered = connection.peerNonce
        packet.sequence = sequence
        packet.acknowledgement = connection.stream.expected
        connection.lastSent = now
        friends[index].state = .up(connection)
        effects.append(.transmit(packet, to: connection.endpoint))
    }

    private func helloPacket(_ index: Int, answering nonce: UInt64) -> LabPacket {
        var packet = LabPacket(sender: identity.peer, content: .hello(receiver: friends[index].peer))
        packet.nonce = friends[index].nonce
        packet.answered = nonce
        return packet
    }

    /// Everything that is due.
    mutating func timerFired(at now: Instant) {
        for index in friends.indices where friends[index].nextDeadline(timing) <= now {
            switch friends[index].state {
            case .searching(let nextHello): search(index, isHelloDue: nextHello <= now, at: now)
            case .plain:
                friends[index].state = .searching(nextHello: now)
                placesChanged()
                effects.append(.report(.paths(friends[index].peer, [])))
            case .up(let connection):
                if connection.lastHeard + timing.silence <= now {
                    bringDown(index, keepsNonce: false, at: now)
                } else {
                    flush(index, at: now)
                    let lastSent = friends[index].connection?.lastSent ?? now
                    if lastSent + timing.heartbeat <= now { transmit(.heartbeat, index, at: now) }
                }
            }
        }
    }

    private mutating func search(_ index: Int, isHelloDue: Bool, at now: Instant) {
        let link = friends[index]
        let own = link.places
        let targets = own.isEmpty ? contacts.filter { $0.peer == nil }.map(\.endpoint) : own
        if isHelloDue {
            let hello = helloPacket(index, answering: 0)
            effects += targets.map { .transmit(hello, to: $0) }
            friends[index].state = .searching(nextHello: now + timing.heartbeat)
        }
        if let request = link.request, !request.isReceived, request.nextAttempt <= now {
            let content = LabPacket.Content.request(request.address, id: request.id, message: request.message)
            effects += targets.map { .transmit(LabPacket(sender: identity.peer, content: content), to: $0) }
            friends[index].request?.nextAttempt = now + timing.heartbeat
        }
    }
}
