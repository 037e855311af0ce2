// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

extension Session {
    /// Queues a message to a friend; nil when too much waits already.
    mutating func send(
        _ message: ControlMessage, to peer: PeerID, at now: Instant, into effects: inout [Effect]
    ) -> ControlLink.Receipt? {
        let sent = changeLink(to: peer) {
            link -> Result<(ControlLink.Receipt, [ControlLink.Action]), ControlSendError> in
            Result { () throws(ControlSendError) in try link.send(message, at: now) }
        }
        switch sent {
        case .success((let receipt, let actions)):
            perform(actions, from: peer, at: now, into: &effects)
            return receipt
        case .failure(let error):
            effects.append(.log(LogLine(.warning, "control", "A control message was not sent: \(error).")))
            return nil
        }
    }

    mutating func receive(_ bytes: [UInt8], from peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        if links.departures.contains(peer) {
            let actions = links.departures.update(peer) { $0.link.receive(bytes, at: now) } ?? []
            performDeparting(actions, to: peer, into: &effects)
        } else if book.contains(peer) {
            let actions = changeLink(to: peer) { $0.receive(bytes, at: now) }
            perform(actions, from: peer, at: now, into: &effects)
        }
    }

    /// Takes what a frame acknowledges and nothing else.
    mutating func receiveUnread(_ bytes: [UInt8], from peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        guard links.open.contains(peer) else { return receive(bytes, from: peer, at: now, into: &effects) }
        let actions = changeLink(to: peer) { $0.receiveAcknowledgement(of: bytes, at: now) }
        perform(actions, from: peer, at: now, into: &effects)
    }

    mutating func linkTimerFired(_ peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        if links.departures.contains(peer) {
            let actions = links.departures.update(peer) { $0.link.timerFired(at: now) } ?? []
            performDeparting(actions, to: peer, into: &effects)
        } else if links.open.contains(peer) {
            let actions = changeLink(to: peer) { $0.timerFired(at: now) }
            perform(actions, from: peer, at: now, into: &effects)
        }
        // Whatever a peer may bring a link to, time goes on between two of its deadlines.
        if let deadline = timers[.link(peer)], deadline <= now { timers[.link(peer)] = now + .milliseconds(1) }
    }

    mutating func connectLink(to peer: PeerID, at now: Instant, into effects: inout [Effect]) {
        guard book.contains(peer) else { return }
        let actions = changeLink(to: peer) { $0.connect(at: now) }
        perform(actions, from: peer, at: now, into: &effects)
    }

    mutating func disconnectLink(to peer: PeerID, at now: Instant) {
        guard links.open.contains(peer) else { return }
        changeLink(to: peer) { $0.disconnect(at: now) }
    }

    /// Changes the link to a friend in place. A new one has a nonce of its own, so that a friend who was deleted and added
    /// again meets a new session.
    private mutating func changeLink<Result>(to peer: PeerID, _ body: (inout ControlLink) -> Result) -> Result {
        let result: Result
        if let changed = links.open.update(peer, body) {
            result = changed
        } else {
            var link = ControlLink(nonce: generator.nonZero64(), hello: Links.hello)
            result = body(&link)
            links.open[peer] = link
        }
        timers[.link(peer)] = links.open[peer]?.nextDeadline
        return result
    }

    private mutating func perform(
        _ actions: [ControlLink.Action], from peer: PeerID, at now: Instant, into effects: inout [Effect]
    ) {
        for action in actions {
            switch action {
            case .send(let bytes): effects.append(.send(bytes, to: peer))
            case .established: links.setIncompatible(peer, nil)
            case .peerRestarted: peerRestarted(peer, at: now, into: &effects)
            case .incompatible(let hello):
                links.setIncompatible(peer, hello)
                advance(.peerGone, with: peer, at: now, into: &effects)
                effects.append(.log(LogLine(.error, "control", "A friend speaks no version that we speak.")))
            case .deliver(let message): received(message, from: peer, at: now, into: &effects)
            case .acknowledged(let receipt):
                _ = changeCall(with: peer) { $0.membership.acknowledged(receipt, at: now) }
            case .heard: heard(peer, at: now, into: &effects)
            case .dropped(let reason):
                effects.append(.log(LogLine(.debug, "control", "A control frame was dropped: \(reason).")))
            }
        }
    }

