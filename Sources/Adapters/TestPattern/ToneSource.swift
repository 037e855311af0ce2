// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
import RevueTime

#if canImport(Glibc)
    import Glibc
#endif

/// A microphone that needs no device: a tone of 1 kHz, and at the beginning of each second a `SoundMark`.
///
/// It runs on a lane of the scheduler, in real and in virtual time, in chunks of 20 ms.
public final class ToneSource: AudioSource {
    private let ticker: LaneTicker

    /// A source on a lane of its own.
    public init(scheduler: any Scheduler) { ticker = LaneTicker(scheduler, name: "tone") }

    /// Begins to make sound; a chunk comes when it is complete, and its capture time is its first sample's.
    ///
    /// - Throws: `CaptureError.unreadable` unless there are 1…8 channels at 16…384 kHz.
    public func start(_ request: AudioFormat, sink: @escaping @Sendable (AudioChunk) -> Void) throws(CaptureError) {
        guard (1...8).contains(request.channelCount), (16_000...384_000).contains(request.sampleRate) else {
            throw .unreadable(
                name: "tone", reason: "no tone has \(request.channelCount) channels at \(request.sampleRate) Hz")
        }
        let rate = request.sampleRate
        let length = Int((rate / 50).rounded())
        let mark = SoundMark(sampleRate: Int(rate))
        ticker.start(interval: { .seconds(Double(($0 + 1) * Int64(length)) / rate) }) { index, due in
            guard let buffer = AudioBuffer(format: request, frameCapacity: length) else { return }
            let samples = Self.samples(from: index * Int64(length), count: length, rate: rate, mark)
            for channel in 0..<request.channelCount {
                buffer.withChannel(channel) { start, step in
                    for (frame, sample) in samples.enumerated() { start[frame * step] = sample }
                }
            }
            sink(AudioChunk(buffer: buffer, captureTime: due - .seconds(Double(length) / rate)))
        }
    }

    /// Ends; the sink is not called any more.
    public func stop() { ticker.stop() }

    private static func samples(from position: Int64, count: Int, rate: Double, _ mark: SoundMark) -> [Float] {
        let second = Int64(rate)
        var samples = (0..<count).map { index in
            // Within a second, so that the angle stays small; a second holds whole periods.
            Float(0.2 * sin(2 * .pi * 1_000 * Double((position + Int64(index)) % second) / rate))
        }
        let since = Int(position % second)
        for begin in [-since, Int(second) - since] where begin < count && begin > -mark.samples.count {
            mark.mix(into: &samples, at: begin, level: 0.5)
        }
        return samples
    }
}
