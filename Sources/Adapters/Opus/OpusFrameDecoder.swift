// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import COpus
import RevuePorts

/// An Opus decoder at 48 kHz.
final class OpusFrameDecoder: AudioDecoder, @unchecked Sendable {
    // SAFETY: the port forbids overlapping calls, and nothing else reaches the state.

    private let channels: Int
    private let handle: OpaquePointer

    init(channels: Int) throws(CodecError) {
        guard (1...2).contains(channels) else {
            throw .invalidSetting(name: "channels", reason: "\(channels) is not in 1…2")
        }
        var result: Int32 = 0
        let made = opus_decoder_create(Int32(AudioFrame.sampleRate), Int32(channels), &result)
        guard let made, result == OPUS_OK else { throw .failed(reason: opusWords(result)) }
        self.channels = channels
        handle = made
    }

    deinit { opus_decoder_destroy(handle) }

    func decode(_ input: AudioDecoderInput) throws(CodecError) -> AudioBuffer {
        switch input {
        case .packet(let bytes):
            return try decode(bytes, frames: try frameCount(bytes), redundancy: false)
        case .lostBefore(let bytes):
            _ = try frameCount(bytes)
            return try decode(bytes, frames: AudioFrame.samples, redundancy: true)
        case .lost:
            return try decode(nil, frames: AudioFrame.samples, redundancy: false)
        }
    }

    /// Samples a channel in a packet: 120…5,760 (2.5…120 ms).
    private func frameCount(_ packet: [UInt8]) throws(CodecError) -> Int {
        guard !packet.isEmpty, packet.count <= Int(Int32.max) else {
            throw .damagedInput(reason: "\(packet.count) bytes are no Opus packet")
        }
        let count = opus_packet_get_nb_samples(packet, Int32(packet.count), Int32(AudioFrame.sampleRate))
        guard count > 0 else { throw .damagedInput(reason: opusWords(count)) }
        return Int(count)
    }

    private func decode(_ packet: [UInt8]?, frames: Int, redundancy: Bool) throws(CodecError) -> AudioBuffer {
        guard let buffer = AudioBuffer(format: .engine(channels: channels), frameCapacity: frames) else {
            throw .failed(reason: "no room for \(frames) frames")
        }
        let count = buffer.withChannel(0) { samples, _ in
            if let packet {
                opus_decode_float(
                    handle, packet, Int32(packet.count), samples, Int32(frames), redundancy ? 1 : 0)
            } else {
                opus_decode_float(handle, nil, 0, samples, Int32(frames), 0)
            }
        }
        guard count >= 0 else { throw .damagedInput(reason: opusWords(count)) }
        buffer.frameLength = Int(count)
        return buffer
    }
}
