// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Glibc
import RevuePorts
import RevueTime

/// What passes the codecs of a call, counted.
final class StreamCounters: Sendable {
    private struct State {
        var sent = SentSummary()
        var firstCapture: Instant?
        var encodeTimes: [Double] = []
        var received = 0
        var receivedBytes = 0
        var sentSizes = CodedSizeTracker()
        var receivedSizes = CodedSizeTracker()
    }

    private let state = Locked(State())

    /// A picture was captured while the camera was published.
    func captured(at time: Instant) {
        state.withLock { state in
            state.sent.captured += 1
            let first = state.firstCapture ?? time
            state.firstCapture = first
            let elapsed = (time - first).seconds
            if elapsed > 0 { state.sent.captureRate = Double(state.sent.captured - 1) / elapsed }
        }
    }

    func encoded(_ frame: EncodedVideoFrame, _ duration: Interval) {
        state.withLock { state in
            guard let size = state.sentSizes.size(of: frame), !size.isPlaceholder else { return }
            state.sent.encoded += 1
            state.sent.keyframes += frame.isKeyframe ? 1 : 0
            state.sent.videoBytes += frame.bytes.count
            state.encodeTimes.append(duration.milliseconds)
        }
    }

    func encoded(_ packet: [UInt8]) {
        state.withLock { state in
            state.sent.audioPackets += 1
            state.sent.audioBytes += packet.count
        }
    }

    func received(_ frame: EncodedVideoFrame) {
        state.withLock { state in
            state.receivedBytes += frame.bytes.count
            guard let size = state.receivedSizes.size(of: frame), !size.isPlaceholder else { return }
            state.received += 1
        }
    }

    func received(_ input: AudioDecoderInput) {
        guard case .packet(let packet) = input else { return }
        state.withLock { $0.receivedBytes += packet.count }
    }

    /// What was sent so far.
    var sent: SentSummary {
        state.withLock { state in
            var sent = state.sent
            sent.encode = Figures(Distribution(state.encodeTimes))
            return sent
        }
    }

    /// Encoded pictures that reached the decoder, placeholders not counted.
    var receivedPictures: Int { state.withLock { $0.received } }
    /// Bytes of pictures and sound that reached the decoders.
    var receivedBytes: Int { state.withLock { $0.receivedBytes } }
}

/// Processor time of this process.
struct ProcessorClock: Sendable {
    private let scheduler: any Scheduler
    private var last: (time: Instant, used: Double)

    init(scheduler: any Scheduler) {
        self.scheduler = scheduler
        last = (scheduler.now, Self.used)
    }

    /// Percent of one core since the last call, or since the clock was made.
    mutating func lap() -> Double {
        let now = (time: scheduler.now, used: Self.used)
        defer { last = now }
        let elapsed = (now.time - last.time).seconds
        return elapsed > 0 ? (now.used - last.used) / elapsed * 100 : 0
    }

    /// Seconds in user and system mode.
    private static var used: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
