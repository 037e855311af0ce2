// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import COpus
public import RevuePorts

/// Opus by libopus: 48 kHz, frames of 20 ms, one or two channels.
public struct OpusCodecFactory: AudioCodecFactory {
    /// A factory.
    public init() {}

    /// A new encoder.
    ///
    /// - Throws: `CodecError.invalidSetting` for a value out of range.
    public func makeEncoder(_ settings: AudioEncoderSettings) throws(CodecError) -> any AudioEncoder {
        try OpusFrameEncoder(settings)
    }

    /// A new decoder; it gives `channels` channels whatever a packet holds.
    ///
    /// - Throws: `CodecError.invalidSetting` unless there are 1 or 2 channels.
    public func makeDecoder(channels: Int) throws(CodecError) -> any AudioDecoder {
        try OpusFrameDecoder(channels: channels)
    }
}

/// An error in libopus's own words.
func opusWords(_ code: Int32) -> String { opus_strerror(code).map { String(cString: $0) } ?? "error \(code)" }
