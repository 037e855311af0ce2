// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueTime

extension ReceivedSummary {
    /// What a call's meters came to. PSNR and SSIM are left to whoever has the sender's pictures too.
    @MainActor init(_ media: CallMedia, marks: [AudioMeter.Mark]) {
        let shown = media.videoMeter.shown
        if let first = shown.first, let last = shown.last { duration = (last.shown - first.shown).seconds }
        received = media.counters.receivedPictures
        self.shown = media.videoMeter.count
        unreadable = media.videoMeter.unreadable
        outOfOrder = media.videoMeter.outOfOrder
        fps = shown.rate
        if duration > 0 { kilobits = Double(media.counters.receivedBytes) * 8 / 1_000 / duration }
        latency = Figures(Distribution(shown.map { $0.latency.milliseconds }))
        audioDelay = Figures(Distribution(marks.map { $0.delay.milliseconds }))
        lipSync = Figures(Distribution(LipSync.offsets(of: marks, against: shown)))
        soundSeconds = media.audioMeter.soundSeconds
        (width, height) = (media.videoMeter.size.width, media.videoMeter.size.height)
    }
}

/// How far sound and pictures of one moment are apart when they come out.
enum LipSync {
    /// For each mark, its delay less the mean delay of the pictures captured within 100 ms of it, in milliseconds;
    /// marks without such pictures are left out.
    static func offsets(of marks: [AudioMeter.Mark], against shown: [VideoMeter.Shown]) -> [Double] {
        marks.compactMap { mark in
            let near = shown.filter { abs(($0.captured - mark.captured).milliseconds) <= 100 }
            guard !near.isEmpty else { return nil }
            let video = near.map { $0.latency.milliseconds }.reduce(0, +) / Double(near.count)
            return mark.delay.milliseconds - video
        }
    }
}

/// Every sound mark that was heard, as comma-separated values.
struct MarksFile {
    var marks: [AudioMeter.Mark]

    var text: String {
        let rows = marks.map { mark in
            "\(mark.captured.nanoseconds),\(mark.heard.nanoseconds)," + Format.fixed(mark.delay.milliseconds, 3)
        }
        return (["captured_ns,heard_ns,delay_ms"] + rows).joined(separator: "\n") + "\n"
    }

    func write(to path: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
}

/// Every picture that was shown, as comma-separated values.
struct FramesFile {
    var shown: [VideoMeter.Shown]

    init(_ shown: [VideoMeter.Shown]) { self.shown = shown }

    var text: String {
        let rows = shown.map { frame in
            "\(frame.number),\(frame.captured.nanoseconds),\(frame.shown.nanoseconds),"
                + Format.fixed(frame.latency.milliseconds, 3)
        }
        return (["number,captured_ns,shown_ns,latency_ms"] + rows).joined(separator: "\n") + "\n"
    }

    func write(to path: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
}
