// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevuePorts
import RevueTime

/// Cuts sound of any length into frames of 20 ms whose times are exactly 20 ms apart, as RTP timestamps must be.
///
/// Capture times jitter; samples do not. The frames' times start at the first chunk's and count samples from there; only
/// when a chunk is more than 60 ms away from where it should be has the source paused or jumped, and counting starts anew.
struct AudioFramer {
    private let channels: Int
    private var pending: [Float] = []
    private var nextTime: Instant?

    init(channels: Int) { self.channels = channels }

    /// Takes interleaved samples captured from `time` on, and calls `body` with each frame that is complete.
    mutating func push(_ samples: [Float], at time: Instant, _ body: ([Float], Instant) -> Void) {
        let held = Interval.seconds(Double(pending.count / channels) / Double(AudioFrame.sampleRate))
        if let expected = nextTime {
            let offset = time - (expected + held)
            if offset > Self.tolerance || offset < Interval.zero - Self.tolerance {
                pending.removeAll(keepingCapacity: true)
                nextTime = time
            }
        } else {
            nextTime = time
        }
        pending += samples
        let frameCount = AudioFrame.samples * channels
        var start = 0
        while pending.count - start >= frameCount, let frameTime = nextTime {
            body(Array(pending[start..<(start + frameCount)]), frameTime)
            nextTime = frameTime + AudioFrame.duration
            start += frameCount
        }
        pending.removeFirst(start)
    }

    private static let tolerance = Interval.milliseconds(60)
}

/// Loudness of sound.
enum AudioMeter {
    /// The root mean square of the samples that count, 0…1.
    static func rootMeanSquare(of sound: AudioBuffer) -> Float {
        let count = sound.frameLength * sound.format.channelCount
        guard count > 0 else { return 0 }
        let energy = sound.withSamples { samples in
            let counted = sound.format.isInterleaved ? samples.prefix(count) : samples[...]
            return counted.reduce(Float(0)) { $0 + $1 * $1 }
        }
        return (energy / Float(count)).squareRoot()
    }

    /// RFC 6464: dB below full scale, 0…127; 127 is silence.
    static func level(of sound: AudioBuffer) -> UInt8 {
        let value = Double(rootMeanSquare(of: sound))
        return level(energy: value * value)
    }

    /// RFC 6464: dB below full scale, 0…127; 127 is silence.
    static func level(of samples: some Collection<Float>) -> UInt8 {
        guard !samples.isEmpty else { return 127 }
        return level(energy: samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count))
    }

    private static func level(energy: Double) -> UInt8 {
        guard energy > 1e-13 else { return 127 }
        let decibels = -10 * log10(energy)
        return UInt8(min(127, max(0, decibels.rounded())))
    }
}
