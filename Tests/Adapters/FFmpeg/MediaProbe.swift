// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueFFmpeg
import RevueOpus
import RevuePorts
import RevueTestPattern
import RevueTime
import RevueVpx
import Testing

/// What `ffprobe`, which has nothing to do with our code, says of a file.
struct MediaProbe: Decodable {
    struct Stream: Decodable {
        let codec_type: String
        let codec_name: String
        let width: Int?
        let height: Int?
        let channels: Int?
        let sample_rate: String?
        let nb_read_packets: String?
        let nb_read_frames: String?
        let extradata_size: Int?
    }
    struct Format: Decodable {
        let format_name: String
        let duration: String?
    }
    struct Packet: Decodable {
        let codec_type: String
        let pts_time: String?
        let flags: String?

        var seconds: Double { pts_time.flatMap { Double($0) } ?? .nan }
    }

    let streams: [Stream]
    let format: Format
    let packets: [Packet]

    var duration: Double { format.duration.flatMap { Double($0) } ?? .nan }

    func stream(_ kind: String) -> Stream? { streams.first { $0.codec_type == kind } }

    /// - Throws: when `ffprobe` (Debian package `ffmpeg`) is not there or does not take the file.
    init(_ path: String) throws {
        let output = try run([
            "ffprobe", "-v", "error", "-of", "json", "-show_streams", "-show_format", "-show_packets", path,
        ])
        self = try JSONDecoder().decode(MediaProbe.self, from: output)
    }

    /// How many frames of the first video stream decode, and what the decoder complains of.
    static func decode(_ path: String) throws -> (frames: Int, complaints: String) {
        let output = try run(["ffmpeg", "-v", "error", "-i", path, "-f", "null", "-"], keepErrors: true)
        let counted = try run([
            "ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
            "stream=nb_read_frames", "-of", "csv=p=0", path,
        ])
        let text = String(decoding: counted, as: UTF8.self).filter(\.isNumber)
        return (Int(text) ?? 0, String(decoding: output, as: UTF8.self))
    }
}

private func run(_ command: [String], keepErrors: Bool = false) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = keepErrors ? FileHandle.nullDevice : pipe
    process.standardError = keepErrors ? pipe : FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(command.joined(separator: " "))")
    return output
}

/// A short clip that our own codecs make: stamped pictures and a mark, so that what plays it can be checked.
enum StampedClip {
    static let frameRate = 25

    /// Writes `seconds` of pictures (25 a second, numbered from 0) and of quiet with a mark at `markAt`.
    static func write(to path: String, seconds: Double, markAt: Double) throws {
        let writer = WebMWriter(path: path)
        let video = try VpxCodecFactory().makeEncoder(
            VideoEncoderSettings(
                bitrate: 500_000, frameRate: frameRate, cpuUsed: 8, quantizerMin: 2, quantizerMax: 40,
                keyframeInterval: 25, rateControl: .variable))
        let audio = try OpusCodecFactory().makeEncoder(AudioEncoderSettings(bitrate: 64_000))
        var sound = [Float](repeating: 0, count: Int(seconds * 48_000))
        SoundMark().mix(into: &sound, at: Int(markAt * 48_000))
        let packets = try audio.encodeAll(sound)
        for (index, packet) in packets.enumerated() {
            let time = Instant.zero + .milliseconds(Int64(index) * 20)
            if index.isMultiple(of: 2) {
                let picture = try TestPicture.waves(width: 320, height: 240, step: index)
                FrameStamp(number: UInt32(index / 2), captureTime: 0).draw(into: picture)
                let frame = VideoFrame(buffer: picture, captureTime: time)
                let coded = try #require(try video.encode(frame, forceKeyframe: false))
                try writer.write(coded, at: time)
            }
            try writer.write(opus: packet, channels: 1, at: time)
        }
        try writer.finish()
    }
}
