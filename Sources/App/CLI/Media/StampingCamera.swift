// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueTestPattern
import RevueTime

/// A camera that draws number and capture time into every picture of another.
final class StampingCamera: VideoSource {
    private let base: any VideoSource
    private let counters: StreamCounters
    private let store: PictureStore?
    private let next = Locked<UInt32>(0)

    /// - Parameter store: where pictures are kept for a comparison.
    init(base: any VideoSource, counters: StreamCounters, store: PictureStore?) {
        self.base = base
        self.counters = counters
        self.store = store
    }

    func start(
        _ request: VideoCaptureRequest, sink: @escaping @Sendable (VideoFrame) -> Void
    ) throws(CaptureError) {
        try base.start(request) { [next, counters, store] frame in
            guard let picture = frame.buffer.copy() else { return }
            let number = next.withLock { number in
                number += 1
                return number
            }
            let microseconds = frame.captureTime.nanoseconds / 1_000
            let stamp = FrameStamp(number: number, captureTime: microseconds)
            guard CornerStamp.draw(stamp, into: picture) else { return }
            counters.captured(at: frame.captureTime)
            store?.keep(picture, number: number)
            sink(VideoFrame(buffer: picture, captureTime: frame.captureTime))
        }
    }

    func stop() { base.stop() }
}

/// A camera that always makes the pictures that the command line asked for.
final class SizedCamera: VideoSource {
    private let base: any VideoSource
    private let request: VideoCaptureRequest

    init(base: any VideoSource, request: VideoCaptureRequest) {
        self.base = base
        self.request = request
    }

    func start(
        _ request: VideoCaptureRequest, sink: @escaping @Sendable (VideoFrame) -> Void
    ) throws(CaptureError) {
        try base.start(self.request, sink: sink)
    }

    func stop() { base.stop() }
}

extension PixelBuffer {
    /// A buffer of one's own with the same pixels.
    func copy() -> PixelBuffer? {
        guard let copy = PixelBuffer(width: width, height: height, format: format) else { return nil }
        withPlanes(and: copy) { from, to in
            for index in from.indices { _ = to[index].bytes.update(fromContentsOf: from[index].bytes) }
        }
        return copy
    }
}
