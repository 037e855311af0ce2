// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// How sound is encoded for one participant.
public struct AudioEncoding: Sendable, Hashable {
    /// Bits per second, 6,000…510,000 (what Opus takes, RFC 6716 §2.1.1).
    public let maxBitrate: Int

    /// An encoding. The range is checked when it is used.
    public init(maxBitrate: Int) { self.maxBitrate = maxBitrate }

    /// 24 kbit/s: a voice.
    public static let presetSpeech = AudioEncoding(maxBitrate: 24_000)
    /// 128 kbit/s: music, in stereo when the source has it.
    public static let presetMusic = AudioEncoding(maxBitrate: 128_000)
    /// 192 kbit/s: music, closer to the original.
    public static let presetMusicHighQuality = AudioEncoding(maxBitrate: 192_000)
}

/// How an audio track is published to one participant.
public struct AudioPublishOptions: Sendable, Hashable {
    /// The encoding; nil = `AudioEncoding.presetSpeech`.
    public let encoding: AudioEncoding?

    /// Options. The ranges are checked when the track is published.
    public init(encoding: AudioEncoding? = nil) { self.encoding = encoding }
}

extension AudioEncoding {
    static let bitrates = 6_000...510_000
    /// From here on sound is coded as music: full band, and stereo when the source has it.
    static let musicBitrate = 64_000

    func validate() throws(RoomError) {
        guard Self.bitrates.contains(maxBitrate) else {
            throw .invalidParameter(
                name: "maxBitrate",
                reason: "must be \(Self.bitrates.lowerBound) to \(Self.bitrates.upperBound) bits per second")
        }
    }
}

extension AudioPublishOptions {
    /// Throws when a value is outside its documented range.
    func validate() throws(RoomError) { try encoding?.validate() }

    /// What the encoder is told for a source with so many channels.
    func encoderSettings(sourceChannels: Int) -> AudioEncoderSettings {
        let bitrate = (encoding ?? .presetSpeech).maxBitrate
        let isMusic = bitrate >= AudioEncoding.musicBitrate
        return AudioEncoderSettings(
            channels: isMusic ? min(2, max(1, sourceChannels)) : 1, bitrate: bitrate, isMusic: isMusic)
    }
}
