// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import COpus
import RevuePorts

/// An Opus encoder that follows its settings from frame to frame.
final class OpusFrameEncoder: AudioEncoder, @unchecked Sendable {
    // SAFETY: the port forbids overlapping calls, and nothing else reaches the state.

    private var settings: AudioEncoderSettings
    private var handle: OpaquePointer
    private var packet = [UInt8](repeating: 0, count: OpusFrameEncoder.maximumPacketBytes)

    init(_ settings: AudioEncoderSettings) throws(CodecError) {
        try settings.checkForOpus()
        self.settings = settings
        handle = try Self.open(settings)
    }

    deinit { opus_encoder_destroy(handle) }

    func apply(_ settings: AudioEncoderSettings) throws(CodecError) {
        try settings.checkForOpus()
        guard settings.channels == self.settings.channels else {
            throw .invalidSetting(name: "channels", reason: "cannot change: make a new encoder")
        }
        if settings.isMusic != self.settings.isMusic {
            // libopus fixes the application with the first frame.
            let next = try Self.open(settings)
            opus_encoder_destroy(handle)
            handle = next
        } else {
            try Self.control(handle, settings)
        }
        self.settings = settings
    }

    func encode(_ samples: UnsafeBufferPointer<Float>) throws(CodecError) -> [UInt8] {
        guard samples.count == AudioFrame.samples * settings.channels, let start = samples.baseAddress else {
            throw .unsupportedInput(
                reason: "\(samples.count) samples: a frame has \(AudioFrame.samples) for each of the "
                    + "\(settings.channels) channels")
        }
        guard samples.allSatisfy(\.isFinite) else {
            throw .unsupportedInput(reason: "a sample is not a finite number")
        }
        let count = opus_encode_float(
            handle, start, Int32(AudioFrame.samples), &packet, Int32(Self.maximumPacketBytes))
        guard count >= 0 else { throw .failed(reason: opusWords(count)) }
        return [UInt8](packet[0..<Int(count)])
    }

    private static func open(_ settings: AudioEncoderSettings) throws(CodecError) -> OpaquePointer {
        var result: Int32 = 0
        let application = settings.isMusic ? OPUS_APPLICATION_AUDIO : OPUS_APPLICATION_VOIP
        let made = opus_encoder_create(
            Int32(AudioFrame.sampleRate), Int32(settings.channels), application, &result)
        guard let made, result == OPUS_OK else { throw .failed(reason: opusWords(result)) }
        do throws(CodecError) {
            try control(made, settings)
        } catch {
            opus_encoder_destroy(made)
            throw error
        }
        return made
    }

    private static func control(_ handle: OpaquePointer, _ settings: AudioEncoderSettings) throws(CodecError) {
        let controls: [(request: Int32, value: Int)] = [
            (OPUS_SET_BITRATE_REQUEST, settings.bitrate),
            (OPUS_SET_COMPLEXITY_REQUEST, 9),
            (OPUS_SET_INBAND_FEC_REQUEST, settings.forwardErrorCorrection ? 1 : 0),
            (OPUS_SET_PACKET_LOSS_PERC_REQUEST, settings.opusLossPercent),
            (OPUS_SET_DTX_REQUEST, settings.discontinuous ? 1 : 0),
        ]
        for control in controls {
            let result = revue_opus_set(handle, control.request, Int32(control.value))
            guard result == OPUS_OK else { throw .failed(reason: opusWords(result)) }
        }
    }

    /// The largest packet of one frame (RFC 6716 section 3.2.1).
    static let maximumPacketBytes = 1_275
}

extension AudioEncoderSettings {
    func checkForOpus() throws(CodecError) {
        try check("channels", channels, 1...2)
        try check("bitrate", bitrate, 6_000...510_000)
        try check("expectedLossPercent", expectedLossPercent, 0...100)
    }

    private func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(CodecError) {
        guard range.contains(value) else {
            throw .invalidSetting(
                name: name, reason: "\(value) is not in \(range.lowerBound)…\(range.upperBound)")
        }
    }

    /// What libopus is told to expect.
    ///
    /// It leaves redundancy out at 0 % whatever it was asked for (xiph/opus#446), and for speech up to 5 % rather than
    /// narrow the band to make room for it (`decide_fec` in its `opus_encoder.c`): at 24 kbit/s, that is always. Music is
    /// not pushed: above 5 % libopus codes it as if it were speech, the only mode that has redundancy.
    var opusLossPercent: Int {
        forwardErrorCorrection ? max(expectedLossPercent, isMusic ? 1 : 6) : expectedLossPercent
    }
}
