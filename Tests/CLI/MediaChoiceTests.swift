// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevuePorts
import Testing

@testable import revue

@Suite struct MediaChoiceTests {
    private func choice(_ words: String...) throws -> MediaChoice {
        let spec = CommandSpec(name: "x", summary: "", options: MediaChoice.options)
        let root = CommandSpec(name: "revue", summary: "", subcommands: [spec])
        return try MediaChoice(Arguments.parse(["x"] + words, as: root).1)
    }

    @Test func `nothing said means the pattern, a tone and the documented defaults`() throws {
        let choice = try choice()
        #expect(choice.picture == .pattern && choice.sound == .tone && choice.preset == .standard)
        #expect(choice.width == 640 && choice.height == 360 && choice.frameRate == 30)
        #expect(choice.preset.publishOptions == nil)
    }

    @Test func `a clip brings its own sound unless another is named`() throws {
        #expect(try choice("--source", "clip:a.mp4").sound == .file("a.mp4"))
        #expect(try choice("--source", "clip:a.mp4", "--audio", "b.wav").sound == .file("b.wav"))
        #expect(try choice("--source", "clip:a.mp4", "--audio", "none").sound == .none)
        #expect(try choice("--source", "clip:a.mp4").picture == .clip("a.mp4"))
    }

    @Test(arguments: [
        ["--source", "clip:"], ["--source", "camera"], ["--size", "640"], ["--size", "640x"], ["--size", "8x360"],
        ["--size", "640x360x2"], ["--fps", "0"], ["--fps", "61"], ["--preset", "best"],
    ])
    func `what makes no sense is refused`(words: [String]) {
        #expect(throws: UsageError.self) { try choice(words[0], words[1]) }
    }

    @Test(arguments: CallPreset.allCases)
    func `a preset means the same to an encoder of its own`(preset: CallPreset) {
        let (encoding, settings) = (preset.encoding, preset.encoderSettings)
        #expect(settings.bitrate == encoding.maxBitrate && settings.cpuUsed == encoding.cpuUsed)
        #expect(settings.quantizerMin == encoding.quantizerMin && settings.quantizerMax == encoding.quantizerMax)
        #expect(settings.keyframeInterval == encoding.keyframeInterval)
        #expect(settings.frameRate == (preset.publishOptions?.maxFps ?? 15))
    }
}
