// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// One audio encoder and everyone who receives what it encodes.
final class AudioEncoderGroup: Sendable {
    private struct State {
        var routes: [AudioSendRoute] = []
        var framer: AudioFramer
        var encoder: (any AudioEncoder)?
        var waiting = 0
        var encodeCount: UInt64 = 0
        var dropped: UInt64 = 0
    }

    let settings: AudioEncoderSettings
    private let adapters: Adapters
    private let lane: any Lane
    private let log: @Sendable (LogLine) -> Void
    private let state: Locked<State>

    init(_ settings: AudioEncoderSettings, adapters: Adapters, log: @escaping @Sendable (LogLine) -> Void) {
        self.settings = settings
        self.adapters = adapters
        self.log = log
        lane = adapters.scheduler.makeLane("audio encoder")
        state = Locked(State(framer: AudioFramer(channels: settings.channels)))
    }

    var isEmpty: Bool { state.withLock { $0.routes.isEmpty } }
    var encodeCount: UInt64 { state.withLock { $0.encodeCount } }
    func add(_ route: AudioSendRoute) { state.withLock { $0.routes.append(route) } }
    func remove(_ id: PublicationID) { state.withLock { $0.routes.removeAll { $0.id == id } } }

    /// Chunks that may wait for the encoder; more than this and it is too slow for real time.
    private static let mostWaiting = 50

    func push(_ chunk: AudioChunk) {
        let fits = state.withLock { state in
            guard state.routes.contains(where: { $0.content == .media }) else { return false }
            guard state.waiting < Self.mostWaiting else {
                state.dropped &+= 1
                return false
            }
            state.waiting += 1
            return true
        }
        if fits { lane.async { [weak self] in self?.encode(chunk) } }
    }

    private func encode(_ chunk: AudioChunk) {
        let samples = AudioChannels.convert(chunk.buffer, to: settings.channels)
        var frames: [([Float], Instant)] = []
        let routes = state.withLock { state in
            state.waiting -= 1
            state.framer.push(samples, at: chunk.captureTime) { frames.append(($0, $1)) }
            return state.routes
        }
        for (frame, time) in frames { encode(frame, time, routes) }
    }

    private func encode(_ frame: [Float], _ time: Instant, _ routes: [AudioSendRoute]) {
        do throws(CodecError) {
            let encoder: any AudioEncoder
            if let known = state.withLock({ $0.encoder }) {
                encoder = known
            } else {
                encoder = try adapters.audioCodecs.makeEncoder(settings)
                state.withLock { $0.encoder = encoder }
            }
            let result = frame.withUnsafeBufferPointer { samples in
                Result { () throws(CodecError) in try encoder.encode(samples) }
            }
            let packet = try result.get()
            state.withLock { $0.encodeCount &+= 1 }
            guard packet.count > 2 || !settings.discontinuous else { return }
            let level = AudioMeter.level(of: frame)
            for route in routes { route.send(packet, capturedAt: time, level: level, isSilence: false) }
        } catch {
            log(LogLine(.warning, "audio", "Sound was not encoded: \(error)."))
        }
    }
}

/// Changes the number of channels of sound at 48 kHz.
enum AudioChannels {
    /// Interleaved samples with so many channels: the mean for one, the same twice for two from one.
    static func convert(_ buffer: AudioBuffer, to channels: Int) -> [Float] {
        let samples = buffer.interleaved
        let given = buffer.format.channelCount
        if given == channels { return samples }
        var result: [Float] = []
        result.reserveCapacity(buffer.frameLength * channels)
        for start in stride(from: 0, to: samples.count, by: given) {
            let frame = samples[start..<(start + given)]
            let mean = frame.reduce(0, +) / Float(given)
            for channel in 0..<channels { result.append(channels == 1 ? mean : frame[start + min(channel, given - 1)]) }
        }
        return result
    }
}
