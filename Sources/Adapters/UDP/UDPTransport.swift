// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueDomain
public import RevuePorts
import RevueTime

/// A transport for labs: plain UDP between known addresses, so that Wireshark, ffmpeg and GStreamer read the media.
///
/// **Nothing is authenticated and nothing is encrypted.** An identity is 32 random bytes that anyone may claim, and whoever
/// reads the network reads everything. Use it between machines of a lab, never on a network with others on it.
///
/// Datagrams travel as they are, one to a UDP packet. The transport's own packets (requests, texts, profiles, signs of
/// life) start with `Uvl1`, which no RTP, RTCP or control frame does. See `docs/udp.md`.
public final class UDPTransport: Transport {
    private struct Running: Sendable {
        let socket: DatagramSocket
        let letters: Letterbox
        let routes: Locked<[PeerID: Endpoint?]>
        let loop: SocketLoop
        let thread: LoopThread
    }

    /// The largest datagram, in bytes.
    static let datagramBytes = 1_188

    private let running = Locked<Running?>(nil)
    private let tally = Locked(UDPCounters())
    private let configuration: Configuration
    private let timing: LabTiming

    /// A transport that waits for `start`.
    public convenience init(configuration: Configuration = Configuration()) {
        self.init(configuration: configuration, timing: LabTiming())
    }

    init(configuration: Configuration, timing: LabTiming) {
        self.configuration = configuration
        self.timing = timing
    }

    deinit { stop() }

    /// Datagrams of 1,188 bytes, requests of 921, texts of 1,372: as the transport that calls usually run over.
    public var limits: TransportLimits {
        TransportLimits(
            datagramBytes: Self.datagramBytes, requestBytes: LabPacket.requestBytes, textBytes: LabPacket.textBytes)
    }

    /// What was counted so far, over all starts; any thread.
    public var counters: UDPCounters { tally.withLock { $0 } }

    /// The port that it listens at; nil unless it runs.
    public var localPort: UInt16? { running.withLock { $0?.socket.port } }

    /// Binds the socket and starts the thread. The delegate is held until `stop`.
    ///
    /// The nodes of the configuration count as peers too: a node's key, host and port. Its other fields say nothing to
    /// this transport, except the port range where the own configuration leaves the port open.
    ///
    /// - Throws: `TransportError`; `.invalidConfiguration` without UDP, for an address that is none, and for a peers file
    ///   that cannot be read.
    public func start(
        _ configuration: TransportConfiguration, savedata: [UInt8]?, delegate: any TransportDelegate
    ) throws(TransportError) -> TransportState {
        guard configuration.udpEnabled else {
            throw .invalidConfiguration(reason: "this transport has nothing but UDP, and UDP is disabled")
        }
        let peers = try peers(configuration)
        let account = try Self.account(savedata)
        return try running.withLock { running throws(TransportError) in
            guard running == nil else { throw .alreadyStarted }
            guard let wake = WakePipe() else { throw .failed(reason: "no descriptor left") }
            let socket = try open(configuration)
            let (contacts, names) = try Self.sorted(peers, for: socket)
            let node = LabNode(account: account, contacts: contacts, timing: timing, at: LabClock.now)
            let letters = Letterbox(wake: wake)
            let routes = Locked<[PeerID: Endpoint?]>([:])
            let loop = SocketLoop(
                socket: socket, node: node, names: names,
                shared: SocketLoop.Shared(letters: letters, routes: routes, counters: tally), delegate: delegate)
            guard let thread = LoopThread(body: { loop.run() }) else { throw .failed(reason: "no thread left") }
            running = Running(socket: socket, letters: letters, routes: routes, loop: loop, thread: thread)
            return account.state
        }
    }

    /// Queues a command for the transport's thread; before `start` and after `stop` it does nothing.
    public func perform(_ command: TransportCommand) { running.withLock { $0 }?.letters.post(.command(command)) }

    /// Sends the datagram at once, on the calling thread. The system's send buffer is the queue.
    ///
    /// - Returns: false when that buffer is full, the peer is no friend, the size is outside 1…1,188, or the datagram
    ///   starts as this transport's own packets do. True for a friend whose address is not known: it is dropped.
    @discardableResult
    public func send(_ datagram: UnsafeRawBufferPointer, to peer: PeerID) -> Bool {
        guard 1...Self.datagramBytes ~= datagram.count, let running = running.withLock({ $0 }),
            let route = running.routes.withLock({ $0[peer] })
        else { return false }
        guard !LabPacket.isOwn(datagram) else { return false }
        guard let route, route.isReachable else {
            tally.withLock { $0.datagramsWithoutAddress += 1 }
            return true
        }
        switch running.socket.send(datagram, to: route) {
        case .sent:
            tally.withLock { $0.datagramsSent += 1 }
            return true
        case .full:
            tally.withLock { $0.queueFull += 1 }
            return false
        case .refused:
            tally.withLock { $0.refused += 1 }
            return true
        }
    }

