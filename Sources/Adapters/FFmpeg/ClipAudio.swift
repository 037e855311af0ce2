// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTime

/// A clip's sound.
final class ClipAudio: AudioSource {
    private let path: String?
    private let timeline: ClipTimeline
    private let thread = CaptureThread()

    init(path: String?, timeline: ClipTimeline) {
        self.path = path
        self.timeline = timeline
    }

    func start(_ request: AudioFormat, sink: @escaping @Sendable (AudioChunk) -> Void) throws(CaptureError) {
        guard let path else { throw .noFile(for: .audio) }
        try thread.start("clip audio") { () throws(CaptureError) in
            guard (1...8).contains(request.channelCount), (50...384_000).contains(request.sampleRate) else {
                throw .unreadable(
                    name: path, reason: "no sound has \(request.channelCount) channels at \(request.sampleRate) Hz")
            }
            _ = try DecodedStream(path, .audio)
            let timeline = timeline
            let origin = timeline.join()
            return { run in
                Self.play(path, request, from: origin, clock: { timeline.now }, run: run, sink: sink)
                timeline.leave()
            }
        }
    }

    func stop() { thread.stop() }

    private static let latest = Interval.seconds(1)

    private static func play(
        _ path: String, _ format: AudioFormat, from origin: Instant, clock: () -> Instant, run: CaptureRun,
        sink: (AudioChunk) -> Void
    ) {
        guard let stream = try? DecodedStream(path, .audio) else { return }
        let length = Int((format.sampleRate / 50).rounded())
        var sound = LoopedSound(stream, format)
        var position = 0
        while let samples = try? sound.read(length) {
            let start = origin + .seconds(Double(position) / format.sampleRate)
            let due = origin + .seconds(Double(position + length) / format.sampleRate)
            position += length
            guard clock() - due < latest else {
                if run.isStopped { return }
                continue
            }
            guard run.sleep(due - clock()), let buffer = AudioBuffer(format: format, frameCapacity: length) else {
                return
            }
            fill(buffer, samples)
            sink(AudioChunk(buffer: buffer, captureTime: start))
        }
    }

    private static func fill(_ buffer: AudioBuffer, _ samples: [Float]) {
        let channels = buffer.format.channelCount
        for channel in 0..<channels {
            buffer.withChannel(channel) { start, step in
                for frame in 0..<buffer.frameLength { start[frame * step] = samples[frame * channels + channel] }
            }
        }
    }
}

/// A stream's sound without end: every loop is as long as the file, to the sample; what lacks is silence.
private struct LoopedSound {
    private var stream: DecodedStream
    private let converter: SampleConverter
    private let rate: Double
    private let channels: Int
    private var ready: [Float] = []
    /// Frames that this loop has given so far.
    private var given = 0
    private var isPlaced = false
    private var loops = 0
    private var heard = false

    init(_ stream: DecodedStream, _ format: AudioFormat) {
        self.stream = stream
        rate = format.sampleRate
        channels = format.channelCount
        converter = SampleConverter(rate: Int(format.sampleRate), channels: format.channelCount)
    }

    /// The next `count` frames, interleaved; nil for a stream that has nothing at all.
    mutating func read(_ count: Int) throws(CaptureError) -> [Float]? {
        while ready.count < count * channels {
            guard try more() else { return nil }
        }
        let result = Array(ready.prefix(count * channels))
        ready.removeFirst(count * channels)
        return result
    }

    private mutating func more() throws(CaptureError) -> Bool {
        guard let next = try stream.next() else { return try startAnew() }
        guard let samples = converter.convert(next.frame) else {
            throw .unreadable(name: stream.path, reason: "sound in a format that cannot be converted")
        }
        heard = true
        if !isPlaced {
            // A track may begin after its file does.
            isPlaced = true
            give([Float](repeating: 0, count: max(0, frames(next.position)) * channels))
        }
        give(samples)
        return true
    }

    private mutating func startAnew() throws(CaptureError) -> Bool {
        guard heard else { return false }
        give(converter.flush())
        if let length = loopLength, given < length {
            give([Float](repeating: 0, count: (length - given) * channels))
        }
        (given, isPlaced, heard) = (0, false, false)
        loops += 1
        stream = try stream.reopened()
        return true
    }

    /// This loop's frames, so that all loops so far together are as long as they should be, whatever the rate.
    private var loopLength: Int? {
        stream.fileDuration.map { frames($0 * Int64(loops + 1)) - frames($0 * Int64(loops)) }
    }

    private mutating func give(_ samples: [Float]) {
        let room = loopLength.map { max(0, ($0 - given) * channels) } ?? samples.count
        let part = samples.prefix(room)
        ready += part
        given += part.count / channels
    }

    private func frames(_ position: Interval) -> Int { Int((position.seconds * rate).rounded()) }
}
