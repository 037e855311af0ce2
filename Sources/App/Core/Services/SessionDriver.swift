// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueMedia
import RevuePorts
import RevueTime

/// Runs one `Session` from `initialize` to `destroy`: feeds it what the ports report, carries out its effects in order.
///
/// The session is touched on the `core` lane alone. `core` never waits for another lane or for main, and no code of the
/// integrator runs on it. Reads from elsewhere take a lock that is held for no longer than a value takes to copy.
final class SessionDriver: Sendable {
    struct State {
        var session: Session
        var timer: (any LaneTimer)?
        var sending: [PublicationID: SendSpecification] = [:]
        var tracks: [TrackID: WeakTrack] = [:]
        var isClosed = false
    }

    struct WeakTrack {
        weak var track: Track?
    }

    let adapters: Adapters
    let core: any Lane
    let outbox: MainOutbox
    let waiters = Waiters()
    let media: MediaPlane
    let transport: any Transport
    let saver: InstanceSaver
    let speech: SpeechMonitor
    let statistics: StatisticsMonitor
    let log: @Sendable (LogLine) -> Void

    private let state: Locked<State>
    /// Control frames on their way to `core`; a peer that floods loses its own frames, not our memory.
    private let waitingFrames = Locked(0)
    private let droppedFrames = Locked(0)
    /// Texts that were dropped because too many of their friend wait for main.
    private let droppedTexts = Locked(0)

    init(
        session: Session, adapters: Adapters, transport: any Transport, saver: InstanceSaver, outbox: MainOutbox,
        log: @escaping @Sendable (LogLine) -> Void
    ) {
        self.adapters = adapters
        self.transport = transport
        self.saver = saver
        self.outbox = outbox
        self.log = log
        core = adapters.scheduler.makeLane("core")
        media = MediaPlane(adapters: adapters, transport: transport, log: log)
        state = Locked(State(session: session))
        speech = SpeechMonitor(scheduler: adapters.scheduler) { [weak outbox] change, speakers in
            outbox?.append(.speakers(change, speakers))
        }
        statistics = StatisticsMonitor(media: media, scheduler: adapters.scheduler) { [state] peer in
            state.withLock { $0.session.paths(of: peer) }
        } changed: { [weak outbox] report in
            outbox?.append(.statistics(report))
        }
        media.speech = speech
        media.heard = { [weak self] peer in self?.post(.heard(peer)) }
    }

    // MARK: - Commands and questions

    /// Runs a command on `core`; its effects are carried out and, on main, delivered before this returns.
    func perform<Result, Failure: Error>(
        _ command: (inout Session, Instant) throws(Failure) -> (Result, [Effect])
    ) throws(Failure) -> Result {
        let outcome: Swift.Result<Result, Failure> = core.sync {
            do throws(Failure) {
                let now = adapters.scheduler.now
                let (result, effects) = try state.withLock { (state) throws(Failure) in
                    try command(&state.session, now)
                }
                run(effects)
                return .success(result)
            } catch {
                return .failure(error)
            }
        }
        outbox.drainIfOnMain()
        return try outcome.get()
    }

    /// A command that only has effects.
    func perform<Failure: Error>(_ command: (inout Session, Instant) throws(Failure) -> [Effect]) throws(Failure) {
        try perform { (session, now) throws(Failure) in ((), try command(&session, now)) }
    }

    /// What the session says now.
    func read<Result>(_ question: (Session) -> Result) -> Result { state.withLock { question($0.session) } }

    /// The own microphone was heard.
    func heardLocally(level: UInt8, lasting duration: Interval) {
        guard level <= SpeechActivity.voiceLevel else { return }
        speech.heard(read { $0.address.peer }, level: level, lasting: duration)
    }

    // MARK: - Publishing

