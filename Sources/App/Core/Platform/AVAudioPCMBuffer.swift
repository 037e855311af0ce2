// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// A run of sound, under the name that the documented API uses.
///
/// Whoever makes a buffer fills it before anyone else sees it; from then on nobody writes into it.
public final class AVAudioPCMBuffer: @unchecked Sendable {
    // SAFETY: the pointers never change; the samples follow the rule of `AudioBuffer`.

    /// The same sound in this SDK's own words, without a copy.
    public let audioBuffer: AudioBuffer
    /// How the samples lie.
    public let format: AVAudioFormat

    private let channels: UnsafeMutableBufferPointer<UnsafeMutablePointer<Float>>

    /// The documented name for one of this SDK's own buffers, without a copy.
    public init(_ audioBuffer: AudioBuffer) {
        self.audioBuffer = audioBuffer
        format = AVAudioFormat(audioBuffer.format)
        channels = .allocate(capacity: audioBuffer.format.channelCount)
        for index in channels.indices {
            channels.initializeElement(at: index, to: audioBuffer.unscopedAddress(ofChannel: index))
        }
    }

    /// A silent buffer whose `frameLength` is 0; nil for a format or size that no buffer has.
    public convenience init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        guard let buffer = AudioBuffer(format: format.audioFormat, frameCapacity: Int(frameCapacity)) else {
            return nil
        }
        buffer.frameLength = 0
        self.init(buffer)
    }

    deinit { channels.deallocate() }

    /// The most samples a channel that fit.
    public var frameCapacity: AVAudioFrameCount { AVAudioFrameCount(clamping: audioBuffer.frameCapacity) }

    /// Samples a channel that count, 0…`frameCapacity`; set it after filling.
    public var frameLength: AVAudioFrameCount {
        get { AVAudioFrameCount(clamping: audioBuffer.frameLength) }
        set { audioBuffer.frameLength = Int(newValue) }
    }

    /// How far apart the samples of one channel are: 1, or the number of channels when they are interleaved.
    public var stride: Int { audioBuffer.format.isInterleaved ? audioBuffer.format.channelCount : 1 }

    /// The first sample of each channel. Valid while the buffer is held: use `withExtendedLifetime` where nothing else
    /// holds it.
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
        UnsafePointer(channels.baseAddress)
    }
}
