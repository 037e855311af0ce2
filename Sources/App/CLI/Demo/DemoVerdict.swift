// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// One direction of the demonstration, as both ends and the comparison of their pictures know it.
struct DemoDirection {
    var sender: DemoPerson
    var options: DemoOptions
    var sent: SentSummary
    var received: ReceivedSummary
    /// Processor time of the sending process, in percent of a core.
    var senderProcessor: Double

    var title: String { "\(sender.rawValue) → \(sender.other.rawValue)" }
}

/// How a side of the demonstration publishes its camera.
enum DemoOptions: String, CaseIterable, Sendable {
    /// `VideoPublishOptions()`: every picture a keyframe, at most 15 a second.
    case standard = "default"
    /// `vp8LowLatency` at 30 pictures a second.
    case lowLatency = "low-latency"

    var frameRate: Double { self == .standard ? 15 : 30 }
    var title: String { self == .standard ? "default options, 15 fps" : "vp8LowLatency, 30 fps" }
}

/// What a call on one machine must reach. Limits leave room for a loaded machine; what is usual stands in docs/demo.md.
struct DemoVerdict {
    var direction: DemoDirection

    /// What is published, unless the source gives less.
    private var expectedRate: Double { min(direction.options.frameRate, direction.sent.captureRate) }

    var checks: [CallReport.Check] {
        let received = direction.received
        let sent = max(1, direction.sent.encoded)
        return [
            atLeast("pictures shown of those sent", Double(received.shown) / Double(sent) * 100, 95, "%", 1),
            atLeast("frame rate while on", received.fps, expectedRate * 0.9, "fps", 1),
            atMost("pictures with an unreadable number", Double(received.unreadable), 0, "", 0),
            atMost("pictures out of order", Double(received.outOfOrder), 0, "", 0),
            atMost("glass to glass, median", received.latency.median, 60, "ms", 1),
            atMost("glass to glass, 95th percentile", received.latency.p95, 150, "ms", 1),
            atLeast("PSNR, mean", received.psnr.mean, 30, "dB", 2),
            atLeast("SSIM, mean", received.ssim.mean, 0.9, "", 4),
            atLeast("pictures compared", Double(received.psnr.count), 15, "", 0),
            atLeast("sound marks heard", Double(received.audioDelay.count), 8, "", 0),
            atMost("audio delay, 95th percentile", received.audioDelay.p95, 200, "ms", 1),
            // Sound too early or too late is acceptable within these, ITU-R BT.1359-1.
            atLeast("lip sync, median", received.lipSync.median, -90, "ms", 1),
            atMost("lip sync, median", received.lipSync.median, 185, "ms", 1),
            atLeast("sound that is not silence", received.soundSeconds, 8, "s", 1),
        ]
    }

    private func atLeast(_ name: String, _ value: Double?, _ limit: Double, _ unit: String, _ digits: Int)
        -> CallReport.Check
    { check(name, value, "≥", limit, unit, digits, value.map { $0 >= limit } ?? false) }

    private func atMost(_ name: String, _ value: Double?, _ limit: Double, _ unit: String, _ digits: Int)
        -> CallReport.Check
    { check(name, value, "≤", limit, unit, digits, value.map { $0 <= limit } ?? false) }

    private func check(
        _ name: String, _ value: Double?, _ sign: String, _ limit: Double, _ unit: String, _ digits: Int, _ passed: Bool
    ) -> CallReport.Check {
        let suffix = unit.isEmpty ? "" : " \(unit)"
        return CallReport.Check(
            name: "\(direction.title): \(name)", measured: Format.fixed(value, digits) + suffix,
            limit: "\(sign) \(Format.fixed(limit, digits))\(suffix)", passed: passed)
    }
}

extension TextTable {
    /// Both directions beside each other.
    init(_ directions: [DemoDirection]) {
        func row(_ name: String, _ value: (DemoDirection) -> String) -> [String] { [name] + directions.map(value) }
        func pair(_ first: Double?, _ second: Double?, _ digits: Int) -> String {
            "\(Format.fixed(first, digits)) / \(Format.fixed(second, digits))"
        }
        self.init(
            header: [""] + directions.map(\.title),
            rows: [
                row("published with") { $0.options.title },
                row("size") { "\($0.received.width)×\($0.received.height)" },
                row("pictures captured (a second)") { "\($0.sent.captured) (\(Format.fixed($0.sent.captureRate, 1)))" },
                row("pictures sent") { "\($0.sent.encoded)" },
                row("  of them keyframes") { "\($0.sent.keyframes)" },
                row("pictures received") { "\($0.received.received)" },
                row("pictures shown") { "\($0.received.shown)" },
                row("frame rate while on, fps") { Format.fixed($0.received.fps, 1) },
                row("media bitrate, kbit/s") { Format.fixed($0.received.kilobits, 0) },
                row("glass to glass p50 / p95, ms") { pair($0.received.latency.median, $0.received.latency.p95, 1) },
                row("  of it in the encoder p50 / p95, ms") { pair($0.sent.encode.median, $0.sent.encode.p95, 1) },
                row("PSNR mean / worst, dB") { pair($0.received.psnr.mean, $0.received.psnr.minimum, 2) },
                row("SSIM mean / worst") { pair($0.received.ssim.mean, $0.received.ssim.minimum, 4) },
                row("pictures compared") { "\($0.received.psnr.count)" },
                row("audio delay p50 / p95, ms") { pair($0.received.audioDelay.median, $0.received.audioDelay.p95, 1) },
                row("sound marks heard") { "\($0.received.audioDelay.count)" },
                row("lip sync median, ms (+ = sound later)") { Format.fixed($0.received.lipSync.median, 1) },
                row("processor: sender's / receiver's process, %") {
                    pair($0.senderProcessor, $0.received.cpu, 0)
                },
            ])
    }
}