    /// Starts a publication and waits until its recipient knows it.
    ///
    /// - Throws: `PublishFailure` before anything happened, `OperationFailure` after.
    func publish(
        _ specification: SendSpecification, track: TrackID, to peer: PeerID, formats: [PayloadFormat]
    ) async throws -> PublicationID {
        let operation = waiters.makeOperation()
        let id: PublicationID = try core.sync {
            let now = adapters.scheduler.now
            let (id, effects) = try state.withLock { state in
                let (id, effects) = try state.session.publish(
                    track, to: peer, formats: formats, operation: operation, at: now)
                state.sending[id] = specification
                return (id, effects)
            }
            run(effects)
            return id
        }
        do {
            try await end(of: operation)
        } catch {
            state.withLock { $0.sending[id] = nil }
            throw error
        }
        return id
    }

    /// Waits for the end of an operation that has been started; a cancelled task takes it back.
    ///
    /// - Throws: `OperationFailure`.
    func end(of operation: OperationID) async throws {
        try await withTaskCancellationHandler {
            try await waiters.end(of: operation)
        } onCancel: {
            perform { session, now in session.cancel(operation, at: now) }
        }
    }

    /// How a publication is encoded, for as long as it is published.
    func specification(of id: PublicationID) -> SendSpecification? { state.withLock { $0.sending[id] } }

    /// Changes how a publication is encoded; false when it is no longer published.
    func setSpecification(_ specification: SendSpecification, of id: PublicationID) -> Bool {
        core.sync {
            let known = state.withLock { state in
                guard state.sending[id] != nil, state.session.publication(id) != nil else { return false }
                state.sending[id] = specification
                return true
            }
            if known { media.update(id, specification) }
            return known
        }
    }

    /// A track that this instance publishes, or may publish.
    func track(_ id: TrackID) -> Track? { state.withLock { $0.tracks[id]?.track } }

    func remember(_ track: Track) {
        state.withLock { state in
            state.tracks = state.tracks.filter { $0.value.track != nil }
            state.tracks[track.trackID] = WeakTrack(track: track)
        }
    }

    /// The payload formats that a declaration offers: every codec there is, so that it can change without a new one, and
    /// right behind each that of its packets when they are sent again.
    func formats(_ kind: Track.Kind) -> [PayloadFormat] {
        switch kind {
        case .audio: [PayloadFormat(payloadType: MediaPayload.opus.rawValue, codec: .opus)]
        case .video:
            VideoCodecKind.allCases.filter { kind in adapters.videoCodecs.contains { $0.codecs.contains(kind) } }
                .flatMap { kind in
                    switch kind {
                    case .vp8:
                        [
                            PayloadFormat(payloadType: MediaPayload.vp8.rawValue, codec: .vp8),
                            PayloadFormat(payloadType: MediaPayload.rtxVP8.rawValue, codec: .rtx),
                        ]
                    case .h264:
                        [
                            PayloadFormat(payloadType: MediaPayload.h264.rawValue, codec: .h264),
                            PayloadFormat(payloadType: MediaPayload.rtxH264.rawValue, codec: .rtx),
                        ]
                    }
                }
        }
    }

    /// What must be kept until the next run; nil once the transport has stopped.
    func snapshot() -> SavedInstance? {
        let transport = transport.savedata()
        return transport.isEmpty ? nil : SavedInstance(transport: transport, session: read { $0.stored.encoded() })
    }

    // MARK: - Ending

    /// Ends every call and waits, half a second at most, until the peers have heard of it.
    func close() async {
        perform { session, now in session.close(at: now) }
        let deadline = adapters.scheduler.now + .milliseconds(500)
        while adapters.scheduler.now < deadline, read({ $0.nextDeadline }) != nil {
            await pause(.milliseconds(20))
        }
        core.sync {
            state.withLock { state in
                state.isClosed = true
                state.timer?.cancel()
                state.timer = nil
            }
        }
        speech.close()
        statistics.close()
        media.closeAll()
    }

    private func pause(_ interval: Interval) async {
        await withCheckedContinuation { continuation in
            _ = core.schedule(at: adapters.scheduler.now + interval) { continuation.resume() }
        }
    }

    // MARK: - Events

    /// Hands an event to `core`.
    func post(_ event: Event) {
        core.async { [weak self] in self?.handle(event) }
    }

