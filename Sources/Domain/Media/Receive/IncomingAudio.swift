// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// One Opus packet of 20 ms, as received.
public struct IncomingAudio: Hashable, Sendable {
    /// The coder's own bytes.
    public var bytes: [UInt8]
    /// The capture time of the first sample in ticks of 48 kHz, unwrapped.
    public var timestamp: Int64
    /// The capture time by the sender's wall clock, NTP 32.32: told by the packet, or worked out from one at most 5 s
    /// away; nil when neither can be had.
    public var captureNTP: UInt64?
    /// 0 (loud) … 127 (silence), −dBov; nil when the sender does not tell.
    public var level: UInt8?
    /// Whether the publication is muted.
    public var isMuted: Bool
}
