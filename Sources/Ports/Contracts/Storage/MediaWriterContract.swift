// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
import RevueTime

/// What every media writer promises.
///
/// ```swift
/// MediaWriterContract {
///     let path = makeTemporaryPath()
///     return MediaWriterContract.Subject(
///         writer: MyWriter(path: path), video: encodedFrames, audio: opusPackets, exists: { fileExists(path) })
/// }.promises
/// ```
public struct MediaWriterContract: Contract {
    /// A writer and what to write with it.
    public struct Subject: Sendable {
        let writer: any MediaWriter
        let video: [EncodedVideoFrame]
        let audio: [[UInt8]]
        let exists: @Sendable () -> Bool

        /// A subject.
        ///
        /// - Parameters:
        ///   - writer: a new writer.
        ///   - video: at least three frames of one codec, the first a keyframe.
        ///   - audio: at least three mono Opus packets of 20 ms.
        ///   - exists: whether the writer's file is there.
        public init(
            writer: any MediaWriter, video: [EncodedVideoFrame], audio: [[UInt8]],
            exists: @escaping @Sendable () -> Bool
        ) {
            self.writer = writer
            self.video = video
            self.audio = audio
            self.exists = exists
        }

        func writeAll() throws(MediaWriterError) {
            let start = Instant(nanoseconds: 5_000_000_000)
            for (index, frame) in video.enumerated() {
                try writer.write(frame, at: start + .milliseconds(66) * Int64(index))
            }
            for (index, packet) in audio.enumerated() {
                try writer.write(opus: packet, channels: 1, at: start + .milliseconds(20) * Int64(index))
            }
        }
    }

    private let make: @Sendable () throws -> Subject

    /// The contract of the writers that `make` gives.
    public init(make: @escaping @Sendable () throws -> Subject) { self.make = make }

    /// All promises.
    public var promises: [Promise] {
        [
            promise("frames of both kinds make a file") { subject in
                try subject.writeAll()
                try subject.writer.finish()
                try expect(subject.exists(), "no file")
            },
            promise("one kind alone makes a file, too") { subject in
                try subject.writer.write(opus: subject.audio[0], channels: 1, at: .zero)
                try subject.writer.finish()
                try expect(subject.exists(), "no file")
            },
            promise("without a frame there is no file") { subject in
                try subject.writer.finish()
                try expect(!subject.exists(), "a file")
            },
            promise("a finished file takes nothing more, and cannot be finished again") { subject in
                try subject.writeAll()
                try subject.writer.finish()
                func isFinished(_ error: MediaWriterError) -> Bool { error == .finished }
                try expectError(
                    "a picture",
                    from: { () throws(MediaWriterError) in
                        try subject.writer.write(subject.video[0], at: .zero)
                    }, where: isFinished)
                try expectError(
                    "sound",
                    from: { () throws(MediaWriterError) in
                        try subject.writer.write(opus: subject.audio[0], channels: 1, at: .zero)
                    }, where: isFinished)
                try expectError(
                    "another finish",
                    from: { () throws(MediaWriterError) in
                        try subject.writer.finish()
                    }, where: isFinished)
            },
            promise("a track keeps the codec of its first frame") { subject in
                try subject.writer.write(subject.video[0], at: .zero)
                var other = subject.video[1]
                other.codec = other.codec == .vp8 ? .h264 : .vp8
                try expectError("another codec") { () throws(MediaWriterError) in
                    try subject.writer.write(other, at: .zero + .milliseconds(66))
                } where: {
                    if case .unsupported = $0 { true } else { false }
                }
            },
        ]
    }

    private func promise(_ sentence: String, _ body: @escaping @Sendable (Subject) throws -> Void) -> Promise {
        Promise(sentence) { [make] in try body(try make()) }
    }
}
