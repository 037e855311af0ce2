// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// A number of channels.
public typealias AVAudioChannelCount = UInt32
/// A number of samples a channel.
public typealias AVAudioFrameCount = UInt32

/// How a sample lies in memory. This SDK carries 32-bit floats alone.
public enum AVAudioCommonFormat: UInt, Sendable {
    /// None of the others.
    case otherFormat = 0
    /// 32-bit floats.
    case pcmFormatFloat32 = 1
    /// 64-bit floats.
    case pcmFormatFloat64 = 2
    /// 16-bit integers.
    case pcmFormatInt16 = 3
    /// 32-bit integers.
    case pcmFormatInt32 = 4
}

/// How sound lies in memory, under the name that the documented API uses.
public final class AVAudioFormat: Sendable, Hashable {
    /// The same format in this SDK's own words.
    public let audioFormat: AudioFormat

    /// The documented name for one of this SDK's own formats.
    public init(_ audioFormat: AudioFormat) { self.audioFormat = audioFormat }

    /// 32-bit floats, channel after channel; nil unless the rate is above 0 and there is a channel.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(
            commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// A format; nil unless it is one of 32-bit floats, the rate is above 0 and there is a channel.
    public convenience init?(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
    ) {
        guard format == .pcmFormatFloat32, sampleRate > 0, channels > 0 else { return nil }
        self.init(AudioFormat(sampleRate: sampleRate, channelCount: Int(channels), isInterleaved: interleaved))
    }

    /// Samples a second and channel.
    public var sampleRate: Double { audioFormat.sampleRate }
    /// Channels.
    public var channelCount: AVAudioChannelCount { AVAudioChannelCount(clamping: audioFormat.channelCount) }
    /// Whether the channels alternate in one run of memory.
    public var isInterleaved: Bool { audioFormat.isInterleaved }
    /// Always 32-bit floats.
    public var commonFormat: AVAudioCommonFormat { .pcmFormatFloat32 }

    /// Whether both are the same in every respect.
    public static func == (left: AVAudioFormat, right: AVAudioFormat) -> Bool { left.audioFormat == right.audioFormat }
    /// Feeds the format into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(audioFormat) }
}
