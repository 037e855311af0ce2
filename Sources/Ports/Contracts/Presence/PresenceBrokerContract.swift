// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
import RevueTime

/// What every client of a presence broker promises.
///
/// ```swift
/// PresenceBrokerContract {
///     PresenceBrokerContract.Lab(time: ContractTime.real(DispatchScheduler()), url: "tcp://127.0.0.1:1883") { MyClient() }
/// }.promises
/// ```
public struct PresenceBrokerContract: Contract {
    /// A broker and the clients of it.
    public struct Lab: Sendable {
        let time: ContractTime
        let url: String
        let prefix: String
        let make: @Sendable () -> any PresenceBroker

        /// A lab.
        ///
        /// - Parameters:
        ///   - time: the time that it runs in.
        ///   - url: where the broker is.
        ///   - prefix: put before all topics and client IDs, so that labs on one broker do not meet.
        ///   - make: gives a client that is not connected.
        public init(
            time: ContractTime, url: String, prefix: String = "", make: @escaping @Sendable () -> any PresenceBroker
        ) {
            self.time = time
            self.url = url
            self.prefix = prefix
            self.make = make
        }

        func topic(_ name: String) -> String { "\(prefix)revue/\(name)" }
    }

    private let lab: @Sendable () throws -> Lab

    /// The contract of the clients that the labs make; each call gives a lab whose topics are new.
    public init(lab: @escaping @Sendable () throws -> Lab) { self.lab = lab }

    /// All promises.
    public var promises: [Promise] { connections + values }

    private func promise(_ sentence: String, _ body: @escaping @Sendable (Lab) async throws -> Void) -> Promise {
        Promise(sentence) { [lab] in try await body(try lab()) }
    }

    private var connections: [Promise] {
        [
            promise("connecting is reported, then being connected") { lab in
                let client = try await Client(lab, "a")
                client.broker.disconnect()
                try expect(client.states.all == [.connecting, .connected], "\(client.states.all)")
            },
            promise("an unknown scheme, a quality of service outside 0…2 and an empty client ID are refused") { lab in
                let wrong = [
                    PresenceConfiguration(url: "gopher://x", clientID: "a"),
                    PresenceConfiguration(url: lab.url, qos: 3, clientID: "a"),
                    PresenceConfiguration(url: lab.url, qos: -1, clientID: "a"),
                    PresenceConfiguration(url: lab.url, clientID: ""),
                ]
                for configuration in wrong {
                    try expectError("\(configuration)") { () throws(PresenceError) in
                        try lab.make().connect(configuration, delegate: Listener())
                    } where: {
                        if case .invalidConfiguration = $0 { true } else { false }
                    }
                }
            },
            promise("disconnecting publishes the will, and nothing comes after it returns") { lab in
                let watcher = try await Client(lab, "watcher")
                watcher.broker.subscribe(lab.topic("a"))
                let will = PresenceConfiguration.Will(topic: lab.topic("a"), payload: [0])
                let client = try await Client(lab, "a", will: will)
                client.broker.subscribe(lab.topic("noise"))
                client.broker.publish([1], topic: lab.topic("a"))
                try await lab.time.wait(for: "value") { watcher.values(lab.topic("a")) == [[1]] }
                client.broker.disconnect()
                let calls = client.calls
                try await lab.time.wait(for: "will") { watcher.values(lab.topic("a")) == [[1], [0]] }
                watcher.broker.publish([9], topic: lab.topic("noise"))
                try await lab.time.pass(.milliseconds(100))
                try expect(client.calls == calls, "\(client.calls - calls) calls")
                client.broker.disconnect()
                watcher.broker.disconnect()
            },
        ]
    }

    private var values: [Promise] {
        [
            promise("values reach who follows the topic, in order, and nobody else") { lab in
                let (one, other) = (try await Client(lab, "one"), try await Client(lab, "other"))
                one.broker.subscribe(lab.topic("x"))
                other.broker.subscribe(lab.topic("y"))
                try await lab.time.pass(.milliseconds(100))
                for number in 0..<20 { other.broker.publish([UInt8(number)], topic: lab.topic("x")) }
                try await lab.time.wait(for: "20 values") { one.values(lab.topic("x")).count >= 20 }
                try expect(one.values(lab.topic("x")) == (0..<20).map { [$0] }, "\(one.values(lab.topic("x")))")
                try expect(other.received.count == 0, "the other got \(other.received.all)")
                one.broker.disconnect()
                other.broker.disconnect()
            },
            promise("who follows a topic later gets its last value") { lab in
                let early = try await Client(lab, "early")
                early.broker.publish([1], topic: lab.topic("x"))
                early.broker.publish([2, 3], topic: lab.topic("x"))
                try await lab.time.pass(.milliseconds(100))
                let late = try await Client(lab, "late")
                late.broker.subscribe(lab.topic("x"))
                try await lab.time.wait(for: "retained value") { late.values(lab.topic("x")) == [[2, 3]] }
                early.broker.disconnect()
                late.broker.disconnect()
            },
            promise("who no longer follows a topic gets nothing of it") { lab in
                let (one, other) = (try await Client(lab, "one"), try await Client(lab, "other"))
                for topic in ["x", "y"] { one.broker.subscribe(lab.topic(topic)) }
                one.broker.unsubscribe(lab.topic("x"))
                try await lab.time.pass(.milliseconds(100))
                other.broker.publish([1], topic: lab.topic("x"))
                other.broker.publish([2], topic: lab.topic("y"))
                try await lab.time.wait(for: "value of the other topic") { one.values(lab.topic("y")) == [[2]] }
                try expect(one.values(lab.topic("x")).isEmpty, "\(one.values(lab.topic("x")))")
                one.broker.disconnect()
                other.broker.disconnect()
            },
        ]
    }
}

private final class Listener: PresenceBrokerDelegate {
    let states = Record<PresenceBrokerState>()
    let received = Record<(topic: String, payload: [UInt8])>()

    func presenceBroker(didChange state: PresenceBrokerState) { states.add(state) }
    func presenceBroker(didReceive payload: [UInt8], topic: String) { received.add((topic, payload)) }
}

/// A connected client.
private struct Client: Sendable {
    let broker: any PresenceBroker
    private let listener = Listener()

    init(_ lab: PresenceBrokerContract.Lab, _ name: String, will: PresenceConfiguration.Will? = nil) async throws {
        broker = lab.make()
        let configuration = PresenceConfiguration(url: lab.url, clientID: lab.prefix + name, will: will)
        try broker.connect(configuration, delegate: listener)
        let states = listener.states
        try await lab.time.wait(for: "connection") { states.all.last == .connected }
    }

    var states: Record<PresenceBrokerState> { listener.states }
    var received: Record<(topic: String, payload: [UInt8])> { listener.received }
    var calls: Int { states.count + received.count }
    func values(_ topic: String) -> [[UInt8]] { received.all.filter { $0.topic == topic }.map(\.payload) }
}
