// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Our keep-alive: the data of an RTCP APP packet named `RVKA`, 24 bytes.
public struct KeepAlive: Hashable, Sendable {
    /// One more with each keep-alive, from 1: makes a replay visible.
    public var counter: UInt32
    /// When it was sent, in nanoseconds of the sender's own clock; only the sender reads it.
    public var sentAt: UInt64
    /// The `sentAt` of the newest keep-alive received from the other side; 0 when none came.
    public var echo: UInt64
    /// How long that one was held before this was sent, in µs; stays at the end of the range.
    public var heldFor: UInt32

    /// A keep-alive.
    public init(counter: UInt32, sentAt: UInt64, echo: UInt64, heldFor: UInt32) {
        self.counter = counter
        self.sentAt = sentAt
        self.echo = echo
        self.heldFor = heldFor
    }

    /// The name in the APP packet: `RVKA`.
    static let name: UInt32 = 0x5256_4B41
    static let byteCount = 24

    init?(from reader: inout ByteReader) {
        guard let counter = reader.u32(), let sentAt = reader.u64(), let echo = reader.u64(),
            let heldFor = reader.u32()
        else { return nil }
        self.init(counter: counter, sentAt: sentAt, echo: echo, heldFor: heldFor)
    }

    func write(to writer: inout ByteWriter) {
        writer.u32(counter)
        writer.u64(sentAt)
        writer.u64(echo)
        writer.u32(heldFor)
    }
}

/// One side of the exchange of keep-alives with one peer: makes ours, judges theirs, and measures the round trip.
public struct KeepAliveExchange: Hashable, Sendable {
    /// What a keep-alive turned out to be.
    public enum Verdict: Hashable, Sendable {
        /// Newer than any before: the peer is there. The round trip is nil while the peer has nothing of ours to echo.
        case fresh(roundTrip: Interval?)
        /// A copy, or older than one that came: says nothing about the peer.
        case replayed
    }

    /// Longer round trips are not believed.
    public static let longestRoundTrip = Interval.seconds(Int64(60))

    /// Copies and old ones received.
    public private(set) var replayed: UInt64 = 0
    /// The last round trip measured.
    public private(set) var roundTrip: Interval?
    private var counter: UInt32 = 0
    private var firstSent: Instant?
    private var received: Received?

    /// The newest keep-alive of the peer.
    private struct Received: Hashable {
        var counter: UInt32
        var sentAt: UInt64
        var at: Instant
    }

    /// Nothing sent or received; one for each session with a peer, whose counter starts anew with it.
    public init() {}

    /// The keep-alive to send now.
    public mutating func next(at now: Instant) -> KeepAlive {
        counter &+= 1
        firstSent = firstSent ?? now
        let held = received.map { max(0, (now - $0.at).nanoseconds / 1_000) } ?? 0
        return KeepAlive(
            counter: counter, sentAt: UInt64(bitPattern: now.nanoseconds), echo: received?.sentAt ?? 0,
            heldFor: UInt32(clamping: held))
    }

    /// Takes a keep-alive of the peer.
    public mutating func receive(_ keepAlive: KeepAlive, at now: Instant) -> Verdict {
        if let received, keepAlive.counter <= received.counter {
            replayed &+= 1
            return .replayed
        }
        received = Received(counter: keepAlive.counter, sentAt: keepAlive.sentAt, at: now)
        let measured = roundTrip(of: keepAlive, at: now)
        roundTrip = measured ?? roundTrip
        return .fresh(roundTrip: measured)
    }

    /// The time since we sent what is echoed, less what the peer held it; nil when it cannot be true.
    private func roundTrip(of keepAlive: KeepAlive, at now: Instant) -> Interval? {
        guard keepAlive.echo != 0, let firstSent else { return nil }
        let sent = Instant(nanoseconds: Int64(bitPattern: keepAlive.echo))
        guard sent >= firstSent, sent <= now else { return nil }
        let elapsed = (now - sent) - .microseconds(Int64(keepAlive.heldFor))
        guard elapsed <= Self.longestRoundTrip else { return nil }
        return max(elapsed, .zero)
    }
}
