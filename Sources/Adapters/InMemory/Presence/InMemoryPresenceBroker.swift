// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
public import RevueTime

/// A broker in this process, shared by its clients.
public final class InMemoryPresenceHub: Sendable {
    struct Client {
        let id: ObjectIdentifier
        let configuration: PresenceConfiguration
        let lane: any Lane
        let delegate: any PresenceBrokerDelegate
        let isAlive = Locked(true)
        var isConnected = false
        var topics: [String] = []
    }
    struct State {
        var retained: [String: [UInt8]] = [:]
        /// In the order of their coming.
        var clients: [Client] = []
        var isUp = true
    }
    let scheduler: any Scheduler
    let state = Locked(State())
    private let delay: Interval
    private let retry: Interval

    /// A broker that is up.
    ///
    /// - Parameters:
    ///   - scheduler: the time that it runs in.
    ///   - delay: how long connecting takes.
    ///   - retry: how long a client waits before it tries again.
    public init(
        scheduler: any Scheduler, delay: Interval = .milliseconds(5), retry: Interval = .seconds(1)
    ) {
        self.scheduler = scheduler
        self.delay = delay
        self.retry = retry
    }

    /// Cuts a client off, as a dying connection does: its will is published, and it tries to come back.
    public func cut(_ clientID: String) {
        state.withLock { state in
            for index in state.clients.indices where state.clients[index].configuration.clientID == clientID {
                drop(index, in: &state, reason: "connection lost")
            }
        }
    }

    /// Takes the broker down, cutting everybody off, or brings it back.
    public func setUp(_ isUp: Bool) {
        state.withLock { state in
            state.isUp = isUp
            guard !isUp else { return }
            for index in state.clients.indices { drop(index, in: &state, reason: "broker is down") }
        }
    }

    /// What is retained under a topic.
    public func retained(_ topic: String) -> [UInt8]? { state.withLock { $0.retained[topic] } }

    func enter(_ client: Client) {
        state.withLock { state in
            state.clients.append(client)
            client.tell(.connecting)
        }
        connect(client.id, on: client.lane, after: delay)
    }

    func leave(_ id: ObjectIdentifier) {
        state.withLock { state in
            guard let index = state.clients.firstIndex(where: { $0.id == id }) else { return }
            let client = state.clients.remove(at: index)
            client.isAlive.withLock { $0 = false }
            if client.isConnected, let will = client.configuration.will { publish(will, in: &state) }
        }
    }

    func publish(_ payload: [UInt8], topic: String, by id: ObjectIdentifier) {
        state.withLock { state in
            guard state.clients.contains(where: { $0.id == id && $0.isConnected }) else { return }
            publish(.init(topic: topic, payload: payload), in: &state)
        }
    }

    func subscribe(_ topic: String, _ isWanted: Bool, by id: ObjectIdentifier) {
        state.withLock { state in
            guard let index = state.clients.firstIndex(where: { $0.id == id }) else { return }
            state.clients[index].topics.removeAll { $0 == topic }
            guard isWanted else { return }
            state.clients[index].topics.append(topic)
            guard state.clients[index].isConnected, let payload = state.retained[topic] else { return }
            state.clients[index].tell(payload, topic: topic)
        }
    }

    private func connect(_ id: ObjectIdentifier, on lane: any Lane, after wait: Interval) {
        _ = lane.schedule(at: scheduler.now + wait) { [weak self] in
            guard let self else { return }
            let isPending = state.withLock { state -> Bool in
                guard let index = state.clients.firstIndex(where: { $0.id == id && !$0.isConnected }) else {
                    return false
                }
                guard state.isUp else { return true }
                state.clients[index].isConnected = true
                let client = state.clients[index]
                client.tell(.connected)
                for topic in client.topics {
                    if let payload = state.retained[topic] { client.tell(payload, topic: topic) }
                }
                return false
            }
            if isPending { connect(id, on: lane, after: retry) }
        }
    }

    private func publish(_ value: PresenceConfiguration.Will, in state: inout State) {
        state.retained[value.topic] = value.payload
        for client in state.clients where client.isConnected && client.topics.contains(value.topic) {
            client.tell(value.payload, topic: value.topic)
        }
    }

    private func drop(_ index: Int, in state: inout State, reason: String) {
        guard state.clients[index].isConnected else { return }
        state.clients[index].isConnected = false
        let client = state.clients[index]
        client.tell(.disconnected(reason: reason))
        if let will = client.configuration.will { publish(will, in: &state) }
        connect(client.id, on: client.lane, after: retry)
    }
}

extension InMemoryPresenceHub.Client {
    func tell(_ change: PresenceBrokerState) {
        lane.async { [delegate, isAlive] in
            if isAlive.withLock({ $0 }) { delegate.presenceBroker(didChange: change) }
        }
    }

    func tell(_ payload: [UInt8], topic: String) {
        lane.async { [delegate, isAlive] in
            if isAlive.withLock({ $0 }) { delegate.presenceBroker(didReceive: payload, topic: topic) }
        }
    }
}

/// A client of a broker in this process.
public final class InMemoryPresenceBroker: PresenceBroker {
    private let hub: InMemoryPresenceHub
    private let lane: any Lane
    /// Names each connection; a new object has a new address as long as it lives.
    private final class Connection: Sendable {}
    private let connection = Locked<Connection?>(nil)

    /// A client that is not connected.
    public init(hub: InMemoryPresenceHub) {
        self.hub = hub
        lane = hub.scheduler.makeLane("presence")
    }

    /// Connects under the configuration's client ID; the URL's scheme is checked and otherwise ignored.
    public func connect(
        _ configuration: PresenceConfiguration, delegate: any PresenceBrokerDelegate
    ) throws(PresenceError) {
        let schemes = ["tcp", "ssl", "tls", "mqtts", "ws", "wss"]
        guard schemes.contains(where: { configuration.url.hasPrefix($0 + "://") }) else {
            throw .invalidConfiguration(reason: "unknown scheme in \(configuration.url)")
        }
        guard (0...2).contains(configuration.qos) else { throw .invalidConfiguration(reason: "qos is outside 0…2") }
        guard !configuration.clientID.isEmpty else { throw .invalidConfiguration(reason: "no client ID") }
        disconnect()
        let new = Connection()
        connection.withLock { $0 = new }
        hub.enter(
            InMemoryPresenceHub.Client(
                id: ObjectIdentifier(new), configuration: configuration, lane: lane, delegate: delegate))
    }

    /// Publishes a retained value; lost unless connected.
    public func publish(_ payload: [UInt8], topic: String) {
        if let id { hub.publish(payload, topic: topic, by: id) }
    }
    /// Follows a topic; its retained value comes at once.
    public func subscribe(_ topic: String) {
        if let id { hub.subscribe(topic, true, by: id) }
    }
    /// Follows it no longer.
    public func unsubscribe(_ topic: String) {
        if let id { hub.subscribe(topic, false, by: id) }
    }
    /// Publishes the will, then leaves.
    public func disconnect() {
        let old = connection.withLock { connection -> Connection? in
            defer { connection = nil }
            return connection
        }
        guard let old else { return }
        hub.leave(ObjectIdentifier(old))
        lane.sync {}
    }

    private var id: ObjectIdentifier? { connection.withLock { $0.map { ObjectIdentifier($0) } } }
}
