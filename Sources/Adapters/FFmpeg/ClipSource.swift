// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
public import RevueTime

/// A media file as camera and microphone: decoded, paced in real time by its own timestamps, and looped for ever.
///
/// Both tracks follow one timeline, whichever starts first; one that starts later joins at the place the other has
/// reached, and when both have stopped, the next start begins at the beginning. Capture times are the timeline's, so that
/// tracks of one file stay in step to the sample. A file loops after the length that its header gives: a shorter track's
/// last picture stays, or is followed by silence.
///
/// A source that cannot keep up leaves out what is late: a picture after 200 ms, sound after a second.
public final class ClipSource: Sendable {
    /// The pictures, I420, at the requested size, at most as many a second as requested.
    public let video: any VideoSource
    /// The sound, in the requested format, in chunks of 20 ms.
    public let audio: any AudioSource

    /// Pictures from one file and sound from another, or the same; at least one of them.
    ///
    /// - Parameter now: the scheduler's clock; called on the source's threads.
    /// - Throws: `CaptureError.notFound` for a missing file, `.unreadable` for one that holds nothing of the kind or
    ///   whose first picture or sound is damaged.
    public init(video: String?, audio: String?, now: @escaping @Sendable () -> Instant) throws(CaptureError) {
        guard video != nil || audio != nil else { throw .notFound(name: "a clip without any file") }
        for (path, kind) in [(video, DecodedStream.Kind.video), (audio, .audio)] {
            guard let path else { continue }
            guard try DecodedStream(path, kind).next() != nil else {
                throw .unreadable(name: path, reason: "its \(kind.rawValue) is empty")
            }
        }
        let timeline = ClipTimeline(now)
        self.video = ClipVideo(path: video, timeline: timeline)
        self.audio = ClipAudio(path: audio, timeline: timeline)
    }

    /// Both tracks of one file.
    public convenience init(_ path: String, now: @escaping @Sendable () -> Instant) throws(CaptureError) {
        try self.init(video: path, audio: path, now: now)
    }
}

extension CaptureError {
    /// A source was started that the clip was not given a file for.
    static func noFile(for kind: DecodedStream.Kind) -> CaptureError { .notFound(name: "a file for \(kind.rawValue)") }
}
