// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueDomain
public import RevuePorts

/// A transport in a simulated network. It behaves like toxcore where that shows: requests are silent when the address is
/// outdated, a friend's loss is noticed late, a restart breaks the session, texts are reliable while a path exists.
public final class InMemoryTransport: Transport {
    /// The sizes of the transport that a call really runs over.
    public static let limits = TransportLimits(datagramBytes: 1_188, requestBytes: 921, textBytes: 1_372)

    /// The sizes that this network carries.
    public var limits: TransportLimits { InMemoryTransport.limits }

    private let network: SimulatedNetwork
    private let machine: Int
    private let lane: any Lane
    private let run = Locked<UInt64?>(nil)

    init(network: SimulatedNetwork, machine: Int, lane: any Lane) {
        self.network = network
        self.machine = machine
        self.lane = lane
    }

    /// Starts as the identity in `savedata`, or as a new one drawn from the scheduler's randomness.
    public func start(
        _ configuration: TransportConfiguration, savedata: [UInt8]?, delegate: any TransportDelegate
    ) throws(TransportError) -> TransportState {
        guard configuration.udpEnabled || configuration.tcpRelayEnabled else {
            throw .invalidConfiguration(reason: "neither UDP nor TCP relays may be used")
        }
        let account = try account(savedata)
        let listener = NetworkState.Listener(lane: lane, delegate: delegate)
        return try run.withLock { run throws(TransportError) in
            guard run == nil else { throw .alreadyStarted }
            run = try network.state.withLock { state throws(TransportError) in
                try state.start(machine, account: account, configuration: configuration, listener: listener)
            }
            return account.transportState
        }
    }

    /// Carries out a command on behalf of whoever this transport runs as; does nothing unless it runs.
    public func perform(_ command: TransportCommand) {
        guard let run = run.withLock({ $0 }) else { return }
        network.state.withLock { $0.perform(command, machine: machine, run: run) }
    }

    /// Puts a datagram on the link.
    @discardableResult
    public func send(_ datagram: UnsafeRawBufferPointer, to peer: PeerID) -> Bool {
        guard (1...limits.datagramBytes).contains(datagram.count), let run = run.withLock({ $0 }) else { return false }
        return network.state.withLock { $0.send(datagram, to: peer, machine: machine, run: run) }
    }

    /// The account as bytes.
    public func savedata() -> [UInt8] {
        guard let run = run.withLock({ $0 }) else { return [] }
        return network.state.withLock { $0.savedata(machine: machine, run: run) }
    }

    /// Says goodbye to every friend.
    public func stop() { end(saysGoodbye: true) }

    /// Dies as a killed process does: friends notice only after the network's silence. No event comes after it returns.
    public func kill() { end(saysGoodbye: false) }

    private func end(saysGoodbye: Bool) {
        let ended = run.withLock { run in
            defer { run = nil }
            return run
        }
        guard let ended else { return }
        network.state.withLock { $0.end(machine, run: ended, saysGoodbye: saysGoodbye) }
        lane.sync {}  // a call of the delegate that is under way returns first
    }

    private func account(_ savedata: [UInt8]?) throws(TransportError) -> Account {
        guard let savedata else {
            return network.state.withLock { $0.makeAccount() }
        }
        guard let account = Account(savedata: savedata) else {
            throw .damagedSavedata(reason: "not whole, or not written by this transport")
        }
        return account
    }
}

extension Account {
    fileprivate var transportState: TransportState {
        TransportState(
            address: FriendAddress(peer: peer, nospam: nospam), profile: profile,
            friends: friends.map { TransportState.Friend(peer: $0.peer, profile: $0.profile) })
    }
}
