// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// How one stream arrives: numbers, losses, jitter and the sender's reports, for report blocks (RFC 3550 §6.4, A.3, A.8).
///
/// Retransmissions in a stream of their own are not to be put in. Bounded: 1,024 bits of history.
public struct ReceptionTracker: Hashable, Sendable {
    /// What a packet's numbers say.
    public enum Arrival: Hashable, Sendable {
        /// A packet not seen before, with its unwrapped numbers.
        case new(sequence: Int64, timestamp: Int64)
        /// The same, and the sender started anew: what was built on earlier packets is void. Sequence numbers go on
        /// upwards; timestamps may go anywhere.
        case restarted(sequence: Int64, timestamp: Int64)
        /// A copy.
        case duplicate
        /// Too far from the newest packet.
        case stale
    }

    /// The stream.
    public let ssrc: UInt32
    /// Copies received.
    public private(set) var duplicates: UInt64 = 0
    /// Packets that came after a newer one.
    public private(set) var reordered: UInt64 = 0
    /// Packets too far from the newest one.
    public private(set) var stale: UInt64 = 0

    private let clock: MediaClock
    private var sequences = SequenceTracker()
    private var timestamps = TimestampUnwrapper()
    private var lastArrival: Last?
    /// Jitter in 1/16 ticks, as RFC 3550 A.8 keeps it.
    private var scaledJitter: Int64 = 0
    private var reported = Reported()
    private var senderReport: SenderReport?

    private struct Last: Hashable {
        var timestamp: Int64
        var at: Instant
    }

    private struct SenderReport: Hashable {
        var middle: UInt32
        var at: Instant
    }

    /// What was so at the last report block.
    private struct Reported: Hashable {
        var expected: Int64 = 0
        var received: Int64 = 0
    }

    /// Nothing received yet.
    public init(ssrc: UInt32, clock: MediaClock) {
        self.ssrc = ssrc
        self.clock = clock
    }

    /// Packets received, copies left out.
    public var packetsReceived: Int64 { sequences.received }
    /// The newest packet's unwrapped number.
    var highestSequence: Int64? { sequences.highest }
    /// Packets that did not come, so far.
    public var packetsLost: Int64 { max(0, sequences.expected &- sequences.received) }
    /// Interarrival jitter.
    public var jitter: Interval { clock.interval(ticks: scaledJitter >> 4) }

    /// Takes a packet's numbers.
    public mutating func receive(_ header: RTPHeader, at now: Instant) -> Arrival {
        switch sequences.receive(header.sequenceNumber) {
        case .duplicate:
            duplicates &+= 1
            return .duplicate
        case .stale:
            stale &+= 1
            return .stale
        case .new(let sequence, let isReordered):
            if isReordered { reordered &+= 1 }
            let timestamp = unwrap(header.timestamp, at: now)
            updateJitter(timestamp, at: now)
            return .new(sequence: sequence, timestamp: timestamp)
        case .restarted(let sequence):
            let timestamp = unwrap(header.timestamp, at: now)
            lastArrival = Last(timestamp: timestamp, at: now)
            return .restarted(sequence: sequence, timestamp: timestamp)
        }
    }

    /// Takes the original numbers of a packet that was sent again: it is no copy any more from now on, but does not count
    /// as received, nor as jitter.
    mutating func recover(_ header: RTPHeader) -> Arrival {
        switch sequences.recover(header.sequenceNumber) {
        case .new(let sequence, _): .new(sequence: sequence, timestamp: timestamps.peek(header.timestamp))
        case .duplicate: .duplicate
        case .stale, .restarted: .stale
        }
    }

    private mutating func unwrap(_ timestamp: UInt32, at now: Instant) -> Int64 {
        guard let lastArrival, now - lastArrival.at > Self.longSilence else { return timestamps.unwrap(timestamp) }
        let expected = lastArrival.timestamp &+ clock.ticks(in: now - lastArrival.at)
        return timestamps.unwrap(timestamp, near: expected)
    }

    private mutating func updateJitter(_ timestamp: Int64, at now: Instant) {
        defer { lastArrival = Last(timestamp: timestamp, at: now) }
        guard let lastArrival else { return }
        let difference = clock.ticks(in: now - lastArrival.at) &- (timestamp &- lastArrival.timestamp)
        // A step of more than 5 s is a pause or a new time base, not jitter (libwebrtc's bound as well).
        guard difference.magnitude <= UInt64(5 * clock.rawValue) else { return }
        scaledJitter += Int64(difference.magnitude) - ((scaledJitter + 8) >> 4)
    }

    /// Forgets the time base: after a pause or a lost path the next packet is no jitter.
    public mutating func paused() { lastArrival = nil }

    /// Takes the stream's sender report.
    public mutating func received(_ info: SenderInfo, at now: Instant) {
        senderReport = SenderReport(middle: NTPTime.middle(of: info.ntp), at: now)
    }

    /// The report since the one before.
    public mutating func reportBlock(at now: Instant) -> ReportBlock {
        let expected = sequences.expected &- reported.expected
        let lost = expected &- (sequences.received &- reported.received)
        reported = Reported(expected: sequences.expected, received: sequences.received)
        var block = ReportBlock(ssrc: ssrc)
        if expected > 0, lost > 0 { block.fractionLost = UInt8(clamping: (lost << 8) / expected) }
        let total = sequences.expected &- sequences.received
        block.cumulativeLost = Int32(max(-0x80_0000, min(total, 0x7F_FFFF)))
        block.highestSequence = UInt32(truncatingIfNeeded: sequences.highest ?? 0)
        block.jitter = UInt32(clamping: scaledJitter >> 4)
        if let senderReport {
            block.lastSenderReport = senderReport.middle
            let delay = max(0, (now - senderReport.at).nanoseconds)
            block.delaySinceLastSenderReport = UInt32(clamping: min(delay, Int64.max >> 17) * 65_536 / 1_000_000_000)
        }
        return block
    }

    /// An hour: far less than half the timestamps' range, far more than any pause within a call's path.
    private static let longSilence = Interval.seconds(Int64(3_600))
}
