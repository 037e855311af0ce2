// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// How sound lies in memory: 32-bit floats, nominally -1…1.
public struct AudioFormat: Sendable, Hashable {
    /// Samples a second and channel.
    public var sampleRate: Double
    /// Channels.
    public var channelCount: Int
    /// Whether the channels alternate in one run of memory.
    public var isInterleaved: Bool

    /// A format.
    public init(sampleRate: Double, channelCount: Int, isInterleaved: Bool = true) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.isInterleaved = isInterleaved
    }

    /// What the engine works in: 48 kHz, interleaved.
    public static func engine(channels: Int) -> AudioFormat { AudioFormat(sampleRate: 48_000, channelCount: channels) }
}

/// A run of sound.
///
/// Whoever makes a buffer fills it before anyone else sees it; from then on nobody writes into it.
public final class AudioBuffer: @unchecked Sendable {
    // SAFETY: the samples are written by the maker alone, before the buffer is shared.

    /// How the samples lie.
    public let format: AudioFormat
    /// The most samples a channel that fit.
    public let frameCapacity: Int
    /// Samples a channel that count; 0…`frameCapacity`. Set by the maker alone.
    public var frameLength: Int {
        get { length }
        set { length = min(max(0, newValue), frameCapacity) }
    }

    private var length: Int
    private let storage: UnsafeMutableBufferPointer<Float>

    /// A silent buffer of full length; nil unless there are 1…8 channels, a rate of 1…384,000 Hz and at most 2^24 frames.
    public init?(format: AudioFormat, frameCapacity: Int) {
        guard (1...8).contains(format.channelCount), (1...384_000).contains(format.sampleRate),
            (0...(1 << 24)).contains(frameCapacity)
        else { return nil }
        self.format = format
        self.frameCapacity = frameCapacity
        length = frameCapacity
        storage = .allocate(capacity: max(1, frameCapacity * format.channelCount))
        storage.initialize(repeating: 0)
    }

    deinit { storage.deallocate() }

    /// Calls `body` with the whole memory: frame after frame when interleaved, channel after channel (each
    /// `frameCapacity` long) when not. It is valid until `body` returns: keep no address of it, because an address does
    /// not keep its buffer alive.
    public func withSamples<Result, Failure: Error>(
        _ body: (UnsafeMutableBufferPointer<Float>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(storage)
    }

    /// The samples that count, in interleaved order; for an interleaved buffer without a copy of more than it holds.
    public var interleaved: [Float] {
        let channels = format.channelCount
        if format.isInterleaved { return Array(storage[0..<(length * channels)]) }
        var result = [Float](repeating: 0, count: length * channels)
        for channel in 0..<channels {
            for frame in 0..<length { result[frame * channels + channel] = storage[channel * frameCapacity + frame] }
        }
        return result
    }

    /// Calls `body` with the first sample of a channel and how far apart its samples are, on the terms of
    /// `withSamples(_:)`.
    public func withChannel<Result, Failure: Error>(
        _ index: Int, _ body: (_ start: UnsafeMutablePointer<Float>, _ step: Int) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(unscopedAddress(ofChannel: index), format.isInterleaved ? format.channelCount : 1)
    }

    /// The first sample of a channel, for an interface that hands out addresses: whoever asks must keep the buffer alive
    /// by `withExtendedLifetime` for as long as it uses the address.
    package func unscopedAddress(ofChannel index: Int) -> UnsafeMutablePointer<Float> {
        let start = storage.baseAddress.unsafelyUnwrapped  // never empty
        return start + (format.isInterleaved ? index : index * frameCapacity)
    }

    /// How long the samples that count last.
    public var duration: Interval { .seconds(Double(length) / format.sampleRate) }
}
