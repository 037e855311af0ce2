// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
import RevueTime

/// Pictures that move by the scheduler's clock, and whose pixels tell which one each is.
///
/// The upper eighth holds the frame number, modulo 65,536: sixteen cells, white for 1, the highest bit first. Below, a
/// bright bar moves over a dark ground. It survives scaling and the fake codec.
public final class FakeVideoSource: VideoSource {
    private struct Running: Sendable {
        var request: VideoCaptureRequest
        var sink: @Sendable (VideoFrame) -> Void
        var start: Instant
        var frames: Int64 = 0
        var pool: PixelBufferPool
    }
    private let scheduler: any Scheduler
    private let lane: any Lane
    private let running = Locked<(run: UInt64, state: Running?)>((0, nil))

    /// A source that has not started.
    public init(scheduler: any Scheduler) {
        self.scheduler = scheduler
        lane = scheduler.makeLane("fake video source")
    }

    /// Begins with the first picture at once.
    public func start(
        _ request: VideoCaptureRequest, sink: @escaping @Sendable (VideoFrame) -> Void
    ) throws(CaptureError) {
        guard request.frameRate > 0,
            let pool = PixelBufferPool(width: request.width, height: request.height, format: .i420)
        else {
            throw .unreadable(name: "fake video source", reason: "no pictures of \(request.width)×\(request.height)")
        }
        let start = scheduler.now
        let run = running.withLock { slot -> UInt64? in
            guard slot.state == nil else { return nil }
            slot.run += 1
            slot.state = Running(request: request, sink: sink, start: start, pool: pool)
            return slot.run
        }
        if let run { lane.async { self.produce(run) } }
    }

    /// Ends after the picture in delivery.
    public func stop() {
        running.withLock { $0.state = nil }
        lane.sync {}
    }

    private func produce(_ run: UInt64) {
        let current = running.withLock { slot -> Running? in
            guard slot.run == run else { return nil }
            defer { slot.state?.frames += 1 }
            return slot.state
        }
        guard let current else { return }
        let buffer = current.pool.make()
        FakeVideoSource.draw(frame: current.frames, into: buffer)
        let interval = Interval.seconds(1) / Int64(current.request.frameRate)
        let time = current.start + interval * current.frames
        _ = lane.schedule(at: time + interval) { [weak self] in self?.produce(run) }
        current.sink(VideoFrame(buffer: buffer, captureTime: time))
    }

    /// The luma of cells and of the bar: 1.
    public static let bright: UInt8 = 220
    /// The luma of cells and of the ground: 0.
    public static let dark: UInt8 = 40

    /// Draws the picture of a frame number into an I420 buffer.
    public static func draw(frame number: Int64, into buffer: PixelBuffer) {
        buffer.withPlanes { planes in
            draw(frame: number, into: planes[0])
            planes[1].bytes.update(repeating: 100)
            planes[2].bytes.update(repeating: 160)
        }
    }

    private static func draw(frame number: Int64, into luma: PixelMemory.Plane) {
        let marked = max(1, luma.height / 8)
        let bar = Int(number % 16)
        for y in 0..<luma.height {
            guard y == 0 || y == marked else {
                luma.row(y).update(from: luma.row(y - 1), count: luma.width)
                continue
            }
            for x in 0..<luma.width {
                let cell = x * 16 / luma.width
                let isBright = y < marked ? number >> Int64(15 - cell) & 1 == 1 : cell == bar
                luma.row(y)[x] = isBright ? bright : dark
            }
        }
    }

    /// The frame number, modulo 65,536, that a picture of this source shows; any format.
    public static func frameNumber(in buffer: PixelBuffer) -> Int? {
        guard let picture = try? PassthroughPixelConverter().convert(buffer, to: .i420) else { return nil }
        guard picture.width >= 16 else { return nil }
        return picture.withPlanes { planes in
            let row = planes[0].row(planes[0].height / 16)
            return (0..<16).reduce(0) { number, cell in
                number << 1 | (row[(2 * cell + 1) * planes[0].width / 32] > 128 ? 1 : 0)
            }
        }
    }
}
