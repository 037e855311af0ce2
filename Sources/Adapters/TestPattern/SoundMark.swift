// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

#if canImport(Glibc)
    import Glibc
#endif

/// A chirp that is mixed into sound and found again after it was coded and sent, to a fraction of a millisecond.
///
/// 30 ms that rise from 2 to 4 kHz under a Hann window. It is found by a matched filter: first on the band brought down
/// to 0 Hz and thinned out to 4 kHz, then at the full rate around each candidate. The pulse that comes out is about
/// 0.5 ms wide, which is what makes its place so certain.
public struct SoundMark: Sendable {
    /// A chirp that was found.
    public struct Finding: Sendable, Hashable {
        /// Where it begins, in samples (of one channel) from the first.
        public let position: Double
        /// How much of the sound in its place it is, within its band: 1 = nothing else.
        public let confidence: Double

        /// A finding.
        public init(position: Double, confidence: Double) {
            self.position = position
            self.confidence = confidence
        }
    }

    /// The chirp's length in seconds.
    public static let seconds = 0.03

    /// Samples a second that positions count in.
    public let sampleRate: Int
    /// The chirp itself, at most 1.
    public let samples: [Float]

    private let quadrature: [Float]
    private let coarse: [Complex]
    private let coarseEnergy: Double

    /// A mark for sound at a rate of at least 16 kHz.
    public init(sampleRate: Int = 48_000) {
        self.sampleRate = max(16_000, sampleRate)
        let rate = Double(self.sampleRate)
        let count = Int(Self.seconds * rate)
        func chirp(_ phase: Double) -> [Float] {
            (0..<count).map { index in
                let time = Double(index) / rate
                let angle = 2 * Double.pi * (2_000 * time + 1_000 / Self.seconds * time * time) + phase
                let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(count - 1))
                return Float(window * sin(angle))
            }
        }
        samples = chirp(0)
        quadrature = chirp(.pi / 2)
        coarse = Self.baseband(samples, rate: self.sampleRate)
        coarseEnergy = coarse.reduce(0.0) { $0 + $1.real * $1.real + $1.imaginary * $1.imaginary }
    }

    /// Adds the chirp to interleaved samples, in every channel; what does not fit is left out.
    ///
    /// - Parameter position: the frame at which it begins; may be negative when its beginning was added before.
    public func mix(into target: inout [Float], at position: Int, channels: Int = 1, level: Float = 0.5) {
        let frames = target.count / max(1, channels)
        for (index, sample) in samples.enumerated() {
            let frame = position + index
            guard frame >= 0, frame < frames else { continue }
            for channel in 0..<channels { target[frame * channels + channel] += level * sample }
        }
    }

    /// The chirps in the samples of one channel, in order.
    ///
    /// - Parameter threshold: the least confidence, 0…1. At 0.5 neither speech nor music nor noise passes for a chirp.
    public func find(in sound: [Float], threshold: Double = 0.5) -> [Finding] {
        let step = Self.step(sampleRate)
        let band = Self.baseband(sound, rate: sampleRate)
        var findings: [Finding] = []
        for candidate in candidates(band, threshold: threshold * 0.9) {
            guard let finding = refine(sound, band, around: candidate * step), finding.confidence >= threshold else {
                continue
            }
            if let last = findings.last, finding.position - last.position < Double(samples.count) / 2 {
                if last.confidence < finding.confidence { findings[findings.count - 1] = finding }
            } else {
                findings.append(finding)
            }
        }
        return findings
    }

    /// Local maxima of the thinned-out filter's output, as places in the band.
    private func candidates(_ band: [Complex], threshold: Double) -> [Int] {
        guard band.count > coarse.count else { return [] }
        let scores = (0...(band.count - coarse.count)).map { score(band, at: $0) }
        return scores.indices.filter { index in
            scores[index] >= threshold && scores[index] >= scores[max(0, index - 1)]
                && scores[index] > scores[min(scores.count - 1, index + 1)] - (index == scores.count - 1 ? 1 : 0)
        }
    }

    /// The normalised correlation at a place in the band, 0…1.
    private func score(_ band: [Complex], at start: Int) -> Double {
        var (real, imaginary, energy) = (0.0, 0.0, 0.0)
        band.withUnsafeBufferPointer { band in
            for (index, reference) in coarse.enumerated() {
                let value = band[start + index]
                real += value.real * reference.real + value.imaginary * reference.imaginary
                imaginary += value.imaginary * reference.real - value.real * reference.imaginary
                energy += value.real * value.real + value.imaginary * value.imaginary
            }
        }
        // A floor far below any audible chirp, so that rounding noise in silence scores nothing.
        return ((real * real + imaginary * imaginary) / (coarseEnergy * (energy + 1e-9))).squareRoot()
    }

    /// The exact place: the largest envelope of the full-rate filter within a step and a half, between samples by a parabola.
    private func refine(_ sound: [Float], _ band: [Complex], around place: Int) -> Finding? {
        let reach = Self.step(sampleRate) * 3 / 2
        let first = max(0, place - reach)
        let last = min(sound.count - samples.count, place + reach)
        guard first < last else { return nil }
        let envelope = (first...last).map { self.envelope(sound, at: $0) }
        guard let best = envelope.indices.max(by: { envelope[$0] < envelope[$1] }) else { return nil }
        var position = Double(first + best)
        if best > 0, best < envelope.count - 1 {
            let (left, centre, right) = (envelope[best - 1], envelope[best], envelope[best + 1])
            let curve = left - 2 * centre + right
            if curve < 0 { position += 0.5 * (left - right) / curve }
        }
        let index = min(max(0, Int((position / Double(Self.step(sampleRate))).rounded())), band.count - coarse.count)
        return Finding(position: position, confidence: min(1, score(band, at: index)))
    }

    private func envelope(_ sound: [Float], at start: Int) -> Double {
        var (real, imaginary): (Float, Float) = (0, 0)
        sound.withUnsafeBufferPointer { sound in
            samples.withUnsafeBufferPointer { samples in
                quadrature.withUnsafeBufferPointer { quadrature in
                    for index in 0..<samples.count {
                        real += sound[start + index] * samples[index]
                        imaginary += sound[start + index] * quadrature[index]
                    }
                }
            }
        }
        return Double(real * real + imaginary * imaginary).squareRoot()
    }

    /// Samples that become one of the thinned-out band.
    private static func step(_ rate: Int) -> Int { max(1, rate / 4_000) }

    /// The band around 3 kHz, brought down to 0 Hz and thinned out. A triangle of two steps keeps other bands out: its
    /// zeros lie where they would fold onto the middle of this one.
    private static func baseband(_ sound: [Float], rate: Int) -> [Complex] {
        let step = step(rate)
        let turn = 2 * Double.pi * 3_000 / Double(rate)
        let mixer = (0..<(2 * step)).map { Complex(real: cos(turn * Double($0)), imaginary: -sin(turn * Double($0))) }
        let weights = (0..<(2 * step)).map { 1 - abs(Double($0) + 0.5 - Double(step)) / Double(step) }
        return sound.withUnsafeBufferPointer { sound in
            (0..<(sound.count / step)).map { index in
                let start = index * step
                var (real, imaginary) = (0.0, 0.0)
                for offset in 0..<min(2 * step, sound.count - start) {
                    let value = Double(sound[start + offset]) * weights[offset]
                    real += value * mixer[offset].real
                    imaginary += value * mixer[offset].imaginary
                }
                let angle = (turn * Double(start)).remainder(dividingBy: 2 * .pi)
                let (c, s) = (cos(angle), -sin(angle))
                return Complex(real: real * c - imaginary * s, imaginary: real * s + imaginary * c)
            }
        }
    }

    private struct Complex: Sendable {
        var real: Double
        var imaginary: Double
    }
}
