// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueOpus
import RevuePorts
import RevueTestPattern
import RevueTime
import Testing

@Suite struct `Sound mark` {
    private let mark = SoundMark()
    private let places = [4_800, 30_000, 50_011, 77_777]

    @Test func `chirps in silence are found at their sample`() {
        var sound = [Float](repeating: 0, count: 96_000)
        for place in places { mark.mix(into: &sound, at: place, level: 0.1) }
        let found = mark.find(in: sound)
        #expect(found.count == places.count)
        for (finding, place) in zip(found, places) {
            #expect(abs(finding.position - Double(place)) < 0.5)
            #expect(finding.confidence > 0.95)
        }
    }

    @Test(arguments: [16_000, 24_000, 32_000, 64_000], [false, true])
    func `through Opus they keep their distance from what was sent, to a quarter of a millisecond`(
        bitrate: Int, inSpeech: Bool
    ) throws {
        var sound = inSpeech ? TestTone.voice(seconds: 2).map { $0 * 0.3 } : [Float](repeating: 0, count: 96_000)
        for place in places { mark.mix(into: &sound, at: place, level: 0.5) }
        let encoder = try OpusCodecFactory().makeEncoder(AudioEncoderSettings(bitrate: bitrate))
        let decoder = try OpusCodecFactory().makeDecoder(channels: 1)
        let decoded = try encoder.encodeAll(sound).flatMap { try decoder.decode(.packet($0)).interleaved }
        let found = mark.find(in: decoded)
        // In speech at a low rate one may be too damaged to be sure of; none may be misplaced.
        #expect(found.count >= (inSpeech ? places.count - 1 : places.count))
        // Opus at 48 kHz delays by 312 samples.
        for finding in found {
            #expect(places.contains { abs(finding.position - Double($0 + 312)) < 12 })
        }
    }

    @Test func `a lost packet elsewhere does not move them`() throws {
        var sound = TestTone.voice(seconds: 2).map { $0 * 0.5 }
        for place in places { mark.mix(into: &sound, at: place) }
        let encoder = try OpusCodecFactory().makeEncoder(AudioEncoderSettings(bitrate: 32_000))
        let decoder = try OpusCodecFactory().makeDecoder(channels: 1)
        let packets = try encoder.encodeAll(sound)
        let decoded = try packets.enumerated().flatMap { index, packet in
            try decoder.decode(index % 11 == 8 ? .lost : .packet(packet)).interleaved
        }
        let found = mark.find(in: decoded)
        for place in places where !(0..<3).contains(where: { (place / 960 + $0) % 11 == 8 }) {
            #expect(found.contains { abs($0.position - Double(place + 312)) < 24 })
        }
    }

    @Test func `neither silence, speech, tones, noise nor clicks pass for one`() {
        var generator = SeededGenerator(seed: 2)
        let noise = (0..<96_000).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
        let clicks = (0..<96_000).map { $0.isMultiple(of: 7_000) ? Float(1) : 0 }
        let sounds = [
            [Float](repeating: 0, count: 96_000), TestTone.voice(seconds: 2), noise, clicks,
            TestTone.sine(1_000, seconds: 2), TestTone.sine(3_000, seconds: 2), TestTone.sine(2_100, seconds: 2),
        ]
        for sound in sounds { #expect(mark.find(in: sound).isEmpty) }
    }

    @Test func `sound that is too short holds none`() {
        for count in [0, 1, 100, 1_439] { #expect(mark.find(in: [Float](repeating: 0.1, count: count)).isEmpty) }
    }

    @Test func `one that is mixed in over several buffers is whole`() {
        var parts = [[Float]](repeating: [Float](repeating: 0, count: 960), count: 8)
        for index in parts.indices { mark.mix(into: &parts[index], at: 2_500 - index * 960) }
        let found = mark.find(in: parts.flatMap { $0 })
        #expect(found.count == 1)
        #expect(abs((found.first?.position ?? 0) - 2_500) < 0.5)
    }

    @Test func `every channel of interleaved sound gets it`() {
        var sound = [Float](repeating: 0, count: 2 * 9_600)
        mark.mix(into: &sound, at: 3_000, channels: 2)
        for channel in 0..<2 {
            let alone = sound.enumerated().filter { $0.offset % 2 == channel }.map(\.element)
            #expect(mark.find(in: alone).map { $0.position.rounded() } == [3_000])
        }
    }
}