    /// Identity, profile and friends with a checksum. Waits for the transport's thread unless called on it; empty before
    /// `start` and after `stop`.
    public func savedata() -> [UInt8] {
        guard let running = running.withLock({ $0 }) else { return [] }
        if running.thread.isCurrent { return running.loop.savedata }
        let answer = SavedataAnswer()
        return running.letters.post(.savedata(answer)) ? answer.wait() : []
    }

    /// Says goodbye to friends and ends the thread. From a delegate's callback it returns at once: no further event comes.
    public func stop() {
        guard let ended = running.withLock({ $0 }) else { return }
        ended.letters.stop()
        ended.thread.wait()
        running.withLock { running in
            if running?.letters === ended.letters { running = nil }
        }
    }

    // MARK: Starting

    private static func account(_ savedata: [UInt8]?) throws(TransportError) -> LabAccount {
        guard let savedata else { return LabAccount() }
        do {
            return try LabAccount(savedata: savedata)
        } catch {
            throw .damagedSavedata(reason: error.reason)
        }
    }

    /// Everyone whom the two configurations name.
    private func peers(_ transport: TransportConfiguration) throws(TransportError) -> [Peer] {
        var peers = configuration.peers + transport.nodes.map { Peer(id: $0.publicKey, host: $0.host, port: $0.port) }
        if let path = configuration.peersFile {
            guard let text = SmallFile.text(path) else {
                throw .invalidConfiguration(reason: "the peers file \(path) cannot be read as text")
            }
            do {
                peers += try Peer.list(from: text)
            } catch {
                throw .invalidConfiguration(reason: "\(path), line \(error.line): \(error.reason)")
            }
        }
        guard peers.count <= Self.maximumPeers else {
            throw .invalidConfiguration(reason: "\(peers.count) peers; at most \(Self.maximumPeers)")
        }
        return peers
    }

    /// Addresses that can be used at once, and names that must be looked up.
    private static func sorted(
        _ peers: [Peer], for socket: DatagramSocket
    ) throws(TransportError) -> (contacts: [LabContact], names: [Peer]) {
        var contacts: [LabContact] = []
        var names: [Peer] = []
        for peer in peers {
            guard let endpoint = Endpoint(literal: peer.host, port: peer.port) else {
                names.append(peer)
                continue
            }
            guard endpoint.isReachable, socket.isIPv6 || endpoint.isIPv4 else {
                throw .invalidConfiguration(reason: "\(peer.host):\(peer.port) cannot be reached from this socket")
            }
            contacts.append(LabContact(peer: peer.id, endpoint: endpoint))
        }
        return (contacts, names)
    }

    private func open(_ transport: TransportConfiguration) throws(TransportError) -> DatagramSocket {
        let first = configuration.port != 0 ? configuration.port : transport.startPort
        let last = configuration.port != 0 ? configuration.port : max(transport.startPort, transport.endPort)
        for port in first...max(first, last) {
            do {
                return try DatagramSocket(bind: configuration.bind, port: port)
            } catch {
                switch error {
                case .inUse: continue
                case .address(let host):
                    throw .invalidConfiguration(reason: "“\(host)” is no address to listen at")
                case .system(let reason):
                    throw .failed(reason: "\(configuration.bind):\(port) cannot be listened at: \(reason)")
                }
            }
        }
        throw .noFreePort(first: first, last: last)
    }
}

extension LabAccount {
    fileprivate var state: TransportState {
        TransportState(
            address: identity.address, profile: profile,
            friends: friends.map { TransportState.Friend(peer: $0.peer, profile: $0.profile) })
    }
}

/// What a transport has counted since it was made; for statistics and the log.
public struct UDPCounters: Sendable, Hashable {
    /// Datagrams that went out.
    public var datagramsSent = 0
    /// Datagrams that were handed to the delegate.
    public var datagramsReceived = 0
    /// Datagrams from addresses where no friend is.
    public var fromStrangers = 0
    /// Packets that are malformed, too long, or not meant for us.
    public var malformed = 0
    /// Datagrams that `send` refused because the system's send buffer was full.
    public var queueFull = 0
    /// Datagrams to friends whose address is not known.
    public var datagramsWithoutAddress = 0
    /// Datagrams that the system would not send: no route.
    public var refused = 0
    /// Look-ups of a host name that failed.
    public var failedLookups = 0

    /// Nothing counted yet.
    public init() {}
}
