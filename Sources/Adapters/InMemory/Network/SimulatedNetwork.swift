// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
public import RevueTime

/// A network of in-memory transports: seeded, with conditions for each direction of each link that can change any time.
///
/// Transports have names, as machines have; links lie between names. Over a `VirtualScheduler` everything repeats bit for
/// bit; over a real scheduler the network is a lab.
///
/// ```swift
/// let network = SimulatedNetwork(scheduler: scheduler, seed: 7)
/// let alice = network.makeTransport("alice")
/// let bob = network.makeTransport("bob")
/// network.setConditions(LinkConditions(delay: .milliseconds(40), lossPercent: 5), between: "alice", and: "bob")
/// network.setPartitioned(true, between: "alice", and: "bob")  // both notice 28 s later, as with toxcore
/// ```
public final class SimulatedNetwork: Sendable {
    /// The times that a transport in this network takes.
    public struct Timing: Sendable, Hashable {
        /// From start until the transport is on the network.
        public var join: Interval
        /// From two friends being able to reach each other until they do.
        public var contact: Interval
        /// From the last sign of life until a transport believes that a friend, or the network, is gone.
        public var silence: Interval
        /// Times; the silence is toxcore's as measured.
        public init(
            join: Interval = .milliseconds(100), contact: Interval = .milliseconds(300),
            silence: Interval = .seconds(28)
        ) {
            self.join = join
            self.contact = contact
            self.silence = silence
        }
    }

    let scheduler: any Scheduler
    let state: Locked<NetworkState>

    /// A network without transports.
    ///
    /// - Parameters:
    ///   - scheduler: the time that it runs in.
    ///   - seed: all chance in the network follows from it, each link's from the seed and its two names.
    ///   - conditions: those of links that nothing else was said about.
    ///   - timing: how long joining, meeting and noticing a loss take.
    public init(
        scheduler: any Scheduler, seed: UInt64 = 1, conditions: LinkConditions = .clean, timing: Timing = Timing()
    ) {
        self.scheduler = scheduler
        let lane = scheduler.makeLane("network")
        state = Locked(NetworkState(scheduler: scheduler, seed: seed, conditions: conditions, timing: timing))
        state.withLock { state in
            state.alarm = { [weak self] instant, wake in
                _ = lane.schedule(at: instant) { [weak self] in self?.state.withLock { $0.handle(wake) } }
            }
        }
    }

    /// A transport on the machine of this name. A machine runs one transport at a time; start the next one after the
    /// last has stopped or was killed.
    public func makeTransport(_ name: String) -> InMemoryTransport {
        let machine = state.withLock { $0.machine(named: name) }
        return InMemoryTransport(network: self, machine: machine, lane: scheduler.makeLane("transport.\(name)"))
    }

    /// Sets what one direction does from now on.
    public func setConditions(_ conditions: LinkConditions, from sender: String, to receiver: String) {
        state.withLock { $0.changeLink(from: sender, to: receiver) { $0 = conditions } }
    }

    /// Sets what both directions do from now on.
    public func setConditions(_ conditions: LinkConditions, between one: String, and other: String) {
        setConditions(conditions, from: one, to: other)
        setConditions(conditions, from: other, to: one)
    }

    /// Cuts both directions or joins them again, leaving their other conditions alone.
    public func setPartitioned(_ isPartitioned: Bool, between one: String, and other: String) {
        state.withLock { state in
            state.changeLink(from: one, to: other) { $0.isPartitioned = isPartitioned }
            state.changeLink(from: other, to: one) { $0.isPartitioned = isPartitioned }
        }
    }

    /// What one direction does now.
    public func conditions(from sender: String, to receiver: String) -> LinkConditions {
        state.withLock { $0.conditions(from: sender, to: receiver) }
    }

    /// Pulls a machine's plug, or puts it back: nothing reaches it, and it notices after the timing's silence.
    public func setPlugged(_ isPlugged: Bool, _ name: String) {
        state.withLock { $0.setPlugged(isPlugged, machine: $0.machine(named: name)) }
    }

    /// What became of the datagrams of one direction so far.
    public func statistics(from sender: String, to receiver: String) -> LinkStatistics {
        state.withLock { $0.statistics(from: sender, to: receiver) }
    }
}
