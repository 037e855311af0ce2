// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Glibc
import RevueDomain
import RevuePorts
import RevueTime

/// The transport's thread: it owns the node, and sleeps until the socket has something, somebody asks, or a time is due.
final class SocketLoop: @unchecked Sendable {
    // SAFETY: after `start` handed it over, only the transport's thread touches `node`, `lookups` and the buffers.

    private let socket: DatagramSocket
    private let letters: Letterbox
    private let routes: Locked<[PeerID: Endpoint?]>
    private let counters: Locked<UDPCounters>
    private let delegate: any TransportDelegate
    private var node: LabNode
    private var lookups: [Lookup]
    /// The last savedata that was worth saving.
    private var saved: [UInt8]

    /// A host name that has yet to become an address.
    struct Lookup {
        var peer: UDPTransport.Peer
        var nextAttempt = Instant.zero
        var isUnderWay = false
    }

    struct Shared {
        let letters: Letterbox
        let routes: Locked<[PeerID: Endpoint?]>
        let counters: Locked<UDPCounters>
    }

    init(
        socket: DatagramSocket, node: LabNode, names: [UDPTransport.Peer], shared: Shared,
        delegate: any TransportDelegate
    ) {
        self.socket = socket
        self.node = node
        self.delegate = delegate
        letters = shared.letters
        routes = shared.routes
        counters = shared.counters
        lookups = names.map { Lookup(peer: $0) }
        saved = node.account.savedata
        routes.withLock { $0 = node.routes }
    }

    var savedata: [UInt8] { node.account.savedata }

    func run() {
        report(.selfReachability(.udp))
        while !letters.isStopped {
            receive()
            handleLetters()
            let now = LabClock.now
            lookUp(at: now)
            node.timerFired(at: now)
            settle()
            if letters.isStopped { break }
            sleep(until: nextDeadline)
        }
        node.leave(at: LabClock.now)
        settle()
        routes.withLock { $0 = [:] }
        letters.close()
    }

    private var nextDeadline: Instant {
        let lookup = lookups.filter { !$0.isUnderWay }.map(\.nextAttempt).min()
        let times = [node.nextDeadline, lookup].compactMap { $0 }
        return times.min() ?? LabClock.now + .seconds(60)
    }

    private func sleep(until deadline: Instant) {
        let wait = deadline - LabClock.now
        let nanoseconds = max(0, min(wait.nanoseconds, 60_000_000_000))
        var descriptors = [
            pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: letters.wake.reading, events: Int16(POLLIN), revents: 0),
        ]
        poll(&descriptors, nfds_t(descriptors.count), Int32((nanoseconds + 999_999) / 1_000_000))
        if descriptors[1].revents != 0 { letters.wake.clear() }
    }

    // MARK: Receiving

    /// Takes what has arrived, at most so much that commands are not kept waiting.
    private func receive() {
        withUnsafeTemporaryAllocation(byteCount: 2_048, alignment: 16) { buffer in
            for _ in 0..<128 {
                if letters.isStopped { return }
                switch socket.receive(into: buffer) {
                case .nothing: return
                case .unusable: counters.withLock { $0.malformed += 1 }
                case .datagram(let length, let endpoint):
                    take(UnsafeRawBufferPointer(rebasing: buffer[..<length]), from: endpoint)
                }
            }
        }
    }

    private func take(_ datagram: UnsafeRawBufferPointer, from endpoint: Endpoint) {
        let now = LabClock.now
        if LabPacket.isOwn(datagram) {
            let isTaken = node.received(Array(datagram), from: endpoint, at: now)
            if !isTaken { counters.withLock { $0.malformed += 1 } }
            return settle()
        }
        guard 1...UDPTransport.datagramBytes ~= datagram.count else {
            return counters.withLock { $0.malformed += 1 }
        }
        let peer = node.heard(from: endpoint, at: now)
        settle()
        guard let peer, !letters.isStopped else { return counters.withLock { $0.fromStrangers += 1 } }
        counters.withLock { $0.datagramsReceived += 1 }
        delegate.transport(didReceive: datagram, from: peer)
    }

    private func handleLetters() {
        for letter in letters.collect() {
            switch letter {
            case .command(let command):
                if letters.isStopped { continue }
                node.perform(command, at: LabClock.now)
                settle()
            case .savedata(let answer): answer.give(letters.isStopped ? [] : savedata)
            case .resolved(let host, let addresses): resolved(host, addresses, at: LabClock.now)
            }
        }
    }

    // MARK: Doing what the node decided

    private func settle() {
        var mustSave = false
        var mustReroute = false
        let effects = node.effects
        node.effects.removeAll(keepingCapacity: true)
        if effects.isEmpty { return }
        for effect in effects {
            switch effect {
            case .save: mustSave = true
            case .reroute: mustReroute = true
            case .transmit, .report: break
            }
        }
        // First of all: whoever hears of a friend may send to them at once.
        if mustReroute { routes.withLock { $0 = node.routes } }
        for effect in effects {
            switch effect {
            case .transmit(let packet, let endpoint):
                if endpoint.isReachable { _ = packet.bytes.withUnsafeBytes { socket.send($0, to: endpoint) } }
            case .report(let event): report(event)
            case .save, .reroute: break
            }
        }
        if mustSave { announceSavedata() }
    }

    private func announceSavedata() {
        let current = savedata
        if current == saved || letters.isStopped { return }
        saved = current
        delegate.transportDidChangeSavedata()
    }

    private func report(_ event: TransportEvent) {
        if !letters.isStopped { delegate.transport(didReport: event) }
    }

    // MARK: Host names

    private func lookUp(at now: Instant) {
        for index in lookups.indices where !lookups[index].isUnderWay && lookups[index].nextAttempt <= now {
            let host = lookups[index].peer.host
            let letters = letters
            let thread = LoopThread {
                letters.post(.resolved(host: host, addresses: NameLookup.addresses(of: host)))
            }
            lookups[index].isUnderWay = thread != nil
            lookups[index].nextAttempt = now + node.timing.lookup
        }
    }

    private func resolved(_ host: String, _ addresses: [String], at now: Instant) {
        guard let index = lookups.firstIndex(where: { $0.isUnderWay && $0.peer.host == host }) else { return }
        let peer = lookups[index].peer
        let endpoints = addresses.compactMap { Endpoint(literal: $0, port: peer.port) }
            .filter { $0.isReachable && (socket.isIPv6 || $0.isIPv4) }
        guard let endpoint = endpoints.first else {
            lookups[index].isUnderWay = false
            lookups[index].nextAttempt = now + node.timing.lookup
            return counters.withLock { $0.failedLookups += 1 }
        }
        lookups.remove(at: index)
        node.found(LabContact(peer: peer.id, endpoint: endpoint))
        settle()
    }
}

/// The monotonic clock.
enum LabClock {
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }
}

/// Turns host names into addresses; blocks for as long as the system's resolver does.
enum NameLookup {
    static func addresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var result: [String] = []
        var entry = list
        while let current = entry, result.count < 8 {
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let status = getnameinfo(
                current.pointee.ai_addr, current.pointee.ai_addrlen, &name, socklen_t(name.count), nil, 0,
                NI_NUMERICHOST)
            if status == 0 {
                result.append(String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
            }
            entry = current.pointee.ai_next
        }
        return result
    }
}
