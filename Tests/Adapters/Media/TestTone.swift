// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Sounds to code, and how much of them is left.
enum TestTone {
    /// A sine at 48 kHz; the same in every channel, interleaved.
    static func sine(_ hertz: Double, seconds: Double, channels: Int = 1, level: Float = 0.5) -> [Float] {
        (0..<Int(seconds * 48_000)).flatMap { index in
            [Float](repeating: level * Float(sin(2 * .pi * hertz * Double(index) / 48_000)), count: channels)
        }
    }

    /// Something like a voice: a gliding pitch with harmonics, in syllables; at most 4 s.
    static func voice(seconds: Double) -> [Float] { Array(spoken.prefix(Int(seconds * 48_000))) }

    private static let spoken: [Float] = {
        var phase = 0.0
        return (0..<(4 * 48_000)).map { index in
            let time = Double(index) / 48_000
            phase += (130 + 40 * sin(2 * .pi * 1.3 * time)) / 48_000
            let syllable = 0.5 - 0.5 * cos(2 * .pi * 4 * time)
            let harmonics = (1...12).reduce(0.0) { $0 + sin(2 * .pi * phase * Double($1)) / Double($1) }
            return Float(0.25 * syllable * harmonics)
        }
    }()

    /// Energy at a frequency as a share of the whole (Goertzel); 1 for a pure tone.
    static func share(of hertz: Double, in samples: [Float]) -> Double {
        var (real, imaginary, total) = (0.0, 0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * .pi * hertz * Double(index) / 48_000
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
            total += Double(sample) * Double(sample)
        }
        guard total > 0 else { return 0 }
        return 2 * (real * real + imaginary * imaginary) / (total * Double(samples.count))
    }

    /// Root of the mean square.
    static func level(_ samples: [Float]) -> Double {
        guard !samples.isEmpty else { return 0 }
        return (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
    }

    /// Signal-to-noise ratio in dB of `samples` against `reference`, of one length.
    static func ratio(_ samples: ArraySlice<Float>, against reference: ArraySlice<Float>) -> Double {
        var (signal, noise) = (0.0, 1e-12)
        for (sample, wanted) in zip(samples, reference) {
            signal += Double(wanted) * Double(wanted)
            noise += Double(sample - wanted) * Double(sample - wanted)
        }
        return 10 * log10(signal / noise)
    }
}

extension AudioEncoder {
    /// Every whole frame of interleaved samples, encoded.
    func encodeAll(_ samples: [Float], channels: Int = 1) throws -> [[UInt8]] {
        let size = AudioFrame.samples * channels
        return try stride(from: 0, through: samples.count - size, by: size).map { start in
            try samples[start..<(start + size)].withUnsafeBufferPointer { try encode($0) }
        }
    }
}
