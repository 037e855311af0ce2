// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDispatch
import RevueFFmpeg
import RevueOpus
import RevuePorts
import RevueSDK
import RevueTime
import RevueVpx

/// `revue bench`: what the codecs cost on this machine.
enum BenchCommand {
    static let spec = CommandSpec(
        name: "bench", summary: "Measures what encoding and decoding cost on this machine.",
        options: [
            .option("--clip", "FILE", "The clip whose pictures are coded; Fixtures/clip.mp4 by default."),
            .option("--frames", "N", "Pictures a row, 10…1000; 100 by default."),
            .option("--output", "DIR", "Where bench-raw.json goes; bench-out by default."),
        ],
        notes: [
            "One encoder and one decoder, one after the other on one thread: run it on an idle machine. Every picture of a",
            "row is encoded once; the times are those of that one run, and the rate is what the bytes make at its frame rate.",
        ])

    @MainActor static func run(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        let count = try arguments.integer("--frames", in: 10...1_000, default: 100)
        let clip = try Fixtures.path(arguments.value("--clip"), fallback: "clip.mp4")
        let folder = URL(fileURLWithPath: arguments.value("--output") ?? "bench-out")
        var rows: [BenchRow] = []
        for (width, height) in [(640, 360), (1280, 720)] {
            let pictures = try loop(ClipReader.frames(of: clip, width: width, height: height, limit: count), to: count)
            for preset in CallPreset.allCases {
                context.terminal.status("\(preset.rawValue) at \(width)×\(height)", plain: "")
                rows.append(try videoRow(preset, pictures))
                if context.interruption.hasHappened { return .interrupted }
            }
        }
        rows.append(try soundRow(clip, count: count * 5))
        let table = TextTable(
            header: ["", "encode p50 / p95, ms", "decode p50 / p95, ms", "kbit/s", "PSNR, dB", "samples"],
            rows: rows.map(\.cells))
        for line in table.lines { context.terminal.say(line) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(rows).write(to: folder.appendingPathComponent("bench-raw.json"))
        return .ok
    }

    private static func loop(_ frames: [ClipReader.Frame], to count: Int) throws -> [PixelBuffer] {
        guard !frames.isEmpty else { throw CommandFailure(.failed, "the clip has no pictures") }
        return (0..<count).map { frames[$0 % frames.count].buffer }
    }

    private static func videoRow(_ preset: CallPreset, _ pictures: [PixelBuffer]) throws -> BenchRow {
        let (scheduler, factory) = (DispatchScheduler(), VpxCodecFactory())
        let settings = preset.encoderSettings
        let encoder = try factory.makeEncoder(settings)
        let decoder = try factory.makeDecoder(.vp8)
        var row = BenchRow(
            name: "VP8 \(preset.rawValue) \(pictures[0].width)×\(pictures[0].height), \(settings.frameRate) fps")
        var quality: [Double] = []
        var bytes = 0
        for (index, picture) in pictures.enumerated() {
            let time = Instant.zero + .seconds(1) * Int64(index) / Int64(settings.frameRate)
            let start = scheduler.now
            let encoded = try encoder.encode(VideoFrame(buffer: picture, captureTime: time), forceKeyframe: false)
            let middle = scheduler.now
            row.encode.append((middle - start).milliseconds)
            guard let encoded else { continue }
            bytes += encoded.bytes.count
            guard let decoded = try decoder.decode(encoded) else { continue }
            row.decode.append((scheduler.now - middle).milliseconds)
            if index % 10 == 0, let shown = Luma(decoded), let source = Luma(picture),
                let measured = PictureQuality(of: shown, against: source)
            {
                quality.append(measured.psnr)
            }
        }
        row.kilobits = Double(bytes) * 8 / 1_000 / (Double(pictures.count) / Double(settings.frameRate))
        row.psnr = Distribution(quality).mean
        return row
    }

    private static func soundRow(_ clip: String, count: Int) throws -> BenchRow {
        let (scheduler, factory) = (DispatchScheduler(), OpusCodecFactory())
        let samples = try ClipReader.samples(of: clip, format: .engine(channels: 1))
        guard samples.count >= AudioFrame.samples else { throw CommandFailure(.failed, "the clip has no sound") }
        let encoder = try factory.makeEncoder(AudioEncoderSettings())
        let decoder = try factory.makeDecoder(channels: 1)
        var row = BenchRow(name: "Opus speech, 24 kbit/s mono")
        var bytes = 0
        for index in 0..<count {
            let first = index % (samples.count / AudioFrame.samples) * AudioFrame.samples
            let start = scheduler.now
            let packet = try samples[first..<(first + AudioFrame.samples)].withUnsafeBufferPointer {
                try encoder.encode($0)
            }
            let middle = scheduler.now
            _ = try decoder.decode(.packet(packet))
            row.encode.append((middle - start).milliseconds)
            row.decode.append((scheduler.now - middle).milliseconds)
            bytes += packet.count
        }
        row.kilobits = Double(bytes) * 8 / 1_000 / (Double(count) * AudioFrame.duration.seconds)
        return row
    }
}

/// A line of the table, with every sample behind it.
private struct BenchRow: Encodable {
    var name: String
    /// Milliseconds a frame.
    var encode: [Double] = []
    var decode: [Double] = []
    var kilobits = 0.0
    var psnr: Double?

    init(name: String) { self.name = name }

    var cells: [String] {
        func pair(_ samples: [Double]) -> String {
            let distribution = Distribution(samples)
            return "\(Format.fixed(distribution.median, 2)) / \(Format.fixed(distribution.percentile(95), 2))"
        }
        return [
            name, pair(encode), pair(decode), Format.fixed(kilobits, 0), Format.fixed(psnr, 2), "\(encode.count)",
        ]
    }
}
