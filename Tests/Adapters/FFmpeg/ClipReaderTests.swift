// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueFFmpeg
import RevuePorts
import RevueTime
import Testing

@Suite struct `Clip reader` {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    @Test func `every picture of the clip comes once, in order, at the size wanted`() throws {
        let frames = try ClipReader.frames(of: fixture("clip.mp4"), width: 161, height: 91)
        #expect(frames.count == 132)
        for (index, frame) in frames.enumerated() {
            #expect((frame.buffer.width, frame.buffer.height, frame.buffer.format) == (161, 91, .i420))
            #expect(abs(frame.position.milliseconds - Double(index) * 40) < 1)
        }
        #expect(TestPicture.psnr(frames[0].buffer, frames[100].buffer) < 30)
    }

    @Test(arguments: [(1, 1), (2, 1), (17, 31), (1_280, 720)])
    func `any size is scaled to`(width: Int, height: Int) throws {
        let frames = try ClipReader.frames(of: fixture("clip.mp4"), width: width, height: height, limit: 2)
        #expect(frames.map { [$0.buffer.width, $0.buffer.height] } == [[width, height], [width, height]])
    }

    @Test func `the sound has the length and the level of the file's`() throws {
        let stereo = try ClipReader.samples(of: fixture("clip.mp4"), format: .engine(channels: 2))
        #expect(abs(Double(stereo.count) / 96_000 - 5.312) < 0.03)
        #expect(TestTone.level(stereo) > 0.001)
        let speech = try ClipReader.samples(of: fixture("speech.wav"), format: .engine(channels: 1))
        #expect(abs(Double(speech.count) / 48_000 - 14.73) < 0.05)
        #expect(TestTone.level(speech) > 0.02)
        let narrow = try ClipReader.samples(
            of: fixture("speech.wav"), format: AudioFormat(sampleRate: 8_000, channelCount: 1))
        #expect(abs(TestTone.level(narrow) / TestTone.level(speech) - 1) < 0.05)
    }

    @Test func `a missing file, a file of another kind and one without the track are told apart`() throws {
        let missing = scratch.path("missing.mp4")
        #expect(throws: CaptureError.notFound(name: missing)) {
            try ClipReader.frames(of: missing, width: 10, height: 10)
        }
        #expect(throws: CaptureError.notFound(name: missing)) {
            try ClipReader.samples(of: missing, format: .engine(channels: 1))
        }
        let text = scratch.path("text.mp4")
        try Data("no video, just words".utf8).write(to: URL(fileURLWithPath: text))
        for path in [text, fixture("speech.wav")] {
            #expect {
                try ClipReader.frames(of: path, width: 10, height: 10)
            } throws: { error in
                guard case CaptureError.unreadable(let name, _) = error else { return false }
                return name == path
            }
        }
    }

    @Test(arguments: UInt64(1)...6) func `damaged files are an error or shorter, never a crash`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture("clip.mp4"))))
        if seed.isMultiple(of: 2) { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator)) }
        for _ in 0..<400 {
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        let path = scratch.path("damaged.mp4")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        if let frames = try? ClipReader.frames(of: path, width: 64, height: 36) { #expect(frames.count <= 132) }
        _ = try? ClipReader.samples(of: path, format: .engine(channels: 1))
    }

    @Test(arguments: PixelFormat.allCases) func `a still image shows the picture`(format: PixelFormat) throws {
        let path = scratch.path("still.png")
        let made = try #require(PixelBuffer(width: 33, height: 17, format: format))
        // Orange: 255, 128, 0.
        let bytes: [[UInt8]] =
            switch format {
            case .i420: [[146], [53], [193]]
            case .nv12: [[146], [53, 193]]
            case .nv12FullRange: [[151], [43, 202]]
            case .bgra: [[0, 128, 255, 255]]
            }
        for (index, values) in bytes.enumerated() {
            made.withPlanes { planes in
                let plane = planes[index].bytes
                for place in plane.indices { plane[place] = values[place % values.count] }
            }
        }
        try StillImage.writePNG(made, to: path)
        let probe = try MediaProbe(path)
        #expect((probe.streams.first?.width, probe.streams.first?.height) == (33, 17))
        let back = try #require(try ClipReader.frames(of: path, width: 33, height: 17).first)
        let expected = try TestPicture.flat(width: 33, height: 17, y: 146, u: 53, v: 193)
        #expect(TestPicture.psnr(back.buffer, expected) > 38)
    }

    @Test func `a still image that cannot be written is an error`() throws {
        let picture = try TestPicture.waves(width: 8, height: 8)
        #expect(throws: MediaWriterError.self) { try StillImage.writePNG(picture, to: scratch.path("no/such.png")) }
    }
}
