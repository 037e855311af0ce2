// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CToxcore
import RevueDomain
import RevuePorts
import RevueTime

extension ToxSession {
    /// The transport's thread: until `stop`, it sleeps for a packet, a request of ours, or toxcore's own interval.
    func run() {
        var nextIteration = ToxClock.now
        var lastIteration = ToxClock.nowWithSleep
        startBootstrap(at: ToxClock.now)
        if isNewIdentity { saving.request(at: ToxClock.now) }
        while !mailbox.isStopped {
            var mustIterate = handleLetters()
            sendWaiting()
            if mailbox.isStopped { break }
            let wait = nextIteration - ToxClock.now
            if !mustIterate && wait > .zero {
                let outcome = readiness.wait(atMost: wait)
                if outcome.signalled && !outcome.traffic { continue }
                mustIterate = outcome.traffic
            }
            let awake = ToxClock.nowWithSleep
            if awake - lastIteration > timing.sleepGap { wokeFromSleep(at: ToxClock.now) }
            lastIteration = awake
            iterate()
            sendWaiting()
            let now = ToxClock.now
            keepHouse(at: now)
            nextIteration = now + interval(at: now)
        }
        mailbox.close()
        queue.setFriends([])
    }

    private func iterate() {
        // The session outlives the call, and toxcore keeps the pointer only during it.
        tox_iterate(handle.pointer, Unmanaged.passUnretained(self).toOpaque())
        count { $0.iterations += 1 }
    }

    /// toxcore's interval, shorter where packets could wait for us unseen.
    private func interval(at now: Instant) -> Interval {
        let own = Interval.milliseconds(Int64(tox_iteration_interval(handle.pointer)))
        let isBlind = handle.udpPort != nil && udpSocket == nil
        let isFlowing = now - lastDatagram < timing.trafficMemory
        let isRelayed = paths.values.contains { $0.contains(.tcpRelay) }
        return isBlind && !paths.isEmpty || isRelayed && isFlowing ? min(own, timing.relayedInterval) : own
    }

    /// Everything that happens seldom.
    private func keepHouse(at now: Instant) {
        watchRelays(at: now)
        continueBootstrap(at: now)
        if saving.isDue(at: now) {
            saving.reported(at: now, timing: timing, isOnline: reachability != .offline)
            if !mailbox.isStopped { delegate.transportDidChangeSavedata() }
        }
        if patience.isExhausted(at: now), paths.isEmpty, !numbers.isEmpty { rebuild(at: now) }
    }

    /// While a friend is on a relay, that relay's socket should wake us too.
    private func watchRelays(at now: Instant) {
        guard now - lastRelayScan > .seconds(2), paths.values.contains(where: { $0.contains(.tcpRelay) }) else {
            return
        }
        lastRelayScan = now
        let ports = Set(configuration.nodes.compactMap(\.tcpRelayPort))
        if ports.isEmpty { return }
        for socket in OwnSockets.streams(toPorts: ports) {
            OwnSockets.sendWithoutDelay(socket)
            readiness.watchStream(socket)
        }
    }

    // MARK: Requests from other threads

    private func handleLetters() -> Bool {
        let letters = mailbox.collect()
        for letter in letters {
            if mailbox.isStopped, case .savedata(let reply) = letter {
                reply.answer([])
                continue
            }
            switch letter {
            case .command(let command): carryOut(command)
            case .savedata(let reply): reply.answer(handle.savedata)
            case .resolved(let node, let addresses): resolved(node: node, addresses: addresses, at: ToxClock.now)
            }
        }
        return !letters.isEmpty
    }

    // MARK: Datagrams

    /// Hands every waiting datagram to toxcore, which puts it on the wire at once.
    private func sendWaiting() {
        queue.beginTaking()
        var (sent, refused) = (0, 0)
        while let (peer, packet) = queue.first() {
            if send(packet, to: peer) { sent += 1 } else { refused += 1 }
            queue.removeFirst()
        }
        if sent + refused == 0 { return }
        lastDatagram = ToxClock.now
        count {
            $0.datagramsSent += sent
            $0.datagramsWithoutPath += refused
        }
    }

    private func send(_ packet: UnsafeRawBufferPointer, to peer: PeerID) -> Bool {
        guard let number = numbers[peer] else { return false }
        return tox_friend_send_lossy_packet(
            handle.pointer, number, packet.baseAddress?.assumingMemoryBound(to: UInt8.self), packet.count, nil)
    }
}
