// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CFFmpeg
public import RevuePorts
public import RevueTime

/// Writes VP8 and Opus, as they come from the codecs, into a WebM file. Calls must not overlap.
///
/// WebM names its tracks in its header, so what comes first is held back until there is a frame of either kind, or 10 s
/// or 16 MB of one kind alone, or the end. Frames of the other kind that come later than that are refused. VP8 pictures
/// may change their size in mid-stream. Without `finish` the file is completed when the writer goes.
public final class WebMWriter: MediaWriter, @unchecked Sendable {
    // SAFETY: the port forbids overlapping calls, and nothing else reaches the state.

    private struct Pending {
        let track: WebMTrack
        let bytes: [UInt8]
        let time: Instant
        let isKeyframe: Bool
    }
    private enum State {
        /// No frame yet: no file.
        case empty
        /// The file is open, its header not written.
        case waiting(WebMFile, [Pending])
        case writing(WebMFile)
        case finished
    }

    private let path: String
    private var state = State.empty
    private var start = Instant.zero
    private var pictureSize: (width: Int, height: Int)?
    private var channels: Int?
    private var pendingBytes = 0

    /// A writer; the file is made with the first frame, over one that is there.
    public init(path: String) { self.path = path }

    deinit { try? finish() }

    /// Adds a VP8 frame; the first must be a keyframe.
    ///
    /// - Throws: `MediaWriterError.unsupported` for another codec or a first frame that is no keyframe.
    public func write(_ frame: EncodedVideoFrame, at time: Instant) throws(MediaWriterError) {
        guard frame.codec == .vp8 else { throw .unsupported(reason: "WebM takes VP8, not \(frame.codec)") }
        guard !frame.bytes.isEmpty else { throw .unsupported(reason: "a frame without bytes") }
        if case .finished = state { throw .finished }
        if pictureSize == nil {
            guard frame.isKeyframe else { throw .unsupported(reason: "the first picture must be a keyframe") }
            try refuseLateTrack("picture")
            pictureSize = (frame.width, frame.height)
        }
        try add(Pending(track: .video, bytes: frame.bytes, time: time, isKeyframe: frame.isKeyframe))
    }

    /// Adds an Opus packet of 20 ms.
    ///
    /// - Throws: `MediaWriterError.unsupported` unless there are 1 or 2 channels, as many as in the first packet.
    public func write(opus packet: [UInt8], channels: Int, at time: Instant) throws(MediaWriterError) {
        guard (1...2).contains(channels), channels == self.channels ?? channels else {
            throw .unsupported(reason: "\(channels) channels")
        }
        guard !packet.isEmpty else { throw .unsupported(reason: "a packet without bytes") }
        if case .finished = state { throw .finished }
        if self.channels == nil {
            try refuseLateTrack("sound")
            self.channels = channels
        }
        try add(Pending(track: .audio, bytes: packet, time: time, isKeyframe: true))
    }

    /// Writes what is held back, the index and the length, and closes the file.
    ///
    /// - Throws: `MediaWriterError.finished` the second time.
    public func finish() throws(MediaWriterError) {
        switch state {
        case .finished: throw .finished
        case .empty: state = .finished
        case .waiting(let file, let pending):
            state = .finished
            try begin(file, pending)
            try file.finish()
        case .writing(let file):
            state = .finished
            try file.finish()
        }
    }

    private static let patience = Interval.seconds(10)
    private static let patienceBytes = 16 << 20

    private func refuseLateTrack(_ what: String) throws(MediaWriterError) {
        guard case .writing = state else { return }
        throw .unsupported(reason: "the first \(what) comes more than 10 s after the file began")
    }

    private func add(_ item: Pending) throws(MediaWriterError) {
        switch state {
        case .finished: throw .finished
        case .empty:
            let file = try WebMFile(path)
            start = item.time
            state = .waiting(file, [item])
            pendingBytes = item.bytes.count
        case .waiting(let file, var pending):
            state = .empty  // so that the array is not copied
            pending.append(item)
            pendingBytes += item.bytes.count
            let isComplete = pictureSize != nil && channels != nil
            if isComplete || item.time - start > Self.patience || pendingBytes > Self.patienceBytes {
                state = .writing(file)
                try begin(file, pending)
            } else {
                state = .waiting(file, pending)
            }
        case .writing(let file): try write(item, to: file)
        }
    }

    private func begin(_ file: WebMFile, _ pending: [Pending]) throws(MediaWriterError) {
        try file.begin(picture: pictureSize, channels: channels)
        // Times count from the first frame of all, which need not be the first that was handed in.
        start = pending.map(\.time).min() ?? start
        for item in pending { try write(item, to: file) }
    }

    private func write(_ item: Pending, to file: WebMFile) throws(MediaWriterError) {
        try file.write(
            item.bytes, track: item.track, milliseconds: (item.time - start).nanoseconds / 1_000_000,
            isKeyframe: item.isKeyframe)
    }
}
