// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation

/// What the demonstration leaves on the disk.
struct DemoFiles {
    var folder: URL

    /// The received picture as Base64, when there is one.
    var snapshot: String? {
        (try? Data(contentsOf: folder.appendingPathComponent("snapshot.png")))?.base64EncodedString()
    }

    /// Writes the page and the figures that its plots show.
    func write(_ report: CallReport) throws {
        try Data(ReportPage(report: report).html.utf8).write(to: folder.appendingPathComponent("report.html"))
        var lines = ["direction,seconds,fps,kbit_per_s,latency_p50_ms,latency_p95_ms,cpu_percent"]
        for direction in report.directions {
            for sample in direction.seconds {
                let values = [
                    sample.time, sample.fps, sample.kilobits, sample.latencyMedian, sample.latencyP95, sample.cpu,
                ]
                let cells = values.map { $0.map { Format.fixed($0, 3) } ?? "" }
                lines.append(([direction.title] + cells).joined(separator: ","))
            }
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.appendingPathComponent("seconds.csv"))
    }

    /// Whether the recording is what it must be, as `ffprobe` sees it, and whether there is a picture.
    func checks(callSeconds: Double?) -> [CallReport.Check] {
        let recording = folder.appendingPathComponent("received.webm")
        let probe = MediaProbe(path: recording.path)
        let codecs = probe?.codecs.sorted().joined(separator: " + ") ?? "not readable"
        let expected = callSeconds ?? .nan
        let length = probe?.seconds
        return [
            .init(
                name: "received.webm: codecs", measured: codecs, limit: "opus + vp8",
                passed: probe?.codecs.sorted() == ["opus", "vp8"]),
            .init(
                name: "received.webm: length", measured: Format.fixed(length, 1) + " s",
                limit: "\(Format.fixed(expected, 1)) s ± 1", passed: length.map { abs($0 - expected) <= 1 } ?? false),
            .init(
                name: "snapshot.png", measured: snapshot == nil ? "missing" : "written", limit: "written",
                passed: snapshot != nil),
        ]
    }
}

/// What `ffprobe` says of a media file.
struct MediaProbe {
    var codecs: [String]
    var seconds: Double

    private struct Output: Decodable {
        struct Stream: Decodable {
            // The key is ffprobe's own.
            let codec_name: String
        }
        struct Format: Decodable {
            let duration: String?
        }
        let streams: [Stream]
        let format: Format
    }

    /// Nil when there is no `ffprobe`, no such file, or no media in it.
    init?(path: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffprobe", "-v", "error", "-show_entries", "stream=codec_name:format=duration", "-of", "json", path,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard let parsed = try? JSONDecoder().decode(Output.self, from: data),
            let seconds = parsed.format.duration.flatMap(Double.init)
        else { return nil }
        codecs = parsed.streams.map(\.codec_name)
        self.seconds = seconds
    }
}
