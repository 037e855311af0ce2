// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// Who can reach whom, and who has noticed.
extension NetworkState {
    /// The path on which two running friends can reach each other right now.
    func path(_ pair: Pair) -> Paths? {
        guard let (lowMachine, low) = run(of: pair.low), let (highMachine, high) = run(of: pair.high),
            low.isJoined, high.isJoined, machines[lowMachine].isPlugged, machines[highMachine].isPlugged,
            low.account.position(of: pair.high) != nil, high.account.position(of: pair.low) != nil,
            isOpen(lowMachine, highMachine), isOpen(highMachine, lowMachine)
        else { return nil }
        if low.configuration.udpEnabled, high.configuration.udpEnabled { return .udpDirect }
        return low.configuration.tcpRelayEnabled && high.configuration.tcpRelayEnabled ? .tcpRelay : nil
    }

    func isOpen(_ sender: Int, _ receiver: Int) -> Bool {
        let conditions = links[LinkKey(from: sender, to: receiver)]?.conditions ?? defaultConditions
        return !conditions.isPartitioned
    }

    /// Something about this pair changed: plans what follows from it.
    mutating func reassess(_ pair: Pair) {
        var session = sessions[pair] ?? PairSession()
        defer { sessions[pair] = session }
        if path(pair) != nil {
            if session.isComplete {
                _ = session.decide(.nothing)
                for peer in [pair.low, pair.high] { resume(Direction(from: peer, to: pair.other(than: peer))) }
            } else if session.plan != .meeting {
                alarm(now + timing.contact, .meet(pair, epoch: session.decide(.meeting)))
            }
        } else if !session.isSeen {
            _ = session.decide(.nothing)
        } else if session.plan != .losing {
            alarm(now + timing.silence, .lose(pair, epoch: session.decide(.losing)))
        }
    }

    /// What waited behind a cut link comes one delay after it is whole again.
    private mutating func resume(_ direction: Direction) {
        guard let sender = places[direction.from], let receiver = places[direction.to] else { return }
        let delay = withLink(from: sender, to: receiver) { $0.conditions.delay }
        alarm(now + delay, .deliver(direction))
    }

    mutating func meet(_ pair: Pair, epoch: UInt64) {
        guard var session = sessions[pair], session.epoch == epoch, session.plan == .meeting,
            let paths = path(pair)
        else { return }
        session.plan = .nothing
        // A side that still believes in the session before the other's restart sees that one break first.
        for peer in [pair.low, pair.high] where session[peer, in: pair].seesOther {
            sessions[pair] = session
            close(pair, seenBy: peer, at: now)
            session = sessions[pair] ?? session
        }
        for peer in [pair.low, pair.high] { session[peer, in: pair].seesOther = true }
        sessions[pair] = session
        for peer in [pair.low, pair.high] { greet(peer, about: pair.other(than: peer), on: paths) }
    }

    mutating func lose(_ pair: Pair, epoch: UInt64) {
        guard let session = sessions[pair], session.epoch == epoch, session.plan == .losing else { return }
        sessions[pair]?.plan = .nothing
        for peer in [pair.low, pair.high] { close(pair, seenBy: peer, at: now) }
    }

    /// A clean end: the other side knows as soon as the goodbye can arrive; when it cannot, silence has to tell.
    mutating func sayGoodbye(from peer: PeerID, to other: PeerID) {
        let pair = Pair(peer, other)
        guard path(pair) != nil, let sender = places[peer], let receiver = places[other] else { return }
        let arrival = now + withLink(from: sender, to: receiver) { $0.conditions.delay }
        close(pair, seenBy: other, at: arrival)
    }

    /// One side stops believing in the other: its texts without a receipt have failed.
    mutating func close(_ pair: Pair, seenBy peer: PeerID, at instant: Instant) {
        guard let side = sessions[pair]?[peer, in: pair], side.seesOther else { return }
        sessions[pair]?.forget(peer, in: pair)
        guard let machine = places[peer] else { return }
        report(.paths(pair.other(than: peer), []), to: machine, at: instant)
        for token in side.unreceipted {
            report(.textFailed(token: token, .notReachable), to: machine, at: instant)
        }
    }

    /// A contact: the path, then everything that a friend shows of themselves.
    private mutating func greet(_ peer: PeerID, about friend: PeerID, on paths: Paths) {
        guard let (machine, run) = run(of: peer), let position = run.account.position(of: friend),
            let profile = self.run(of: friend)?.run.account.profile
        else { return }
        report(.paths(friend, paths), to: machine)
        report(.name(friend, profile.name), to: machine)
        report(.statusMessage(friend, profile.statusMessage), to: machine)
        report(.availability(friend, profile.availability), to: machine)
        let known = Account.Friend(peer: friend, profile: profile)
        guard run.account.friends[position] != known else { return }
        machines[machine].run?.account.friends[position] = known
        reportSavedataChange(of: machine)
    }
}
