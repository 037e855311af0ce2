// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CFFmpeg
import RevuePorts
import RevueTime

/// A clip's pictures.
final class ClipVideo: VideoSource {
    private let path: String?
    private let timeline: ClipTimeline
    private let thread = CaptureThread()

    init(path: String?, timeline: ClipTimeline) {
        self.path = path
        self.timeline = timeline
    }

    func start(
        _ request: VideoCaptureRequest, sink: @escaping @Sendable (VideoFrame) -> Void
    ) throws(CaptureError) {
        guard let path else { throw .noFile(for: .video) }
        try thread.start("clip video") { () throws(CaptureError) in
            guard request.frameRate > 0, PictureScaler(width: request.width, height: request.height) != nil else {
                throw .unreadable(
                    name: path, reason: "no video is \(request.width)×\(request.height) at \(request.frameRate)/s")
            }
            _ = try DecodedStream(path, .video)
            let timeline = timeline
            let origin = timeline.join()
            return { run in
                Self.play(path, request, from: origin, clock: { timeline.now }, run: run, sink: sink)
                timeline.leave()
            }
        }
    }

    func stop() { thread.stop() }

    private static let latest = Interval.milliseconds(200)

    private static func play(
        _ path: String, _ request: VideoCaptureRequest, from origin: Instant, clock: () -> Instant, run: CaptureRun,
        sink: (VideoFrame) -> Void
    ) {
        guard let stream = try? DecodedStream(path, .video),
            let scaler = PictureScaler(width: request.width, height: request.height)
        else { return }
        var loop = ClipLoop(stream)
        var lastSlot = Int64.min
        while let next = try? loop.next() {
            // Half a millisecond of grace: the timestamps of many files are whole milliseconds.
            let slot = Int64(((next.position.seconds + 0.0005) * Double(request.frameRate)).rounded(.down))
            guard slot != lastSlot else { continue }
            let due = origin + next.position
            guard clock() - due < latest else {
                if run.isStopped { return }
                continue
            }
            guard let buffer = scaler.scale(next.frame), run.sleep(due - clock()) else { return }
            lastSlot = slot
            sink(VideoFrame(buffer: buffer, captureTime: due))
        }
    }
}

/// A stream's frames, again and again, at positions that go on.
struct ClipLoop {
    private var stream: DecodedStream
    private var base = Interval.zero
    private var end = Interval.zero

    init(_ stream: DecodedStream) { self.stream = stream }

    /// nil for a stream that has nothing at all.
    mutating func next() throws(CaptureError) -> (frame: UnsafeMutablePointer<AVFrame>, position: Interval)? {
        var isFresh = false
        while true {
            if let next = try stream.next() {
                let length = stream.fileDuration ?? .seconds(1 << 40)
                guard next.position < length else { continue }
                end = max(end, next.position + stream.frameDuration)
                return (next.frame, base + next.position)
            }
            guard !isFresh else { return nil }
            isFresh = true
            base = base + (stream.fileDuration ?? end)
            end = .zero
            stream = try stream.reopened()
        }
    }
}
