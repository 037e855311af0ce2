// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A publish/subscribe service that carries presence beside the friend connection.
public protocol PresenceBroker: AnyObject, Sendable {
    /// Connects; the outcome comes as a state. A later call replaces the connection.
    func connect(_ configuration: PresenceConfiguration, delegate: any PresenceBrokerDelegate) throws(PresenceError)
    /// Publishes a retained value under a topic.
    func publish(_ payload: [UInt8], topic: String)
    /// Follows a topic.
    func subscribe(_ topic: String)
    /// Follows it no longer.
    func unsubscribe(_ topic: String)
    /// Publishes the last will itself, then disconnects. No event comes after it returns.
    func disconnect()
}

/// Hears what a broker reports, on the broker's thread.
public protocol PresenceBrokerDelegate: AnyObject, Sendable {
    /// The connection changed.
    func presenceBroker(didChange state: PresenceBrokerState)
    /// A topic's value arrived.
    func presenceBroker(didReceive payload: [UInt8], topic: String)
}

/// A broker connection's state.
public enum PresenceBrokerState: Sendable, Hashable {
    /// On its way.
    case connecting
    /// Up.
    case connected
    /// Down, and trying again.
    case disconnected(reason: String)
}

/// How to reach a broker.
public struct PresenceConfiguration: Sendable, Hashable {
    /// `tcp`, `ssl`, `tls`, `mqtts`, `ws` or `wss` URL.
    public var url: String
    /// Account name.
    public var username: String?
    /// Account password.
    public var password: String?
    /// PEM bundle that TLS servers are checked against; nil = the system's.
    public var caCertPath: String?
    /// 0…2.
    public var qos: Int
    /// Name of this client at the broker.
    public var clientID: String
    /// What the broker publishes for us, retained, when the connection dies.
    public var will: Will?

    /// A value under a topic.
    public struct Will: Sendable, Hashable {
        /// The topic.
        public var topic: String
        /// The value.
        public var payload: [UInt8]
        /// A will.
        public init(topic: String, payload: [UInt8]) {
            self.topic = topic
            self.payload = payload
        }
    }

    /// A configuration.
    public init(
        url: String, username: String? = nil, password: String? = nil, caCertPath: String? = nil, qos: Int = 1,
        clientID: String, will: Will? = nil
    ) {
        self.url = url
        self.username = username
        self.password = password
        self.caCertPath = caCertPath
        self.qos = qos
        self.clientID = clientID
        self.will = will
    }
}

/// Why a broker could not be asked.
public enum PresenceError: Error, Sendable, Hashable {
    /// A value is out of range or the URL has an unknown scheme.
    case invalidConfiguration(reason: String)
    /// The client could not be made.
    case failed(reason: String)
}
