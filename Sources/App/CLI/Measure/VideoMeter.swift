// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueSDK
import RevueTestPattern
import RevueTime

/// A renderer that measures: when each picture is shown, and which one it is by what is drawn into it.
final class VideoMeter: VideoRenderer, Sendable {
    /// A picture on its way from glass to glass.
    struct Shown: Equatable, Sendable {
        var number: UInt32
        var captured: Instant
        var shown: Instant

        var latency: Interval { shown - captured }
    }

    private struct State {
        var shown: [Shown] = []
        var count = 0
        var unreadable = 0
        var outOfOrder = 0
        var size = CodedSize(width: 0, height: 0)
        var latest: PixelBuffer?
    }

    private let state = Locked(State())
    private let scheduler: any Scheduler
    private let readsStamps: Bool
    private let store: PictureStore?

    /// - Parameter store: where pictures are kept for a comparison.
    init(scheduler: any Scheduler, readsStamps: Bool, store: PictureStore?) {
        self.scheduler = scheduler
        self.readsStamps = readsStamps
        self.store = store
    }

    func render(pixelBuffer: CVPixelBuffer) {
        let now = scheduler.now
        let size = CodedSize(width: pixelBuffer.width, height: pixelBuffer.height)
        guard !size.isPlaceholder else { return }
        let stamp = readsStamps ? CornerStamp.read(from: pixelBuffer) : nil
        state.withLock { state in
            state.count += 1
            state.size = size
            state.latest = pixelBuffer
            guard readsStamps else { return }
            guard let stamp else {
                state.unreadable += 1
                return
            }
            if let last = state.shown.last, stamp.number <= last.number { state.outOfOrder += 1 }
            state.shown.append(
                Shown(number: stamp.number, captured: Instant(nanoseconds: stamp.captureTime * 1_000), shown: now))
        }
        if let stamp { store?.keep(pixelBuffer, number: stamp.number) }
    }

    /// Pictures given to this renderer so far, placeholders not counted.
    var count: Int { state.withLock { $0.count } }
    /// Those whose stamp was read, in the order in which they were shown.
    var shown: [Shown] { state.withLock { $0.shown } }
    var unreadable: Int { state.withLock { $0.unreadable } }
    var outOfOrder: Int { state.withLock { $0.outOfOrder } }
    var size: CodedSize { state.withLock { $0.size } }
    /// The picture that is on the screen now.
    var latest: PixelBuffer? { state.withLock { $0.latest } }
}

extension [VideoMeter.Shown] {
    /// Pictures a second while pictures came: pauses of more than half a second are left out.
    var rate: Double {
        guard count > 1 else { return 0 }
        let gaps = zip(dropFirst(), self).map { ($0.shown - $1.shown).seconds }.filter { $0 < 0.5 }
        let time = gaps.reduce(0, +)
        return time > 0 ? Double(gaps.count) / time : 0
    }
}
