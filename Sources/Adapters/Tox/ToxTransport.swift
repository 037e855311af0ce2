// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueDomain
public import RevuePorts
public import RevueTime

/// The transport over Tox: real toxcore, its own identity in the savedata, friends by their public key.
///
/// Each instance owns one thread and one toxcore instance; any number may live in a process. toxcore's audio and video
/// library is never used: datagrams travel as lossy custom packets, inside toxcore's own encryption. The thread sleeps
/// until its UDP socket has something, someone sends, or toxcore's interval ends. See `docs/tox.md`.
public final class ToxTransport: Transport {
    private struct Running: Sendable {
        let mailbox: Mailbox
        let queue: DatagramQueue
        let session: ToxSession
        let thread: OwnedThread
    }

    private let running = Locked<Running?>(nil)
    /// Held through start and stop, so that they never overlap.
    private let tally = Locked(ToxCounters())
    private let timing: ToxTiming

    /// A transport that waits for `start`.
    public convenience init() { self.init(timing: ToxTiming()) }

    init(timing: ToxTiming) { self.timing = timing }

    deinit { stop() }

    /// Datagrams of 1,188 bytes, requests of 921, texts of 1,372.
    public var limits: TransportLimits {
        TransportLimits(
            datagramBytes: DatagramQueue.datagramBytes, requestBytes: ToxLimits.request, textBytes: ToxLimits.text)
    }

    /// What was counted so far, over all starts; any thread.
    public var counters: ToxCounters { tally.withLock { $0 } }

    /// The processor time that the transport's thread has taken since `start`; nil while it does not run. Any thread.
    public var processorTime: Interval? {
        running.withLock { $0?.thread.processorTime }
    }

    /// Makes the toxcore instance and starts its thread. The delegate is held until `stop`.
    ///
    /// - Throws: `TransportError`; `.damagedSavedata` for anything but the whole savedata of a `ToxTransport`.
    public func start(
        _ configuration: TransportConfiguration, savedata: [UInt8]?, delegate: any TransportDelegate
    ) throws(TransportError) -> TransportState {
        guard configuration.udpEnabled || configuration.tcpRelayEnabled else {
            throw .invalidConfiguration(reason: "neither UDP nor TCP relays are enabled")
        }
        return try running.withLock { running throws(TransportError) in
            guard running == nil else { throw .alreadyStarted }
            guard let wake = WakeEvent() else { throw .failed(reason: "no descriptor left") }
            let mailbox = Mailbox(wake: wake)
            let queue = DatagramQueue()
            let session = try ToxSession(
                configuration, savedata: savedata, delegate: delegate, shared: (mailbox, queue, tally), timing: timing)
            let state = try session.state()
            guard let thread = OwnedThread(name: "revue-tox", body: { session.run() }) else {
                throw .failed(reason: "no thread left")
            }
            running = Running(mailbox: mailbox, queue: queue, session: session, thread: thread)
            return state
        }
    }

    /// Queues a command for the transport's thread; before `start` and after `stop` it does nothing.
    public func perform(_ command: TransportCommand) {
        running.withLock { $0?.mailbox }?.post(.command(command))
    }

    /// Copies a datagram into a ring of 512 slots; no allocation, no system call but a wake-up once per batch.
    ///
    /// On the transport's own thread (in a delegate's callback) it leaves when the callback's batch ends.
    ///
    /// - Returns: false when the ring is full, the peer is no friend, or the size is outside 1…1,188.
    @discardableResult
    public func send(_ datagram: UnsafeRawBufferPointer, to peer: PeerID) -> Bool {
        guard let running = running.withLock({ $0 }) else { return false }
        switch running.queue.offer(datagram, to: peer) {
        case .taken(let wake):
            if wake && !running.thread.isCurrent { running.mailbox.wake.signal() }
            return true
        case .full:
            tally.withLock { $0.queueFull += 1 }
            return false
        case .refused: return false
        }
    }

    /// Identity, friends and known nodes, in an envelope with a checksum. Waits for the transport's thread, unless called
    /// on it; empty before `start` and after `stop`.
    public func savedata() -> [UInt8] {
        guard let running = running.withLock({ $0 }) else { return [] }
        if running.thread.isCurrent { return running.session.handle.savedata }
        let reply = SavedataReply()
        return running.mailbox.post(.savedata(reply)) ? reply.wait() : []
    }

    /// Tells friends that we leave, frees the toxcore instance and ends the thread.
    ///
    /// From a delegate's callback it returns at once: no further event comes, and the thread ends when the callback does.
    /// A second call does nothing, or waits for the first.
    public func stop() {
        let ended = running.withLock { $0 }
        guard let ended else { return }
        ended.mailbox.stop()
        ended.thread.join()
        running.withLock { running in
            if running?.mailbox === ended.mailbox { running = nil }
        }
    }
}
