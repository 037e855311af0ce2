// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// What became of the requests to send packets again.
public struct ResendStatistics: Hashable, Sendable {
    /// Packets sent again.
    public internal(set) var packets: UInt64 = 0
    /// Their bytes, headers included.
    public internal(set) var bytes: UInt64 = 0
    /// Numbers asked for that were not sent, are too old, or were made useless by a keyframe.
    public internal(set) var unknown: UInt64 = 0
    /// Numbers asked for within a round trip of being sent again.
    public internal(set) var tooSoon: UInt64 = 0
    /// Numbers asked for beyond what one peer may ask for.
    public internal(set) var overAsked: UInt64 = 0
    /// Packets not sent again because retransmissions would take too large a share.
    public internal(set) var overBudget: UInt64 = 0
}

/// A packet to be sent again.
public struct Resend: Hashable, Sendable {
    /// The packet's length.
    public var byteCount: Int
    /// How often to send it: twice when it was sent again before, in vain.
    public var copies: Int
}

/// Sends packets of one stream again, in a stream of their own (RFC 4588, SSRC multiplexing).
///
/// A peer is answered at most 2,000 numbers a second, and with at most half as many bytes as the stream itself takes,
/// besides 8 KB a second and a reserve of 256 KB that refills the same way: after a burst of losses it recovers.
struct Resender: Sendable {
    let ssrc: UInt32
    private(set) var statistics = ResendStatistics()
    var timing = RecoveryTiming()
    private var frames = SentFrames()
    private var sequenceNumber: UInt16
    private var asked = TokenBucket(capacity: 2_000, perSecond: 2_000)
    private var budget = TokenBucket(capacity: 256 << 10, perSecond: 8 << 10)
    private var recent = RecentResends()

    init(ssrc: UInt32, firstSequenceNumber: UInt16) {
        self.ssrc = ssrc
        sequenceNumber = firstSequenceNumber
    }

    mutating func sent(_ frame: PacketisedFrame) { frames.add(frame, timing) }

    /// A packet of the stream itself went out.
    mutating func sent(packetBytes: Int) { budget.add(packetBytes / 2) }

    mutating func forget() { frames.removeAll() }

    /// Writes the packet of a number once more.
    ///
    /// - Parameter newest: the last number sent.
    /// - Returns: nil when it is not to be sent.
    mutating func resend(
        _ number: UInt16, newest: Int64, into slot: UnsafeMutableRawBufferPointer, at now: Instant
    ) -> Resend? {
        guard asked.take(1, at: now) else {
            statistics.overAsked &+= 1
            return nil
        }
        // The newest number that looks like this one; a packet that was never sent is far in the past then.
        let sequence = newest &- Int64(UInt16(truncatingIfNeeded: newest) &- number)
        frames.expire(at: now, timing)
        guard let frame = frames.frame(of: sequence) else {
            statistics.unknown &+= 1
            return nil
        }
        let last = recent.last(of: sequence)
        if let last, now - last < timing.resendPause {
            statistics.tooSoon &+= 1
            return nil
        }
        guard let byteCount = write(frame, sequence, number, into: slot) else { return nil }
        var resend = Resend(byteCount: byteCount, copies: last == nil ? 1 : 2)
        if !budget.take(byteCount * resend.copies, at: now) {
            guard resend.copies > 1, budget.take(byteCount, at: now) else {
                statistics.overBudget &+= 1
                return nil
            }
            resend.copies = 1
        }
        sequenceNumber &+= 1
        recent.note(sequence, at: now)
        statistics.packets &+= UInt64(resend.copies)
        statistics.bytes &+= UInt64(byteCount * resend.copies)
        return resend
    }

    private func write(
        _ frame: PacketisedFrame, _ sequence: Int64, _ number: UInt16, into slot: UnsafeMutableRawBufferPointer
    ) -> Int? {
        var writer = ByteWriter(slot)
        let envelope = PacketisedFrame.Envelope(
            ssrc: ssrc, payloadType: MediaPayload.rtxVP8.rawValue, sequenceNumber: sequenceNumber, original: number)
        _ = frame.write(packet: Int(sequence &- frame.firstSequence), envelope, to: &writer)
        return writer.didOverflow ? nil : writer.count
    }
}

/// When packets were last sent again: 1,024 places, by number; what shares a place is forgotten.
private struct RecentResends: Sendable {
    private struct Entry {
        var sequence: Int64
        var at: Instant
    }

    private var entries: [Entry?] = []

    func last(of sequence: Int64) -> Instant? {
        guard !entries.isEmpty, let entry = entries[Self.place(sequence)], entry.sequence == sequence else {
            return nil
        }
        return entry.at
    }

    mutating func note(_ sequence: Int64, at now: Instant) {
        if entries.isEmpty { entries = Array(repeating: nil, count: 1_024) }
        entries[Self.place(sequence)] = Entry(sequence: sequence, at: now)
    }

    private static func place(_ sequence: Int64) -> Int { Int(sequence & 1_023) }
}
