// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
import RevueTime

#if canImport(Glibc)
    import Glibc
#endif

/// A camera that needs no device: slanted waves of colour that move, with a `FrameStamp` in each picture.
///
/// It runs on a lane of the scheduler, in real and in virtual time. Stamps count the pictures that this source has made,
/// over all starts, from 0; their time is the scheduler's wall clock at capture.
public final class TestPatternSource: VideoSource {
    private let scheduler: any Scheduler
    private let ticker: LaneTicker
    private let count = Locked<UInt32>(0)

    /// A source on a lane of its own.
    public init(scheduler: any Scheduler) {
        self.scheduler = scheduler
        ticker = LaneTicker(scheduler, name: "test pattern")
    }

    /// Begins to make I420 pictures.
    ///
    /// - Throws: `CaptureError.unreadable` for a size that no buffer has or a rate outside 1…1,000.
    public func start(
        _ request: VideoCaptureRequest, sink: @escaping @Sendable (VideoFrame) -> Void
    ) throws(CaptureError) {
        guard (1...1_000).contains(request.frameRate),
            let pool = PixelBufferPool(width: request.width, height: request.height, format: .i420)
        else {
            throw .unreadable(
                name: "test pattern",
                reason: "no video is \(request.width)×\(request.height) at \(request.frameRate)/s")
        }
        let rate = Double(request.frameRate)
        let (scheduler, count) = (scheduler, count)
        ticker.start(interval: { .seconds(Double($0) / rate) }) { _, due in
            let number = count.withLock { count in
                defer { count &+= 1 }
                return count
            }
            let buffer = pool.make()
            Self.drawWaves(into: buffer, step: Int(number))
            let late = (scheduler.now - due).nanoseconds
            FrameStamp(number: number, captureTime: (scheduler.wallClockNanoseconds - late) / 1_000)
                .draw(into: buffer)
            sink(VideoFrame(buffer: buffer, captureTime: due))
        }
    }

    /// Ends; the sink is not called any more.
    public func stop() { ticker.stop() }

    /// Waves along each row, which every row below continues a little further on: one copy a row.
    static func drawWaves(into buffer: PixelBuffer, step: Int) {
        let period = waves.count / 2
        waves.withUnsafeBufferPointer { waves in
            guard let start = waves.baseAddress else { return }
            buffer.withPlanes { planes in
                for index in planes.indices {
                    let (plane, down, along) = (planes[index], [2, 3, 5][index % 3], step * [4, 3, 7][index % 3])
                    for row in 0..<plane.height {
                        let shift = ((row * down + along) % period + period) % period
                        for column in stride(from: 0, to: plane.width, by: period) {
                            (plane.row(row) + column)
                                .update(from: start + shift, count: min(period, plane.width - column))
                        }
                    }
                }
            }
        }
    }

    /// Two periods of a sine in video range, so that a period can begin anywhere.
    private static let waves: [UInt8] = (0..<512).map { UInt8(126 + 90 * sin(Double($0) * .pi / 128)) }
}