    private func handle(_ event: Event) {
        let now = adapters.scheduler.now
        let effects = state.withLock { $0.isClosed ? [] : $0.session.handle(event, at: now) }
        run(effects)
    }

    private func armTimer() {
        state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
            guard !state.isClosed, let deadline = state.session.nextDeadline else { return }
            state.timer = core.schedule(at: deadline) { [weak self] in self?.handle(.timer) }
        }
    }

    // MARK: - Effects

    private func run(_ effects: [Effect]) {
        for effect in effects { run(effect) }
        armTimer()
    }

    private func run(_ effect: Effect) {
        switch effect {
        case .transport(let command): transport.perform(command)
        case .send(let frame, let peer): frame.withUnsafeBytes { _ = transport.send($0, to: peer) }
        case .keepAlive(let peer): media.sendKeepAlive(to: peer)
        case .openMedia(let peer):
            media.open(peer)
            statistics.callsChanged()
        case .closeMedia(let peer):
            media.close(peer)
            statistics.callsChanged()
            speech.clear(peer)
        case .startSending(let id, let content): startSending(id, content)
        case .setOutlet(let id, let content): media.setOutlet(id, content)
        case .stopSending(let id):
            media.stopSending(id)
            state.withLock { $0.sending[id] = nil }
        case .refreshMedia(let peer): media.refresh(peer)
        case .startReceiving(let peer, let id, let stream): media.startReceiving(stream, id, from: peer)
        case .stopReceiving(let peer, let id): media.stopReceiving(id, from: peer)
        case .notify(let notice): notify(notice)
        case .finish(let operation, let outcome): outbox.append(.finish(operation, outcome))
        case .persist: saver.saveSoon()
        case .log(let line): log(line)
        }
    }

    private func notify(_ notice: Notice) {
        if !outbox.append(.notice(notice)) {
            let count = droppedTexts.withLock { count in
                count += 1
                return count
            }
            // A flood must not become one of log lines.
            if count.nonzeroBitCount == 1 {
                let message =
                    "Texts of a friend were dropped, \(count) so far: the main thread does not take them in time."
                log(LogLine(.warning, "messages", message))
            }
        }
        silenceMuted(notice)
    }

    /// Who is muted does not speak: at once, not a window later.
    private func silenceMuted(_ notice: Notice) {
        switch notice {
        case .remoteMuted(let peer, let id, true):
            if media.remoteTrack(id, of: peer)?.kind == .audio { speech.clear(peer) }
        case .trackMuted(let id, true):
            if track(id)?.source == .microphone { speech.clear(read { $0.address.peer }) }
        default: break
        }
    }

    private func startSending(_ id: PublicationID, _ content: OutletContent) {
        let found = state.withLock { state in
            state.session.publication(id).flatMap { publication in
                state.sending[id].map { (publication, $0) }
            }
        }
        guard let (publication, specification) = found else { return }
        media.startSending(publication, specification, content)
    }
}

extension SessionDriver: TransportDelegate {
    /// Control frames that may wait for `core` at once.
    private static let mostWaitingFrames = 1_024

    func transport(didReport event: TransportEvent) { post(.transport(event)) }

    func transport(didReceive datagram: UnsafeRawBufferPointer, from peer: PeerID) {
        switch DatagramKind.of(datagram) {
        case .control:
            let fits = waitingFrames.withLock { count in
                guard count < Self.mostWaitingFrames else { return false }
                count += 1
                return true
            }
            guard fits else { return droppedFrames.withLock { $0 += 1 } }
            let frame = Array(datagram)
            core.async { [weak self] in
                guard let self else { return }
                waitingFrames.withLock { $0 -= 1 }
                // What main cannot take yet has no receipt yet: the peer sends it again.
                handle(outbox.isFull(of: peer) ? .unreadDatagram(peer, frame) : .datagram(peer, frame))
            }
        case .rtp: media.receive(rtp: datagram, from: peer)
        case .rtcp: media.receive(rtcp: datagram, from: peer)
        case .unknown: droppedFrames.withLock { $0 += 1 }
        }
    }

    func transportDidChangeSavedata() { saver.saveSoon() }
}
