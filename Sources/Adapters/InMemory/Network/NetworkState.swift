// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// The whole simulated network as one value behind one lock. What it reports goes to the listeners' lanes while the lock
/// is held, so that every listener hears things in the order in which they happened.
struct NetworkState {
    /// Whom a running transport reports to.
    struct Listener {
        let lane: any Lane
        let delegate: any TransportDelegate
    }

    /// A transport that runs.
    struct Run {
        let number: UInt64
        let listener: Listener
        let configuration: TransportConfiguration
        var account: Account
        var isJoined = false
        var reachability = SelfReachability.offline
        /// Who has asked already, as toxcore remembers them: the last 32.
        var requesters: [PeerID] = []
        /// False from the moment that the transport is told to end.
        let isAlive = Locked(true)
    }

    /// A place for one transport at a time.
    struct Machine {
        let name: String
        var isPlugged = true
        var run: Run?
    }

    /// What the network has to come back to.
    enum Wake {
        case join(machine: Int, run: UInt64)
        case unplugged(machine: Int, run: UInt64)
        case meet(Pair, epoch: UInt64)
        case lose(Pair, epoch: UInt64)
        case request(from: PeerID, run: UInt64, to: PeerID, attempt: Int)
        case deliver(Direction)
    }

    struct LinkKey: Hashable {
        let from: Int
        let to: Int
    }

    let scheduler: any Scheduler
    let seed: UInt64
    let defaultConditions: LinkConditions
    let timing: SimulatedNetwork.Timing
    var alarm: @Sendable (Instant, Wake) -> Void = { _, _ in }

    var machines: [Machine] = []
    var links: [LinkKey: Link] = [:]
    var sessions: [Pair: PairSession] = [:]
    /// Where each running identity is.
    var places: [PeerID: Int] = [:]
    private var runs: UInt64 = 0

    init(scheduler: any Scheduler, seed: UInt64, conditions: LinkConditions, timing: SimulatedNetwork.Timing) {
        self.scheduler = scheduler
        self.seed = seed
        defaultConditions = conditions
        self.timing = timing
    }

    var now: Instant { scheduler.now }

    func makeAccount() -> Account {
        var generator = SeededGenerator(seed: scheduler.randomSeed())
        return Account(using: &generator)
    }

    mutating func handle(_ wake: Wake) {
        switch wake {
        case .join(let machine, let run): join(machine, run: run)
        case .unplugged(let machine, let run): noticeUnplugged(machine, run: run)
        case .meet(let pair, let epoch): meet(pair, epoch: epoch)
        case .lose(let pair, let epoch): lose(pair, epoch: epoch)
        case .request(let sender, let run, let receiver, let attempt):
            tryRequest(from: sender, run: run, to: receiver, attempt: attempt)
        case .deliver(let direction): deliver(direction)
        }
    }

    // MARK: Machines and links

    mutating func machine(named name: String) -> Int {
        if let index = machines.firstIndex(where: { $0.name == name }) { return index }
        machines.append(Machine(name: name))
        return machines.count - 1
    }

    mutating func withLink<Result>(from sender: Int, to receiver: Int, _ body: (inout Link) -> Result) -> Result {
        let key = LinkKey(from: sender, to: receiver)
        var link =
            links[key]
            ?? Link(
                conditions: defaultConditions,
                seed: seed ^ fnv1a("\(machines[sender].name)\u{0}\(machines[receiver].name)".utf8))
        defer { links[key] = link }
        return body(&link)
    }

    mutating func changeLink(from sender: String, to receiver: String, _ change: (inout LinkConditions) -> Void) {
        let (from, to) = (machine(named: sender), machine(named: receiver))
        withLink(from: from, to: to) { change(&$0.conditions) }
        guard let one = machines[from].run?.account.peer, let other = machines[to].run?.account.peer else { return }
        reassess(Pair(one, other))
    }

    mutating func conditions(from sender: String, to receiver: String) -> LinkConditions {
        withLink(from: machine(named: sender), to: machine(named: receiver)) { $0.conditions }
    }

