// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Reliable, ordered messages to one friend over datagrams that may be lost, repeated or reordered.
///
/// A value without I/O: it returns the datagrams to send, and says by `nextDeadline` when `timerFired` is to be called.
/// Messages run in two streams, `text` for room messages and `call` for everything else; each is in order, `call` goes
/// first, neither blocks the other. An idle link has no deadline. Any datagram is safe, and everything is bounded: 256
/// messages or 256 KiB to send and 32 frames under way a stream, at most 40 KiB received ahead of order a stream.
/// `docs/control.md` describes frames, fields and rules.
public struct ControlLink: Sendable, Equatable {
    /// What to do, in order.
    public enum Action: Sendable, Equatable {
        /// Send this datagram, of at most 1,188 bytes.
        case send([UInt8])
        /// The hello round trip is done: after each `connect`, and after the peer restarted.
        case established(Hello)
        /// The peer runs a new session: everything queued for the old one is gone. Comes before `established`.
        case peerRestarted
        /// There is no common version; the peer hears the same from us. No further try before `connect` or `send`.
        case incompatible(Hello)
        /// A message of the peer: once, and in the order of its stream.
        case deliver(ControlMessage)
        /// The peer's link has the message, or the later one that it collapsed into.
        case acknowledged(Receipt)
        /// Something new arrived that proves the peer alive now; never a duplicate.
        case heard
        /// Something of the peer was dropped; counted in `drops`.
        case dropped(ControlDrop)
    }

    /// Names a message that was handed to the link, and is never used again by it.
    ///
    /// Messages that collapse into one share a receipt.
    public struct Receipt: Hashable, Sendable {
        let number: UInt64
    }

    struct Peer: Sendable, Equatable {
        var nonce: UInt64
        var hello: Hello
        var version: UInt8
    }

    let nonce: UInt64
    package let hello: Hello
    let firstSequence: UInt32
    var isConnected = false
    var peer: Peer?
    var greeting: Greeting?
    var hellos = HelloLog()
    /// The session of the peer that was refused last, to say so once.
    var refused: UInt64?
    var sessions = PeerSessions()
    var call: ControlStream
    var text: ControlStream
    var roundTrip = RoundTrip()
    private var receipts: UInt64 = 0

    /// What was dropped so far, by reason.
    public internal(set) var drops = ControlDropCounts()

    /// A link of the session `nonce`, which must be random and not zero (zero counts as one).
    public init(nonce: UInt64, hello: Hello) { self.init(nonce: nonce, hello: hello, firstSequence: 0) }

    /// A link whose streams begin elsewhere than at zero, to try the end of the number range. Both sides must agree.
    package init(nonce: UInt64, hello: Hello, firstSequence: UInt32) {
        self.nonce = max(nonce, 1)
        self.hello = hello
        self.firstSequence = firstSequence
        call = ControlStream(.call, firstSequence: firstSequence)
        text = ControlStream(.text, firstSequence: firstSequence)
    }

    /// Whether a hello round trip with the peer's present session is done. Stays true while no path exists.
    public var isEstablished: Bool { peer != nil }
    /// What the peer's present session said of itself.
    public var peerHello: Hello? { peer?.hello }
    /// The smoothed round-trip time; nil before the first measurement.
    public var roundTripTime: Interval? { roundTrip.smoothed }

    /// When `timerFired` is to be called if nothing else happens; nil when the link is idle.
    public var nextDeadline: Instant? {
        var deadlines: [Instant] = []
        if isConnected, let greeting { deadlines.append(greeting.due) }
        if peer != nil {
            for stream in [call, text] {
                if isConnected, let due = stream.sending.nextDeadline { deadlines.append(due) }
                if let due = stream.receiving.acknowledgementDue { deadlines.append(due) }
            }
        }
        return deadlines.min()
    }

    /// A path to the peer exists, or exists again: says hello and sends at once what is unacknowledged.
    public mutating func connect(at now: Instant) -> [Action] {
        isConnected = true
        sessions.forgetNewcomers()
        greet(at: now)
        call.sending.hurry(at: now, firstRetransmission: roundTrip.firstRetransmission)
        text.sending.hurry(at: now, firstRetransmission: roundTrip.firstRetransmission)
        return poll(at: now)
    }

    /// No path to the peer exists: nothing is repeated until `connect`, and what is queued stays.
    public mutating func disconnect(at now: Instant) {
        isConnected = false
        greeting = nil
    }

    /// Queues a message, and sends what the window allows.
    ///
    /// A `want` or `mute` replaces an unsent one of the same publication. Before `established` and without a path messages wait.
    public mutating func send(
        _ message: ControlMessage, at now: Instant
    ) throws(ControlSendError) -> (Receipt, [Action]) {
        let fresh = Receipt(number: receipts)
        let receipt: Receipt
        switch message {
        case .hello: throw .helloIsAutomatic
        case .message: receipt = try text.sending.append(message, receipt: fresh)
        default: receipt = try call.sending.append(message, receipt: fresh)
        }
        receipts &+= 1
        if isConnected, peer == nil, greeting == nil { greet(at: now) }
        return (receipt, poll(at: now))
    }

    /// The deadline has come; harmless at any other time.
    public mutating func timerFired(at now: Instant) -> [Action] { poll(at: now) }

    /// What is to be sent now: the hello, then `call`, then `text`.
    mutating func poll(at now: Instant) -> [Action] {
        var actions: [Action] = []
        if isConnected, let due = greeting?.due, due <= now {
            if greeting?.isExhausted == true {
                greeting = nil
                sessions.forgetNewcomers()
            } else {
                actions.append(.send(nextHelloFrame(to: sessions.newest?.nonce, answering: nil, at: now)))
                greeting?.sent(at: now)
            }
        }
        guard let peer else { return actions }
        let envelope = Envelope(
            version: peer.version, session: SessionPair(sender: nonce, answered: peer.nonce), isConnected: isConnected,
            firstRetransmission: roundTrip.firstRetransmission)
        for frame in call.poll(at: now, envelope) + text.poll(at: now, envelope) { actions.append(.send(frame.bytes)) }
        return actions
    }

    /// Begins to say hello: to whoever is there.
    mutating func greet(at now: Instant) {
        greeting = Greeting(first: hellos.next, at: now)
        refused = nil
    }

    /// A hello to a session of the peer, or to whichever there is; `number` is the peer's hello that it answers.
    mutating func nextHelloFrame(
        to answered: UInt64?, answering number: HelloNumber?, wantsAnswer: Bool = true, at now: Instant
    ) -> [UInt8] {
        var frame = Frame(session: SessionPair(sender: nonce, answered: answered ?? 0), stream: .link, type: .hello)
        frame.wantsAnswer = wantsAnswer
        frame.sequence = hellos.sent(at: now).rawValue
        frame.acknowledgement.next = number?.rawValue ?? 0
        frame.fields = hello.fields
        return frame.bytes
    }
}
