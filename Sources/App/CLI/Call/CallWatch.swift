// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevuePorts
import RevueTime

/// Looks at a call's meters once a second.
struct CallWatch {
    private let media: CallMedia
    private let scheduler: any Scheduler
    private let connected: Instant
    private var last: Instant
    private var shown = 0
    private var stamped = 0
    private var bytes = 0
    private var processor: ProcessorClock

    @MainActor init(_ media: CallMedia) {
        self.media = media
        scheduler = media.adapters.scheduler
        connected = scheduler.now
        last = connected
        bytes = media.counters.receivedBytes
        shown = media.videoMeter.count
        processor = ProcessorClock(scheduler: scheduler)
    }

    /// What happened since the last sample.
    @MainActor mutating func sample() -> SecondSample {
        let now = scheduler.now
        let seconds = max(0.001, (now - last).seconds)
        let allStamped = media.videoMeter.shown
        let latencies = Distribution(allStamped[stamped...].map { $0.latency.milliseconds })
        let (count, total) = (media.videoMeter.count, media.counters.receivedBytes)
        defer { (last, shown, stamped, bytes) = (now, count, allStamped.count, total) }
        return SecondSample(
            time: (now - connected).seconds, fps: Double(count - shown) / seconds,
            kilobits: Double(total - bytes) * 8 / 1_000 / seconds, latencyMedian: latencies.median,
            latencyP95: latencies.percentile(95), cpu: processor.lap())
    }
}
