// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CToxcore
import RevueDomain
import RevuePorts
import RevueTime

/// Everything between `start` and `stop`: the toxcore instance and what belongs to it.
///
/// Made by the caller of `start`, then used by the transport's thread alone.
final class ToxSession: @unchecked Sendable {
    // SAFETY: after `start` handed it over, only the transport's thread touches it; `ToxTransport` checks that before it
    // calls in from a delegate's callback.

    let configuration: TransportConfiguration
    let timing: ToxTiming
    let mailbox: Mailbox
    let queue: DatagramQueue
    let counters: Locked<ToxCounters>
    let delegate: any TransportDelegate
    let readiness: ReadinessSet
    let isNewIdentity: Bool

    var handle: ToxHandle
    /// The same friends by key and by toxcore's number; numbers never leave this class.
    var numbers: [PeerID: UInt32] = [:]
    var peers: [UInt32: PeerID] = [:]
    var paths: [PeerID: Paths] = [:]
    var reachability = SelfReachability.offline
    var receipts: [ReceiptKey: UInt64] = [:]

    var bootstrap: BootstrapPlan
    var patience: Patience
    var saving = SavingPlan()
    /// Whether traffic on toxcore's UDP socket wakes us; nil when there is none.
    var udpSocket: Int32?
    var lastDatagram = Instant.zero
    var lastRelayScan = Instant.zero

    /// A text on its way, as toxcore names it.
    struct ReceiptKey: Hashable {
        var friend: UInt32
        var message: UInt32
    }

    init(
        _ configuration: TransportConfiguration, savedata: [UInt8]?, delegate: any TransportDelegate,
        shared: (mailbox: Mailbox, queue: DatagramQueue, counters: Locked<ToxCounters>), timing: ToxTiming
    ) throws(TransportError) {
        guard let readiness = ReadinessSet(wake: shared.mailbox.wake) else {
            throw .failed(reason: "no descriptor left")
        }
        self.configuration = configuration
        self.timing = timing
        self.delegate = delegate
        self.readiness = readiness
        isNewIdentity = savedata == nil
        (mailbox, queue, counters) = shared
        bootstrap = BootstrapPlan(nodes: configuration.nodes)
        patience = Patience(length: timing.firstPatience, since: ToxClock.now)
        handle = try Self.load(configuration, savedata: savedata)
        adopt()
    }

    var usesIPv6: Bool { configuration.ipv6Enabled && OwnSockets.isIPv6Available }

    /// Who we are and whom we know.
    func state() throws(TransportError) -> TransportState {
        guard let address = handle.address else { throw .failed(reason: "toxcore shows no address") }
        let friends = handle.friends.map { number, peer in
            TransportState.Friend(peer: peer, profile: handle.profile(of: number))
        }
        return TransportState(address: address, profile: handle.ownProfile, friends: friends)
    }

    /// Makes an instance from an envelope and checks that it is who it was, with as many friends.
    static func load(
        _ configuration: TransportConfiguration, savedata: [UInt8]?
    ) throws(TransportError) -> ToxHandle {
        var settings = ToxHandle.Settings()
        settings.udpEnabled = configuration.udpEnabled
        settings.ipv6Enabled = configuration.ipv6Enabled && OwnSockets.isIPv6Available
        settings.localDiscoveryEnabled = configuration.localDiscoveryEnabled
        settings.ports = try ports(configuration)
        guard let savedata else { return try make(settings, configuration, payload: nil) }
        let envelope: SavedataEnvelope
        do {
            envelope = try SavedataEnvelope(parsing: savedata)
        } catch {
            throw .damagedSavedata(reason: error.reason)
        }
        let handle = try make(settings, configuration, payload: envelope.payload)
        guard handle.publicKey == envelope.publicKey else {
            throw .damagedSavedata(reason: "toxcore loaded another identity")
        }
        guard handle.friendCount == envelope.friendCount else {
            throw .damagedSavedata(
                reason: "toxcore loaded \(handle.friendCount) friends of \(envelope.friendCount)")
        }
        return handle
    }

    /// Makes an instance, on a port picked at random where the configuration leaves the first port open.
    ///
    /// Each start has a new DHT key, and who comes back to the port of their last one is not found for minutes by those
    /// who remember the old key there: `docs/tox.md` has the figures.
    private static func make(
        _ settings: ToxHandle.Settings, _ configuration: TransportConfiguration, payload: [UInt8]?
    ) throws(TransportError) -> ToxHandle {
        guard configuration.udpEnabled, configuration.startPort == 0 else {
            return try ToxHandle(settings, savedata: payload)
        }
        var upper = settings
        upper.ports = UInt16.random(in: settings.ports)...settings.ports.upperBound
        do {
            return try ToxHandle(upper, savedata: payload)
        } catch .noFreePort {
            return try ToxHandle(settings, savedata: payload)
        }
    }

    /// The ports of a configuration; toxcore's own where it leaves them open.
    static func ports(_ configuration: TransportConfiguration) throws(TransportError) -> ClosedRange<UInt16> {
        let standard = ToxHandle.defaultPorts
        switch (configuration.startPort, configuration.endPort) {
        case (0, 0): return standard
        case (let first, 0): return first...max(first, standard.upperBound)
        case (0, let last) where last >= standard.lowerBound: return standard.lowerBound...last
        case (let first, let last) where first > 0 && first <= last: return first...last
        case (let first, let last):
            throw .invalidConfiguration(reason: "ports \(first)…\(last) are no range")
        }
    }

    /// Takes the current instance in use: friends, callbacks, sockets.
    func adopt() {
        registerCallbacks(handle.pointer)
        updateFriends()
        udpSocket = nil
        if let port = handle.udpPort {
            udpSocket = OwnSockets.datagram(port: port, ipv6: usesIPv6)
            if let socket = udpSocket, !readiness.watchDatagrams(socket) { udpSocket = nil }
        }
    }

    /// Learns toxcore's numbers anew: after a change of the list, and after loading, which renumbers.
    func updateFriends() {
        let friends = handle.friends
        numbers = Dictionary(friends.map { ($0.peer, $0.number) }, uniquingKeysWith: { first, _ in first })
        peers = Dictionary(friends.map { ($0.number, $0.peer) }, uniquingKeysWith: { first, _ in first })
        queue.setFriends(Set(numbers.keys))
    }

    // MARK: Reporting

    func report(_ event: TransportEvent) {
        if mailbox.isStopped { return }
        delegate.transport(didReport: event)
    }

    func count(_ change: (inout ToxCounters) -> Void) { counters.withLock { change(&$0) } }

    /// A connection changed: reports it once, and fails the texts that toxcore forgets as a friend goes away.
    func setPaths(_ new: Paths, of peer: PeerID, number: UInt32?) {
        let old = paths[peer] ?? []
        if new == old { return }
        paths[peer] = new.isEmpty ? nil : new
        if new.isEmpty {
            if let number { failTexts(of: number) }
        } else {
            patience = Patience(length: timing.firstPatience, since: ToxClock.now)
        }
        lastRelayScan = .zero
        report(.paths(peer, new))
        if new.isEmpty && paths.isEmpty { patience.since = ToxClock.now }
    }

    func failTexts(of number: UInt32) {
        let lost = receipts.filter { $0.key.friend == number }.sorted { $0.key.message < $1.key.message }
        for (key, token) in lost {
            receipts[key] = nil
            report(.textFailed(token: token, .notReachable))
        }
    }
}
