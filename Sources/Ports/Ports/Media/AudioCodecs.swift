// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// All that an audio encoder can be told.
public struct AudioEncoderSettings: Sendable, Hashable {
    /// 1 or 2.
    public var channels: Int
    /// Bits per second, 6,000…510,000.
    public var bitrate: Int
    /// Whether music rather than speech is coded.
    public var isMusic: Bool
    /// Whether each packet also carries the one before it, coded low (Opus in-band FEC).
    public var forwardErrorCorrection: Bool
    /// Expected loss in percent, 0…100.
    public var expectedLossPercent: Int
    /// Whether silence is hardly sent at all (DTX).
    public var discontinuous: Bool

    /// Settings; the defaults are those of speech at 24 kbit/s.
    public init(
        channels: Int = 1, bitrate: Int = 24_000, isMusic: Bool = false, forwardErrorCorrection: Bool = true,
        expectedLossPercent: Int = 5, discontinuous: Bool = false
    ) {
        self.channels = channels
        self.bitrate = bitrate
        self.isMusic = isMusic
        self.forwardErrorCorrection = forwardErrorCorrection
        self.expectedLossPercent = expectedLossPercent
        self.discontinuous = discontinuous
    }
}

/// The frame that the engine codes: 20 ms at 48 kHz.
public enum AudioFrame {
    /// Samples a second.
    public static let sampleRate = 48_000
    /// Samples a channel in a frame.
    public static let samples = 960
    /// A frame's length.
    public static let duration = Interval.milliseconds(20)
}

/// Turns 20 ms of sound into a packet. Calls must not overlap.
public protocol AudioEncoder: AnyObject, Sendable {
    /// Encodes `AudioFrame.samples` samples a channel, interleaved, nominally -1…1.
    ///
    /// - Returns: at most 1,275 bytes; empty or at most 2 bytes when nothing need be sent (DTX).
    func encode(_ samples: UnsafeBufferPointer<Float>) throws(CodecError) -> [UInt8]
    /// Takes new settings for the next frame; `channels` must stay as they were.
    func apply(_ settings: AudioEncoderSettings) throws(CodecError)
}

/// What an audio decoder is to make up or decode.
public enum AudioDecoderInput: Sendable {
    /// A packet. Any bytes are safe.
    case packet([UInt8])
    /// The frame before this packet, from the packet's own redundancy.
    case lostBefore([UInt8])
    /// A frame of which nothing came.
    case lost
}

/// Turns packets into sound. Calls must not overlap.
public protocol AudioDecoder: AnyObject, Sendable {
    /// Decodes one packet, or makes up what is missing; `AudioFrame.samples` frames for what is lost.
    func decode(_ input: AudioDecoderInput) throws(CodecError) -> AudioBuffer
}

/// Makes audio codecs.
public protocol AudioCodecFactory: Sendable {
    /// A new encoder.
    func makeEncoder(_ settings: AudioEncoderSettings) throws(CodecError) -> any AudioEncoder
    /// A new decoder with 1 or 2 channels at 48 kHz.
    func makeDecoder(channels: Int) throws(CodecError) -> any AudioDecoder
}
