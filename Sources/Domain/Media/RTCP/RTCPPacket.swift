// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Why bytes are no RTCP. What was read before stands; the rest is to be dropped and counted.
public enum RTCPParseError: Error, Hashable, Sendable {
    /// Shorter than what its own fields announce.
    case truncated
    /// Not version 2.
    case unsupportedVersion(UInt8)
    /// The padding's length is zero, no multiple of 4, longer than the packet, or not in the last packet.
    case malformedPadding
    /// A generic NACK names more than `GenericNACK.maximumCount` packets.
    case tooManyEntries
}

/// One packet of an RTCP compound.
public enum RTCPPacket: Hashable, Sendable {
    /// SR, RFC 3550 §6.4.1.
    case senderReport(ssrc: UInt32, SenderInfo, [ReportBlock])
    /// RR, RFC 3550 §6.4.2.
    case receiverReport(ssrc: UInt32, [ReportBlock])
    /// PLI, RFC 4585 §6.3.1: `media` needs a keyframe.
    case pictureLossIndication(sender: UInt32, media: UInt32)
    /// FIR, RFC 5104 §4.3.1.
    case fullIntraRequest(sender: UInt32, [FullIntraEntry])
    /// NACK, RFC 4585 §6.2.1: these packets of `media` are missing, in the order of the packet.
    case genericNACK(sender: UInt32, media: UInt32, [UInt16])
    /// APP, RFC 3550 §6.7, named `RVKA`: our keep-alive.
    case application(ssrc: UInt32, KeepAlive)
    /// BYE, RFC 3550 §6.6: these sources end; at most 31.
    case bye([UInt32])
    /// Any other packet type or format: skipped.
    case unknown(packetType: UInt8)
}

/// What a sender says of itself in a sender report.
public struct SenderInfo: Hashable, Sendable {
    /// The instant of the report by the sender's wall clock, NTP 32.32.
    public var ntp: UInt64
    /// The same instant on the stream's media clock.
    public var timestamp: UInt32
    /// Packets sent so far, wrapping.
    public var packetCount: UInt32
    /// Bytes of payload sent so far, wrapping.
    public var octetCount: UInt32

    /// A sender's figures.
    public init(ntp: UInt64, timestamp: UInt32, packetCount: UInt32, octetCount: UInt32) {
        self.ntp = ntp
        self.timestamp = timestamp
        self.packetCount = packetCount
        self.octetCount = octetCount
    }
}

/// How one stream arrives (RFC 3550 §6.4.1).
public struct ReportBlock: Hashable, Sendable {
    /// The stream reported on.
    public var ssrc: UInt32
    /// Share lost since the report before, in 1/256.
    public var fractionLost: UInt8
    /// Packets lost in all; −8,388,608…8,388,607, negative when more came than were sent.
    public var cumulativeLost: Int32
    /// The highest sequence number received, with the count of its wraps above it.
    public var highestSequence: UInt32
    /// Interarrival jitter in ticks of the media clock.
    public var jitter: UInt32
    /// The middle of the last sender report's NTP time; 0 when none came.
    public var lastSenderReport: UInt32
    /// Time since that report, in 1/65,536 s.
    public var delaySinceLastSenderReport: UInt32

    /// A report.
    public init(
        ssrc: UInt32, fractionLost: UInt8 = 0, cumulativeLost: Int32 = 0, highestSequence: UInt32 = 0,
        jitter: UInt32 = 0
    ) {
        self.ssrc = ssrc
        self.fractionLost = fractionLost
        self.cumulativeLost = cumulativeLost
        self.highestSequence = highestSequence
        self.jitter = jitter
        lastSenderReport = 0
        delaySinceLastSenderReport = 0
    }
}

/// One entry of a full intra request.
public struct FullIntraEntry: Hashable, Sendable {
    /// The stream that is to send a keyframe.
    public var media: UInt32
    /// Tells a new request from a repeated one.
    public var commandSequence: UInt8

    /// An entry.
    public init(media: UInt32, commandSequence: UInt8) {
        self.media = media
        self.commandSequence = commandSequence
    }
}
