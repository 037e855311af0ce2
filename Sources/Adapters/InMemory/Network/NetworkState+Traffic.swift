// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// Commands, texts and datagrams.
extension NetworkState {
    private static let textsInFlight = 256

    mutating func perform(_ command: TransportCommand, machine: Int, run number: UInt64) {
        guard let run = machines[machine].run, run.number == number else { return }
        let me = run.account.peer
        switch command {
        case .addFriend(let address, let message):
            if let reason = add(address, message: message, on: machine, me: me) {
                report(.commandFailed(command, reason: reason), to: machine)
            }
        case .acceptFriend(let peer):
            guard peer != me else { return report(.commandFailed(command, reason: "this is us"), to: machine) }
            accept(peer, on: machine, me: me)
        case .deleteFriend(let peer): delete(peer, on: machine, me: me)
        case .setName(let name):
            guard name.utf8.count <= 128 else {
                return report(.commandFailed(command, reason: "too long"), to: machine)
            }
            setProfile(.name(me, name), on: machine) { $0.name = name }
        case .setStatusMessage(let text):
            guard text.utf8.count <= 1_007 else {
                return report(.commandFailed(command, reason: "too long"), to: machine)
            }
            setProfile(.statusMessage(me, text), on: machine) { $0.statusMessage = text }
        case .setAvailability(let availability):
            setProfile(.availability(me, availability), on: machine) { $0.availability = availability }
        case .sendText(let peer, let text, let token):
            if let failure = sendText(text, token: token, from: me, to: peer, account: run.account) {
                report(.textFailed(token: token, failure), to: machine)
            } else if text.isEmpty {
                report(.commandFailed(command, reason: "an empty text cannot be sent"), to: machine)
            }
        }
    }

    // MARK: Texts

    private mutating func sendText(
        _ text: String, token: UInt64, from me: PeerID, to peer: PeerID, account: Account
    ) -> TextFailure? {
        let pair = Pair(me, peer)
        guard account.position(of: peer) != nil else { return .unknownFriend }
        guard text.utf8.count <= InMemoryTransport.limits.textBytes else { return .tooLong }
        guard !text.isEmpty else { return nil }
        guard let side = sessions[pair]?[me, in: pair], side.seesOther else { return .notReachable }
        guard side.unreceipted.count < NetworkState.textsInFlight else { return .queueFull }
        sessions[pair]?[me, in: pair].unreceipted.append(token)
        enqueue(.text(text, token: token), Direction(from: me, to: peer))
        return nil
    }

    /// Puts something reliable on its way; without a session there is none.
    mutating func enqueue(_ frame: PairSession.Reliable, _ direction: Direction) {
        let pair = direction.pair
        guard sessions[pair]?[direction.from, in: pair].seesOther == true, let sender = places[direction.from] else {
            return
        }
        let receiver = places[direction.to] ?? sender
        let previous = sessions[pair]?[direction.from, in: pair].outbox.last?.arrival ?? now
        let instant = now
        let arrival = max(previous, withLink(from: sender, to: receiver) { $0.carryReliably(at: instant) })
        sessions[pair]?[direction.from, in: pair].outbox.append((frame, arrival))
        alarm(arrival, .deliver(direction))
    }

    /// Hands over what has arrived. Behind a cut link it waits, and comes one delay after the link is whole again.
    mutating func deliver(_ direction: Direction) {
        let pair = direction.pair
        guard path(pair) != nil, let receiver = places[direction.to],
            sessions[pair]?[direction.to, in: pair].seesOther == true
        else { return }
        while let head = sessions[pair]?[direction.from, in: pair].outbox.first, head.arrival <= now {
            sessions[pair]?[direction.from, in: pair].outbox.removeFirst()
            switch head.frame {
            case .text(let text, let token):
                report(.text(direction.from, text), to: receiver)
                enqueue(.receipt(token: token), direction.reversed)
            case .receipt(let token):
                sessions[pair]?[direction.to, in: pair].unreceipted.removeAll { $0 == token }
                report(.textDelivered(token: token), to: receiver)
            case .profile(let event): receive(event, from: direction.from, on: receiver)
            }
        }
    }

    private mutating func receive(_ event: TransportEvent, from friend: PeerID, on machine: Int) {
        guard let position = machines[machine].run?.account.position(of: friend) else { return }
        switch event {
        case .name(_, let name): machines[machine].run?.account.friends[position].profile.name = name
        case .statusMessage(_, let text): machines[machine].run?.account.friends[position].profile.statusMessage = text
        case .availability(_, let value): machines[machine].run?.account.friends[position].profile.availability = value
        default: return
        }
        report(event, to: machine)
        reportSavedataChange(of: machine)
    }

    // MARK: Datagrams

    mutating func send(_ datagram: UnsafeRawBufferPointer, to peer: PeerID, machine: Int, run number: UInt64) -> Bool {
        guard let run = machines[machine].run, run.number == number, run.account.position(of: peer) != nil else {
            return false
        }
        let (me, pair) = (run.account.peer, Pair(run.account.peer, peer))
        guard let target = places[peer], sessions[pair]?[me, in: pair].seesOther == true, path(pair) != nil else {
            if let target = places[peer] {
                withLink(from: machine, to: target) { $0.countUncarried(byteCount: datagram.count) }
            }
            return true
        }
        let instant = now
        let arrivals = withLink(from: machine, to: target) { $0.carry(byteCount: datagram.count, at: instant) }
        guard let first = arrivals.first else { return true }
        let bytes = [UInt8](datagram)
        receive(bytes, from: me, on: target, at: first)
        if let copy = arrivals.copy { receive(bytes, from: me, on: target, at: copy) }
        return true
    }

    private func receive(_ bytes: [UInt8], from peer: PeerID, on machine: Int, at instant: Instant) {
        guard let run = machines[machine].run else { return }
        let (delegate, isAlive) = (run.listener.delegate, run.isAlive)
        _ = run.listener.lane.schedule(at: instant) {
            guard isAlive.withLock({ $0 }) else { return }
            bytes.withUnsafeBytes { delegate.transport(didReceive: $0, from: peer) }
        }
    }
}
