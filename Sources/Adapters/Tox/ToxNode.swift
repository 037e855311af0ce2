// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CToxcore
public import RevueDomain
public import RevuePorts
import RevueTime

/// A bootstrap node and TCP relay for a lab: enough for peers to find each other without the public network.
///
/// Its public key is new for every node, because toxcore makes a DHT key of its own for each instance and lets nobody set
/// it. A lasting node is the work of `tox-bootstrapd`.
public final class ToxNode: Sendable {
    /// The key that peers name it by.
    public let publicKey: PeerID
    /// The UDP port it is bound to.
    public let port: UInt16
    /// The TCP port of its relay; nil without one.
    public let tcpRelayPort: UInt16?

    private let mailbox: Mailbox
    private let thread: OwnedThread

    /// Starts a node on every address of the machine; it runs until `stop`.
    ///
    /// - Parameters:
    ///   - port: the UDP port; 0 = the first free one of 33445…33545.
    ///   - tcpRelayPort: the relay's TCP port; 0 = any free one; nil = no relay.
    ///   - ipv6: whether IPv6 is served too.
    /// - Throws: `TransportError.noFreePort` when a port is taken.
    public convenience init(
        port: UInt16 = 0, tcpRelayPort: UInt16? = nil, ipv6: Bool = false
    ) throws(TransportError) {
        try self.init(
            ports: port == 0 ? ToxHandle.defaultPorts : port...port, tcpRelayPort: tcpRelayPort, ipv6: ipv6)
    }

    /// A node on the first free port of a range.
    init(ports: ClosedRange<UInt16>, tcpRelayPort: UInt16? = nil, ipv6: Bool = false) throws(TransportError) {
        var settings = ToxHandle.Settings()
        settings.ipv6Enabled = ipv6
        settings.ports = ports
        if let tcpRelayPort {
            guard let chosen = tcpRelayPort == 0 ? OwnSockets.freeStreamPort() : tcpRelayPort else {
                throw .failed(reason: "no TCP port is free")
            }
            settings.tcpServerPort = chosen
        }
        guard let wake = WakeEvent(), let readiness = ReadinessSet(wake: wake) else {
            throw .failed(reason: "no descriptor left")
        }
        let handle = try ToxHandle(settings, savedata: nil)
        guard let key = handle.dhtKey, let bound = handle.udpPort else {
            throw .failed(reason: "toxcore shows neither key nor port")
        }
        let mailbox = Mailbox(wake: wake)
        let loop = NodeLoop(handle: handle, readiness: readiness, mailbox: mailbox, relayPort: settings.tcpServerPort)
        if let socket = OwnSockets.datagram(port: bound, ipv6: ipv6) { readiness.watchDatagrams(socket) }
        guard let thread = OwnedThread(name: "revue-toxnode", body: { loop.run() }) else {
            throw .failed(reason: "no thread left")
        }
        publicKey = key
        self.port = bound
        self.tcpRelayPort = settings.tcpServerPort == 0 ? nil : settings.tcpServerPort
        self.mailbox = mailbox
        self.thread = thread
    }

    deinit { stop() }

    /// Ends the node and waits for its thread; a second call does nothing.
    public func stop() {
        mailbox.stop()
        thread.join()
    }

    /// The node as peers configure it, at this host.
    public func node(host: String = "127.0.0.1") -> TransportConfiguration.Node {
        TransportConfiguration.Node(host: host, port: port, publicKey: publicKey, tcpRelayPort: tcpRelayPort)
    }
}

/// The node's thread.
private final class NodeLoop: @unchecked Sendable {
    // SAFETY: made by `init`, then used by the node's thread alone.
    private var handle: ToxHandle?
    private let readiness: ReadinessSet
    private let mailbox: Mailbox
    private let relayPort: UInt16

    init(handle: ToxHandle, readiness: ReadinessSet, mailbox: Mailbox, relayPort: UInt16) {
        self.handle = handle
        self.readiness = readiness
        self.mailbox = mailbox
        self.relayPort = relayPort
    }

    func run() {
        var lastScan = Instant.zero
        while !mailbox.isStopped, let handle {
            tox_iterate(handle.pointer, nil)
            // A relayed packet must not wait here: whoever connected since is watched as well.
            if relayPort != 0, ToxClock.now - lastScan > .milliseconds(500) {
                lastScan = ToxClock.now
                for socket in OwnSockets.streams(onPort: relayPort) {
                    OwnSockets.sendWithoutDelay(socket)
                    readiness.watchStream(socket)
                }
            }
            _ = readiness.wait(atMost: .milliseconds(Int64(tox_iteration_interval(handle.pointer))))
        }
        handle = nil
    }
}
