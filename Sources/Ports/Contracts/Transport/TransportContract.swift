// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
public import RevueTime

/// What every transport promises.
///
/// ```swift
/// TransportContract {
///     let scheduler = VirtualScheduler()
///     let network = SimulatedNetwork(scheduler: scheduler)
///     return TransportContract.Lab(time: ContractTime(scheduler) { try await scheduler.advance(by: $0) }) { name in
///         network.makeTransport(name)
///     }
/// }.promises
/// ```
public struct TransportContract: Contract {
    /// A network of one's own for a check.
    public struct Lab: Sendable {
        let time: ContractTime
        let patience: Interval
        let configuration: TransportConfiguration
        let make: @Sendable (String) -> any Transport

        /// A lab.
        ///
        /// - Parameters:
        ///   - time: the time that it runs in.
        ///   - configuration: how its transports join the network.
        ///   - patience: how long joining, meeting or any delivery may take.
        ///   - make: gives a transport, not started, on the machine of this name: `alice` or `bob`. It is asked again for
        ///     the same name after the one before has stopped.
        public init(
            time: ContractTime, configuration: TransportConfiguration = TransportConfiguration(),
            patience: Interval = .seconds(30), make: @escaping @Sendable (String) -> any Transport
        ) {
            self.time = time
            self.configuration = configuration
            self.patience = patience
            self.make = make
        }
    }

    private let lab: @Sendable () async throws -> Lab

    /// The contract of the transports that `lab` makes; each call gives a new lab.
    public init(lab: @escaping @Sendable () async throws -> Lab) { self.lab = lab }

    /// All promises.
    public var promises: [Promise] { lifePromises + friendPromises + trafficPromises }

    func promise(_ sentence: String, _ body: @escaping @Sendable (Lab) async throws -> Void) -> Promise {
        Promise(sentence) { [lab] in try await body(try await lab()) }
    }

    /// A promise about two friends who see each other.
    func promise(friends sentence: String, _ body: @escaping @Sendable (ContractPair) async throws -> Void) -> Promise {
        promise(sentence) { lab in
            let pair = try ContractPair(lab)
            defer { pair.stop() }
            try await pair.meet()
            try await body(pair)
        }
    }
}
