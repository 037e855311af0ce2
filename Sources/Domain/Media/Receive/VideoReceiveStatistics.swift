// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// What a received video stream brought, and what was dropped and why.
public struct VideoReceiveStatistics: Hashable, Sendable {
    /// Packets received, copies left out.
    public internal(set) var packetsReceived: Int64 = 0
    /// Packets that did not come, so far.
    public internal(set) var packetsLost: Int64 = 0
    /// Packets that were sent again and came in time to be of use; they stay counted as lost.
    public internal(set) var packetsRecovered: UInt64 = 0
    /// Packets asked for, each as often as it was.
    public internal(set) var packetsRequested: UInt64 = 0
    /// Packets given up after all requests.
    public internal(set) var packetsAbandoned: UInt64 = 0
    /// Retransmitted packets that had come already, or had not been sent before.
    public internal(set) var retransmissionsUseless: UInt64 = 0
    /// Copies.
    public internal(set) var duplicates: UInt64 = 0
    /// Packets that came after a newer one.
    public internal(set) var reordered: UInt64 = 0
    /// Packets too far from the newest to be told from copies.
    public internal(set) var stale: UInt64 = 0
    /// Packets of another stream, too long, or with a payload that ends too soon.
    public internal(set) var malformed: UInt64 = 0
    /// Packets of a payload type that is unknown here.
    public internal(set) var unknownPayload: UInt64 = 0
    /// Packets without payload.
    public internal(set) var paddingOnly: UInt64 = 0
    /// New packets of frames already passed.
    public internal(set) var late: UInt64 = 0
    /// Packets of frames that never became whole.
    public internal(set) var packetsDiscarded: UInt64 = 0
    /// Bytes of payload in accepted packets.
    public internal(set) var payloadBytes: UInt64 = 0
    /// Frames put together.
    public internal(set) var framesAssembled: UInt64 = 0
    /// Frames handed out.
    public internal(set) var framesDelivered: UInt64 = 0
    /// Keyframes handed out.
    public internal(set) var keyframesDelivered: UInt64 = 0
    /// Frames put together and not handed out: what they build on is missing, or something newer went first.
    public internal(set) var framesDropped: UInt64 = 0
    /// Keyframes asked for.
    public internal(set) var keyframesRequested: UInt64 = 0
    /// Times that the sender started anew.
    public internal(set) var restarts: UInt64 = 0
    /// Interarrival jitter (RFC 3550 A.8).
    public internal(set) var jitter: Interval = .zero
    /// How much later than the quickest frames all go out: zero while nothing is lost.
    public internal(set) var playoutDelay: Interval = .zero
}
