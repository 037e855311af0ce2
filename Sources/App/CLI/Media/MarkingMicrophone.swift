// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTestPattern
import RevueTime

/// A microphone that adds a mark to another's sound at every whole second of the machine's monotonic clock.
///
/// Whoever finds a mark within a second of its capture knows when that was.
final class MarkingMicrophone: AudioSource {
    private let base: any AudioSource

    init(base: any AudioSource) { self.base = base }

    func start(_ request: AudioFormat, sink: @escaping @Sendable (AudioChunk) -> Void) throws(CaptureError) {
        let mark = SoundMark(sampleRate: Int(request.sampleRate))
        try base.start(request) { chunk in sink(MarkingMicrophone.marked(chunk, with: mark)) }
    }

    func stop() { base.stop() }

    /// The chunk with those parts of marks that fall into it.
    static func marked(_ chunk: AudioChunk, with mark: SoundMark) -> AudioChunk {
        let rate = Double(mark.sampleRate)
        let channels = chunk.buffer.format.channelCount
        var samples = chunk.buffer.interleaved
        let earliest = chunk.captureTime - .seconds(SoundMark.seconds)
        var second = Instant(nanoseconds: (earliest.nanoseconds / billion) * billion)
        while second < chunk.captureTime + chunk.buffer.duration {
            let position = Int(((second - chunk.captureTime).seconds * rate).rounded())
            mark.mix(into: &samples, at: position, channels: channels)
            second = second + .seconds(1)
        }
        let format = AudioFormat(sampleRate: chunk.buffer.format.sampleRate, channelCount: channels)
        guard let buffer = AudioBuffer(format: format, frameCapacity: samples.count / channels) else { return chunk }
        buffer.withSamples { _ = $0.update(fromContentsOf: samples) }
        return AudioChunk(buffer: buffer, captureTime: chunk.captureTime)
    }

    private static let billion: Int64 = 1_000_000_000
}
