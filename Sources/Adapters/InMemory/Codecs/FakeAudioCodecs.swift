// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// Audio codecs without a codec: as many samples as the bitrate allows, eight bits each (G.711 µ-law), with the frame
/// before in fewer samples when forward error correction is on.
public struct FakeAudioCodecFactory: AudioCodecFactory {
    /// A factory.
    public init() {}

    /// A new encoder.
    public func makeEncoder(_ settings: AudioEncoderSettings) throws(CodecError) -> any AudioEncoder {
        try settings.check()
        return FakeAudioEncoder(settings)
    }

    /// A new decoder; 1 or 2 channels.
    public func makeDecoder(channels: Int) throws(CodecError) -> any AudioDecoder {
        guard (1...2).contains(channels) else {
            throw .invalidSetting(name: "channels", reason: "\(channels) is outside 1…2")
        }
        return FakeAudioDecoder(channels: channels)
    }
}

extension AudioEncoderSettings {
    /// Throws for the first value outside of its documented range.
    func check() throws(CodecError) {
        let ranges: [(name: String, value: Int, range: ClosedRange<Int>)] = [
            ("channels", channels, 1...2), ("bitrate", bitrate, 6_000...510_000),
            ("expectedLossPercent", expectedLossPercent, 0...100),
        ]
        for entry in ranges where !entry.range.contains(entry.value) {
            throw .invalidSetting(
                name: entry.name,
                reason: "\(entry.value) is outside \(entry.range.lowerBound)…\(entry.range.upperBound)")
        }
    }
}

final class FakeAudioEncoder: AudioEncoder {
    private struct State {
        var settings: AudioEncoderSettings
        var previous: [Float]?
    }
    private let state: Locked<State>
    private static let silence: Float = 1e-4

    init(_ settings: AudioEncoderSettings) { state = Locked(State(settings: settings)) }

    func apply(_ settings: AudioEncoderSettings) throws(CodecError) {
        try settings.check()
        try state.withLock { state throws(CodecError) in
            guard settings.channels == state.settings.channels else {
                throw .invalidSetting(name: "channels", reason: "an encoder keeps its channels")
            }
            state.settings = settings
        }
    }

    func encode(_ samples: UnsafeBufferPointer<Float>) throws(CodecError) -> [UInt8] {
        let frame = Array(samples)
        return try state.withLock { state throws(CodecError) in
            let channels = state.settings.channels
            guard frame.count == AudioFrame.samples * channels else {
                throw .unsupportedInput(reason: "\(frame.count) samples instead of \(AudioFrame.samples * channels)")
            }
            defer { state.previous = frame }
            if state.settings.discontinuous, frame.allSatisfy({ abs($0) < FakeAudioEncoder.silence }) { return [] }
            let redundant = state.settings.forwardErrorCorrection ? state.previous : nil
            let budget = min(FakeAudioPacket.maximumBytes, state.settings.bitrate / 8 / 50)
            return FakeAudioPacket(frame: frame, before: redundant, channels: channels, budget: budget).bytes
        }
    }
}

final class FakeAudioDecoder: AudioDecoder {
    private struct State {
        var last: [Float] = []
        var concealed = 0
    }
    private let channels: Int
    private let state = Locked(State())

    init(channels: Int) { self.channels = channels }

    func decode(_ input: AudioDecoderInput) throws(CodecError) -> AudioBuffer {
        switch input {
        case .packet(let bytes):
            guard let packet = FakeAudioPacket(bytes) else { throw .damagedInput(reason: "not a whole packet") }
            return try play(packet.main, of: packet)
        case .lostBefore(let bytes):
            guard let packet = FakeAudioPacket(bytes) else { throw .damagedInput(reason: "not a whole packet") }
            return packet.redundant.isEmpty ? try conceal() : try play(packet.redundant, of: packet)
        case .lost: return try conceal()
        }
    }

    private func play(_ coded: ArraySlice<UInt8>, of packet: FakeAudioPacket) throws(CodecError) -> AudioBuffer {
        let samples = FakeAudioPacket.samples(coded, from: packet.channels, to: channels)
        state.withLock { $0 = State(last: samples) }
        return try buffer(samples)
    }

    /// The last frame again, at half the level each time; silence after five.
    private func conceal() throws(CodecError) -> AudioBuffer {
        let samples = state.withLock { state -> [Float] in
            state.concealed += 1
            state.last = state.concealed > 5 ? [] : state.last.map { $0 / 2 }
            return state.last
        }
        return try buffer(samples)
    }

    private func buffer(_ samples: [Float]) throws(CodecError) -> AudioBuffer {
        guard let buffer = AudioBuffer(format: .engine(channels: channels), frameCapacity: AudioFrame.samples) else {
            throw .failed(reason: "no memory for 20 ms")
        }
        buffer.withSamples { _ = $0.update(fromContentsOf: samples) }
        return buffer
    }
}