    mutating func statistics(from sender: String, to receiver: String) -> LinkStatistics {
        withLink(from: machine(named: sender), to: machine(named: receiver)) { $0.statistics }
    }

    mutating func setPlugged(_ isPlugged: Bool, machine: Int) {
        machines[machine].isPlugged = isPlugged
        guard let run = machines[machine].run else { return }
        if isPlugged {
            if run.isJoined { report(run.ownReachability, of: machine) }
        } else {
            alarm(now + timing.silence, .unplugged(machine: machine, run: run.number))
        }
        for friend in run.account.friends { reassess(Pair(run.account.peer, friend.peer)) }
    }

    private mutating func noticeUnplugged(_ machine: Int, run: UInt64) {
        guard machines[machine].run?.number == run, !machines[machine].isPlugged else { return }
        report(.offline, of: machine)
    }

    private mutating func report(_ reachability: SelfReachability, of machine: Int) {
        guard machines[machine].run?.reachability != reachability else { return }
        machines[machine].run?.reachability = reachability
        report(.selfReachability(reachability), to: machine)
    }

    // MARK: Runs

    mutating func start(
        _ machine: Int, account: Account, configuration: TransportConfiguration, listener: Listener
    ) throws(TransportError) -> UInt64 {
        guard machines[machine].run == nil else {
            throw .failed(reason: "another transport runs on \(machines[machine].name)")
        }
        guard places[account.peer] == nil else { throw .failed(reason: "this identity runs elsewhere in the network") }
        runs += 1
        machines[machine].run = Run(
            number: runs, listener: listener, configuration: configuration, account: account)
        places[account.peer] = machine
        alarm(now + timing.join, .join(machine: machine, run: runs))
        return runs
    }

    private mutating func join(_ machine: Int, run number: UInt64) {
        guard let run = machines[machine].run, run.number == number else { return }
        machines[machine].run?.isJoined = true
        if machines[machine].isPlugged { report(run.ownReachability, of: machine) }
        for friend in run.account.friends {
            reassess(Pair(run.account.peer, friend.peer))
            if friend.request != nil { tryRequest(from: run.account.peer, run: number, to: friend.peer, attempt: 0) }
        }
    }

    mutating func end(_ machine: Int, run number: UInt64, saysGoodbye: Bool) {
        guard let run = machines[machine].run, run.number == number else { return }
        run.isAlive.withLock { $0 = false }
        for friend in run.account.friends {
            let pair = Pair(run.account.peer, friend.peer)
            if saysGoodbye { sayGoodbye(from: run.account.peer, to: friend.peer) }
            sessions[pair]?.forget(run.account.peer, in: pair)
        }
        machines[machine].run = nil
        places[run.account.peer] = nil
        for friend in run.account.friends { reassess(Pair(run.account.peer, friend.peer)) }
    }

    func savedata(machine: Int, run: UInt64) -> [UInt8] {
        guard let current = machines[machine].run, current.number == run else { return [] }
        return current.account.savedata
    }

    // MARK: Reports

    func report(_ event: TransportEvent, to machine: Int, at instant: Instant? = nil) {
        guard let run = machines[machine].run else { return }
        let delegate = run.listener.delegate
        let isAlive = run.isAlive
        let work = { @Sendable in
            if isAlive.withLock({ $0 }) { delegate.transport(didReport: event) }
        }
        if let instant, instant > now {
            _ = run.listener.lane.schedule(at: instant, work)
        } else {
            run.listener.lane.async(work)
        }
    }

    func reportSavedataChange(of machine: Int) {
        guard let run = machines[machine].run else { return }
        let (delegate, isAlive) = (run.listener.delegate, run.isAlive)
        run.listener.lane.async {
            if isAlive.withLock({ $0 }) { delegate.transportDidChangeSavedata() }
        }
    }

    /// The running transport of a peer.
    func run(of peer: PeerID) -> (machine: Int, run: Run)? {
        guard let machine = places[peer], let run = machines[machine].run else { return nil }
        return (machine, run)
    }
}

extension NetworkState.Run {
    var ownReachability: SelfReachability { configuration.udpEnabled ? .udp : .tcp }
}
