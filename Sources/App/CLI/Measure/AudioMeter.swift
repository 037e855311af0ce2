// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import RevueSDK
import RevueTestPattern
import RevueTime

/// A renderer that keeps what is heard, and when, to find the marks in it afterwards.
final class AudioMeter: AudioRenderer, Sendable {
    /// A mark that was heard.
    struct Mark: Equatable, Sendable {
        var captured: Instant
        var heard: Instant

        var delay: Interval { heard - captured }
    }

    private struct Piece {
        /// Place of its first sample among all.
        var start: Int
        var time: Instant
    }

    private struct State {
        /// The first channel of everything.
        var sound: [Float] = []
        var pieces: [Piece] = []
        var loudPieces = 0
        var pieceSeconds = 0.02
    }

    private let state = Locked(State())
    private let scheduler: any Scheduler
    private let keepsSound: Bool

    init(scheduler: any Scheduler, keepsSound: Bool) {
        self.scheduler = scheduler
        self.keepsSound = keepsSound
    }

    func render(pcmBuffer: AVAudioPCMBuffer) {
        let now = scheduler.now
        let buffer = pcmBuffer.audioBuffer
        guard keepsSound, buffer.frameLength > 0 else { return }
        let samples = buffer.withChannel(0) { start, step in (0..<buffer.frameLength).map { start[$0 * step] } }
        let power = samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)
        state.withLock { state in
            state.pieces.append(Piece(start: state.sound.count, time: now))
            state.sound += samples
            state.pieceSeconds = buffer.duration.seconds
            if power > AudioMeter.silence { state.loudPieces += 1 }
        }
    }

    /// Sound that was louder than −50 dB, in seconds.
    var soundSeconds: Double { state.withLock { Double($0.loudPieces) * $0.pieceSeconds } }

    /// The marks in all that was heard. Takes a while: a matched filter runs over everything.
    var marks: [Mark] {
        let (sound, pieces) = state.withLock { ($0.sound, $0.pieces) }
        let filter = SoundMark(sampleRate: AudioFrame.sampleRate)
        return Self.likeliest(filter.find(in: sound)).compactMap { finding in
            guard let piece = pieces.last(where: { $0.start <= Int(finding.position) }) else { return nil }
            let offset = (finding.position - Double(piece.start)) / Double(AudioFrame.sampleRate)
            let heard = piece.time + .seconds(offset)
            // Marks are made at whole seconds, and no call is so late that the last one could be another.
            let second: Int64 = 1_000_000_000
            return Mark(captured: Instant(nanoseconds: heard.nanoseconds / second * second), heard: heard)
        }
    }

    /// Marks are a second apart: of findings that are nearer than half of one, only the clearest can be a mark. Speech that
    /// resembles one, and a mark that a discarded frame cut in two, go.
    static func likeliest(_ findings: [SoundMark.Finding]) -> [SoundMark.Finding] {
        let apart = Double(AudioFrame.sampleRate) / 2
        var kept: [SoundMark.Finding] = []
        for finding in findings.sorted(by: { $0.confidence > $1.confidence })
        where kept.allSatisfy({ abs($0.position - finding.position) >= apart }) {
            kept.append(finding)
        }
        return kept.sorted { $0.position < $1.position }
    }

    private static let silence: Float = 1e-5
}
