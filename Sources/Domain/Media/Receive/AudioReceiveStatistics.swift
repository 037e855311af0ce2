// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// What a received audio stream brought, what was made up, and what was dropped and why.
public struct AudioReceiveStatistics: Hashable, Sendable {
    /// Packets received, copies left out.
    public internal(set) var packetsReceived: Int64 = 0
    /// Packets that did not come, so far.
    public internal(set) var packetsLost: Int64 = 0
    /// Copies.
    public internal(set) var duplicates: UInt64 = 0
    /// Packets that came after a newer one.
    public internal(set) var reordered: UInt64 = 0
    /// Packets too far from the newest to be told from copies.
    public internal(set) var stale: UInt64 = 0
    /// Packets of another stream, or not of 20 ms.
    public internal(set) var malformed: UInt64 = 0
    /// Packets of a payload type that is unknown here.
    public internal(set) var unknownPayload: UInt64 = 0
    /// Packets without payload.
    public internal(set) var paddingOnly: UInt64 = 0
    /// Bytes of payload in accepted packets.
    public internal(set) var payloadBytes: UInt64 = 0
    /// Packets that came after their frame had been made up or skipped.
    public internal(set) var latePackets: UInt64 = 0
    /// Packets thrown away whole: the buffer was full, the stream started anew, or was reset.
    public internal(set) var flushedPackets: UInt64 = 0
    /// Frames played.
    public internal(set) var framesPlayed: UInt64 = 0
    /// Frames made up for lost or late ones, those with the help of the next packet's FEC included.
    public internal(set) var framesConcealed: UInt64 = 0
    /// Frames made up for which the next packet's FEC could be used.
    public internal(set) var framesRecoverable: UInt64 = 0
    /// Frames made up where the sender had sent nothing on purpose (DTX).
    public internal(set) var framesSilent: UInt64 = 0
    /// Frames discarded to make the delay shorter.
    public internal(set) var framesSkipped: UInt64 = 0
    /// Times that playing went on elsewhere: a jump of a second and more, a new start of the sender.
    public internal(set) var discontinuities: UInt64 = 0
    /// Frames in the buffer now.
    public internal(set) var bufferedFrames: Int = 0
    /// Frames that the buffer aims to hold.
    public internal(set) var targetFrames: Int = 0
    /// Interarrival jitter (RFC 3550 A.8).
    public internal(set) var jitter: Interval = .zero
}
