// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueInMemory
import RevuePorts
import RevueTime
import Testing

@testable import RevueCore

struct PlaybackMixerTests {
    private let scheduler = VirtualScheduler(seed: 1)

    /// 20 ms of one value, mono.
    private func sound(_ value: Float) throws -> AudioBuffer {
        let buffer = try #require(AudioBuffer(format: .engine(channels: 1), frameCapacity: AudioFrame.samples))
        buffer.withSamples { $0.update(repeating: value) }
        return buffer
    }

    /// A renderer that keeps each frame's first sample.
    private final class Ear: AudioRenderer, Sendable {
        private let heard = Locked<[Float]>([])
        var values: [Float] { heard.withLock { $0 } }
        func render(pcmBuffer: AVAudioPCMBuffer) {
            let first = pcmBuffer.audioBuffer.interleaved.first ?? -1
            heard.withLock { $0.append(first) }
        }
    }

    @Test func `the room's output is the sum of everyone, limited after the sum`() throws {
        let mixer = PlaybackMixer(sink: nil, scheduler: scheduler)
        let ear = Ear()
        mixer.output.add(audioRenderer: ear)
        for values in [(0.25, 0.5), (0.75, 0.75), (-0.75, 0.5)] as [(Float, Float)] {
            mixer.play(try sound(values.0), from: "a")
            mixer.play(try sound(values.1), from: "b")
            try scheduler.advanceSynchronously(by: .milliseconds(20))
        }
        #expect(ear.values == [0.75, 1, -0.25])
    }

    @Test func `nothing is mixed while nobody listens, and it begins with the first who does`() throws {
        let mixer = PlaybackMixer(sink: nil, scheduler: scheduler)
        mixer.play(try sound(0.5), from: "a")
        #expect(!mixer.isMixing)
        let ear = Ear()
        mixer.output.add(audioRenderer: ear)
        mixer.play(try sound(0.25), from: "a")
        #expect(mixer.isMixing)
        try scheduler.advanceSynchronously(by: .milliseconds(20))
        #expect(ear.values == [0.25])
        mixer.output.remove(audioRenderer: ear)
        mixer.play(try sound(0.5), from: "a")
        try scheduler.advanceSynchronously(by: .seconds(2))
        #expect(!mixer.isMixing && ear.values == [0.25])
    }

    @Test func `a muted speaker is silent, and the room's output goes on`() throws {
        let sink = RecordingAudioSink(scheduler: scheduler)
        let mixer = PlaybackMixer(sink: sink, scheduler: scheduler)
        let ear = Ear()
        mixer.output.add(audioRenderer: ear)
        for isMuted in [false, true, false] {
            mixer.isMuted = isMuted
            mixer.play(try sound(isMuted ? 0.5 : 0.25), from: "a")
            try scheduler.advanceSynchronously(by: .milliseconds(20))
        }
        #expect(ear.values == [0.25, 0.5, 0.25])
        #expect(sink.played.compactMap { $0.buffer.interleaved.first } == [0.25, 0.25])
    }

    @Test func `whoever leaves is in no further frame`() throws {
        let mixer = PlaybackMixer(sink: nil, scheduler: scheduler)
        let ear = Ear()
        mixer.output.add(audioRenderer: ear)
        for sid in ["a", "b"] { mixer.play(try sound(0.25), from: sid) }
        mixer.remove("a")
        try scheduler.advanceSynchronously(by: .milliseconds(20))
        #expect(ear.values == [0.25])
    }
}