    /// A message of a friend, to the machine that it is for. What belongs to another call than the active one is not for us.
    private mutating func received(
        _ message: ControlMessage, from peer: PeerID, at now: Instant, into effects: inout [Effect]
    ) {
        switch message {
        case .hello, .want, .presence, .candidate: break
        case .invite(let id, let text):
            received(.invite(message: text), of: id, from: peer, at: now, into: &effects)
        case .ringing(let id): received(.ringing, of: id, from: peer, at: now, into: &effects)
        case .accept(let id): received(.accept, of: id, from: peer, at: now, into: &effects)
        case .reject(let id): received(.reject, of: id, from: peer, at: now, into: &effects)
        case .cancel(let id): received(.cancel, of: id, from: peer, at: now, into: &effects)
        case .hangup(let id): received(.hangup, of: id, from: peer, at: now, into: &effects)
        case .goodbye: endEverything(with: peer, at: now, into: &effects)
        case .resume(let id, let states): receivedResume(id, states, from: peer, at: now, into: &effects)
        case .delivered(let id): receivedReceipt(id, from: peer, into: &effects)
        case .declare(let call, _), .declared(let call, _, _), .withdraw(let call, _, _), .mute(let call, _, _, _, _),
            .message(let call, _, _, _, _), .muteRequest(let call, _, _, _, _):
            // Two streams have no common order: what belongs to the call may overtake the accept, and proves it.
            if case .invitation(let invitation) = engagements[peer], invitation.isOurs, invitation.call == call {
                advance(.received(.accept, of: call), with: peer, at: now, into: &effects)
            }
            guard self.call(with: peer)?.membership.call == call else { return }
            receivedInCall(message, from: peer, at: now, into: &effects)
        }
    }

    private mutating func receivedInCall(
        _ message: ControlMessage, from peer: PeerID, at now: Instant, into effects: inout [Effect]
    ) {
        switch message {
        case .declare(let call, let declaration):
            receivedDeclaration(declaration, call: call, from: peer, at: now, into: &effects)
        case .declared(_, let id, let version):
            receivedDeclared(id, version: version, from: peer, into: &effects)
        case .withdraw(_, let id, let version):
            receivedWithdrawal(id, version: version, from: peer, into: &effects)
        case .mute(_, let id, let isMuted, _, let version):
            receivedMute(id, isMuted: isMuted, version: version, from: peer, into: &effects)
        case .message(_, let id, _, let deadline, let text):
            guard !text.isEmpty else { return }
            let notice = Notice.message(peer, text)
            receivedInRoom(notice, id: id, deadline: deadline, from: peer, at: now, into: &effects)
        case .muteRequest(_, let id, _, let deadline, let isMuted):
            let notice = Notice.muteRequest(peer, isMuted)
            receivedInRoom(notice, id: id, deadline: deadline, from: peer, at: now, into: &effects)
        case .hello, .invite, .ringing, .accept, .reject, .cancel, .hangup, .goodbye, .resume, .delivered, .want,
            .presence, .candidate:
            break
        }
    }

    // MARK: Goodbye

    /// Says goodbye to a friend, if a path works, and forgets the link once they acknowledged it or too much time passed.
    mutating func depart(
        from peer: PeerID, forgetting: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        var link = links.open[peer]
        links.forget(peer)
        timers[.link(peer)] = nil
        if link?.isEstablished == true, !book.paths(of: peer).isEmpty, let said = try? link?.send(.goodbye, at: now),
            let link
        {
            links.departures[peer] = Links.Departure(link: link, goodbye: said.0, isForgetting: forgetting)
            timers[.departure(peer)] = now + Links.linger
            performDeparting(said.1, to: peer, into: &effects)
        } else if forgetting {
            effects.append(.transport(.deleteFriend(peer)))
        }
    }

    private mutating func performDeparting(
        _ actions: [ControlLink.Action], to peer: PeerID, into effects: inout [Effect]
    ) {
        guard let departure = links.departures[peer] else { return }
        timers[.link(peer)] = departure.link.nextDeadline
        for action in actions {
            switch action {
            case .send(let bytes): effects.append(.send(bytes, to: peer))
            case .acknowledged(departure.goodbye), .peerRestarted, .incompatible:
                return finishDeparture(of: peer, into: &effects)
            case .acknowledged, .established, .deliver, .heard, .dropped: break
            }
        }
    }

    /// Nothing lingers any more.
    mutating func finishDeparture(of peer: PeerID, into effects: inout [Effect]) {
        guard let departure = links.departures[peer] else { return }
        links.departures[peer] = nil
        timers[.departure(peer)] = nil
        timers[.link(peer)] = nil
        if departure.isForgetting { effects.append(.transport(.deleteFriend(peer))) }
    }
}
