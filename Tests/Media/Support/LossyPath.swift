// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime

/// A sender and a receiver of video with a path between them that loses and delays, in virtual time.
final class LossyPath {
    struct Conditions {
        var lossPercent: Double
        var delay = Interval.milliseconds(30)
        var jitter = Interval.milliseconds(3)
        /// Packets that come 20 ms late and are overtaken.
        var reorderingPercent = 0.0
        /// Whether there is a stream of retransmissions.
        var recovers = true
    }

    struct Stream {
        var framesPerSecond = 15
        var keyframeInterval = 1
        var frameBytes = 25_000
    }

    private struct Delivery {
        var at: Instant
        var order: Int
        var bytes: [UInt8]
        var isFeedback: Bool
    }

    var sender: VideoSendStream
    var receiver: VideoReceiveStream
    private(set) var now = Instant(nanoseconds: 1_000_000_000)
    private(set) var frames: [(number: Int, at: Instant)] = []
    private(set) var requests: [Instant] = []
    private(set) var sentBytes = 0
    private var demand = KeyframeDemand()
    private var queue: [Delivery] = []
    private var sent = 0
    private var frameNumber = 0
    private var sinceKeyframe = 0
    private var lastArrival: [Bool: Instant] = [:]
    private var generator: SeededGenerator
    var conditions: Conditions
    private let stream: Stream

    init(_ conditions: Conditions, _ stream: Stream = Stream(), seed: UInt64) {
        self.conditions = conditions
        self.stream = stream
        generator = SeededGenerator(seed: seed)
        let retransmissions: UInt32? = conditions.recovers ? 8 : nil
        sender = VideoSendStream(
            ssrc: 7, timestampOffset: 1_000, generator: &generator, retransmissionSSRC: retransmissions)
        receiver = VideoReceiveStream(ssrc: 7, retransmissionSSRC: retransmissions)
        sender.measured(roundTrip: conditions.delay * 2)
        receiver.measured(roundTrip: conditions.delay * 2)
    }

    /// Sends for so long, then lets all that is under way arrive.
    func run(_ duration: Interval) {
        let end = now + duration
        let interval = Interval(nanoseconds: 1_000_000_000 / Int64(stream.framesPerSecond))
        var nextFrame = now
        while now < end {
            let events = [nextFrame, queue.first?.at, receiver.nextDeadline].compactMap { $0 }
            now = max(now, events.min() ?? nextFrame)
            if now >= nextFrame {
                sendFrame()
                nextFrame = nextFrame + interval
            }
            while let first = queue.first, first.at <= now { deliver(queue.removeFirst()) }
            drain()
        }
    }

    private func sendFrame() {
        frameNumber += 1
        let isForced = demand.takesForcedKeyframe(at: now)
        let isKeyframe = isForced || frameNumber == 1 || sinceKeyframe >= stream.keyframeInterval
        if isKeyframe {
            sinceKeyframe = 0
            demand.keyframeSent(at: now)
        }
        sinceKeyframe += 1
        var payload = pattern(stream.frameBytes, seed: frameNumber)
        payload[0] = isKeyframe ? 0x10 : 0x11
        sender.begin(
            OutgoingVideoFrame(
                codec: .vp8, isKeyframe: isKeyframe, captureTime: now, captureNTP: UInt64(frameNumber)),
            bytes: payload, at: now)
        while let packet = written({ sender.next(into: $0) }) { carry(packet, isFeedback: false) }
    }

    private func carry(_ bytes: [UInt8], isFeedback: Bool) {
        if !isFeedback { sentBytes += bytes.count }
        let (isLost, isLate) = (happens(conditions.lossPercent), happens(conditions.reorderingPercent))
        let jitter = Interval(nanoseconds: Int64(generator.next() % UInt64(conditions.jitter.nanoseconds + 1)))
        guard !isLost else { return }
        var arrival = max(now + conditions.delay + jitter, lastArrival[isFeedback] ?? .zero)
        if isLate { arrival = arrival + .milliseconds(20) } else { lastArrival[isFeedback] = arrival }
        sent += 1
        let index = queue.lastIndex { $0.at <= arrival }.map { $0 + 1 } ?? 0
        queue.insert(Delivery(at: arrival, order: sent, bytes: bytes, isFeedback: isFeedback), at: index)
    }

    private func happens(_ percent: Double) -> Bool { Double(generator.next() >> 11) * 0x1p-53 * 100 < percent }

    private func deliver(_ delivery: Delivery) {
        guard delivery.isFeedback else {
            delivery.bytes.withUnsafeBytes { bytes in
                guard let header = try? RTPHeader.parse(bytes) else { return }
                _ = receiver.receive(bytes, header: header, at: now)
            }
            return drain()
        }
        for packet in (try? packets(of: delivery.bytes)) ?? [] {
            switch packet {
            case .genericNACK(_, _, let numbers): for number in numbers { resend(number) }
            case .pictureLossIndication: if sender.acceptsKeyframeRequest(at: now) { demand.requested() }
            default: break
            }
        }
    }

    private func resend(_ number: UInt16) {
        var copies = 0
        let packet = written { slot in
            let resend = sender.resend(number, into: slot, at: now)
            copies = resend?.copies ?? 0
            return resend?.byteCount
        }
        for _ in 0..<copies { if let packet { carry(packet, isFeedback: false) } }
    }

    private func drain() {
        while let output = receiver.poll(at: now) {
            switch output {
            case .frame(let frame): frames.append((Int(frame.captureNTP ?? 0), now))
            case .requestPackets(let missing):
                feedback { $0.appendGenericNACK(media: 7, missing: missing) == missing.count }
            case .requestKeyframe:
                requests.append(now)
                feedback { $0.appendPictureLossIndication(media: 7) }
            }
        }
    }

    private func feedback(_ fill: (inout RTCPWriter) -> Bool) {
        let compound = written { slot in
            guard var writer = RTCPWriter(into: slot, ssrc: 3), fill(&writer) else { return nil }
            return writer.count
        }
        if let compound { carry(compound, isFeedback: true) }
    }

    /// The share of the frames sent that were handed out.
    var share: Double { Double(frames.count) / Double(frameNumber) }

    /// The longest time without a frame.
    var longestGap: Interval { zip(frames.dropFirst(), frames).map { $0.at - $1.at }.max() ?? .zero }

    /// Freezes as W3C's webrtc-stats counts them: an interval of three times the average of the last 30, or 150 ms more.
    var freezes: Int {
        var (count, last) = (0, [Interval]())
        for (frame, previous) in zip(frames.dropFirst(), frames) {
            let interval = frame.at - previous.at
            let average = last.isEmpty ? .zero : last.reduce(.zero, +) / Int64(last.count)
            if last.count >= 5, interval >= max(average * 3, average + .milliseconds(150)) { count += 1 }
            last = Array((last + [interval]).suffix(30))
        }
        return count
    }
}
