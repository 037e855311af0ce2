// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueDomain
import RevueTime

/// Carries everything between friends: requests, profiles, texts with receipts, and unreliable datagrams.
///
/// A transport owns its thread. Every method may be called from any thread and returns without waiting for the network;
/// the delegate is called on the transport's own thread, in the order in which things happened, and must not block it.
public protocol Transport: AnyObject, Sendable {
    /// What this transport can carry.
    var limits: TransportLimits { get }

    /// Starts with a saved identity, or with a new one when `savedata` is nil.
    ///
    /// - Returns: who we are and who our friends are, before any event.
    /// - Throws: `TransportError`. Savedata that does not load whole is an error: it never becomes a new identity.
    func start(
        _ configuration: TransportConfiguration, savedata: [UInt8]?, delegate: any TransportDelegate
    ) throws(TransportError) -> TransportState

    /// Queues a command; commands are carried out in the order of the calls.
    func perform(_ command: TransportCommand)

    /// Copies a datagram into the transport's bounded queue. True means taken, not delivered.
    ///
    /// - Returns: false when the queue is full, the peer is no friend, or the size is outside 1…`limits.datagramBytes`.
    @discardableResult
    func send(_ datagram: UnsafeRawBufferPointer, to peer: PeerID) -> Bool

    /// What must be saved now; empty before `start` and after `stop`. May wait for the transport's thread.
    func savedata() -> [UInt8]

    /// Says goodbye to the network and ends the thread. No event comes after it returns; a second call does nothing.
    func stop()
}

/// Hears what a transport reports; called on the transport's thread.
public protocol TransportDelegate: AnyObject, Sendable {
    /// Something happened.
    func transport(didReport event: TransportEvent)
    /// A datagram arrived; the bytes are valid during the call alone.
    func transport(didReceive datagram: UnsafeRawBufferPointer, from peer: PeerID)
    /// Savedata changed in a way worth saving.
    func transportDidChangeSavedata()
}

/// The sizes that a transport carries, in bytes.
public struct TransportLimits: Sendable, Hashable {
    /// The largest datagram; at least 1,188.
    public var datagramBytes: Int
    /// The longest friend request.
    public var requestBytes: Int
    /// The longest text.
    public var textBytes: Int
    /// A transport's limits.
    public init(datagramBytes: Int, requestBytes: Int, textBytes: Int) {
        self.datagramBytes = datagramBytes
        self.requestBytes = requestBytes
        self.textBytes = textBytes
    }
}

/// How a transport joins the network.
public struct TransportConfiguration: Sendable, Hashable {
    /// A node that helps to join.
    public struct Node: Sendable, Hashable {
        /// Host name or address.
        public var host: String
        /// UDP port.
        public var port: UInt16
        /// The node's public key.
        public var publicKey: PeerID
        /// TCP relay port, when the node is one.
        public var tcpRelayPort: UInt16?
        /// A node.
        public init(host: String, port: UInt16, publicKey: PeerID, tcpRelayPort: UInt16? = nil) {
            self.host = host
            self.port = port
            self.publicKey = publicKey
            self.tcpRelayPort = tcpRelayPort
        }
    }
    /// The nodes to join through.
    public var nodes: [Node]
    /// Whether datagrams may go directly.
    public var udpEnabled: Bool
    /// Whether a friend may be reached through TCP relays.
    public var tcpRelayEnabled: Bool
    /// Whether IPv6 is used.
    public var ipv6Enabled: Bool
    /// Whether the local network is searched.
    public var localDiscoveryEnabled: Bool
    /// First port to try; 0 = the transport's own default.
    public var startPort: UInt16
    /// Last port to try; 0 = the transport's own default.
    public var endPort: UInt16

    /// A configuration.
    public init(
        nodes: [Node] = [], udpEnabled: Bool = true, tcpRelayEnabled: Bool = true, ipv6Enabled: Bool = true,
        localDiscoveryEnabled: Bool = true, startPort: UInt16 = 0, endPort: UInt16 = 0
    ) {
        self.nodes = nodes
        self.udpEnabled = udpEnabled
        self.tcpRelayEnabled = tcpRelayEnabled
        self.ipv6Enabled = ipv6Enabled
        self.localDiscoveryEnabled = localDiscoveryEnabled
        self.startPort = startPort
        self.endPort = endPort
    }
}

/// Who we are and whom we know, as a transport starts.
public struct TransportState: Sendable, Hashable {
    /// A friend that the transport knows.
    public struct Friend: Sendable, Hashable {
        /// Who.
        public var peer: PeerID
        /// The last known profile.
        public var profile: Profile
        /// A friend.
        public init(peer: PeerID, profile: Profile = Profile()) {
            self.peer = peer
            self.profile = profile
        }
    }
    /// Our address.
    public var address: FriendAddress
    /// Our own profile.
    public var profile: Profile
    /// Our friends, in the transport's order.
    public var friends: [Friend]
    /// A state.
    public init(address: FriendAddress, profile: Profile = Profile(), friends: [Friend] = []) {
        self.address = address
        self.profile = profile
        self.friends = friends
    }
}

/// Why a transport did not start.
public enum TransportError: Error, Sendable, Hashable {
    /// The savedata is not what this transport wrote, or not all of it.
    case damagedSavedata(reason: String)
    /// No port of the range is free.
    case noFreePort(first: UInt16, last: UInt16)
    /// Neither UDP nor TCP may be used, or a value is out of range.
    case invalidConfiguration(reason: String)
    /// It runs already.
    case alreadyStarted
    /// Anything else, with the library's own words.
    case failed(reason: String)
}
