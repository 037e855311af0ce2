// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// A picture and when it was captured.
public struct VideoFrame: Sendable {
    /// The picture; nobody writes into it any more.
    public var buffer: PixelBuffer
    /// When it was captured, on the scheduler's clock.
    public var captureTime: Instant

    /// A picture.
    public init(buffer: PixelBuffer, captureTime: Instant) {
        self.buffer = buffer
        self.captureTime = captureTime
    }
}

/// Sound and when its first sample was captured.
public struct AudioChunk: Sendable {
    /// The samples.
    public var buffer: AudioBuffer
    /// When the first sample was captured, on the scheduler's clock.
    public var captureTime: Instant

    /// Sound.
    public init(buffer: AudioBuffer, captureTime: Instant) {
        self.buffer = buffer
        self.captureTime = captureTime
    }
}

/// What a video source should produce.
public struct VideoCaptureRequest: Sendable, Hashable {
    /// Wanted pixels across.
    public var width: Int
    /// Wanted pixels down.
    public var height: Int
    /// Wanted frames per second.
    public var frameRate: Int
    /// A request.
    public init(width: Int, height: Int, frameRate: Int) {
        self.width = width
        self.height = height
        self.frameRate = frameRate
    }
}

/// A device, file or generator that produces what it is started for. One that may be started and stopped many times.
///
/// `start` returns once capturing runs; the sink is called on a thread of the source's own, in order, and never again
/// after `stop` has returned. A start while running, and a stop while not, do nothing.
public protocol Capturer: AnyObject, Sendable {
    /// What it is asked for.
    associatedtype Request: Sendable
    /// What it produces.
    associatedtype Output: Sendable
    /// Begins to capture.
    func start(_ request: Request, sink: @escaping @Sendable (Output) -> Void) throws(CaptureError)
    /// Ends capturing; waits until a call of the sink that runs has returned, unless it comes from the sink itself.
    func stop()
}

/// A capturer of pictures.
public protocol VideoSource: Capturer where Request == VideoCaptureRequest, Output == VideoFrame {}
/// A capturer of sound; asked for nothing, it says in each chunk's format what it gives.
public protocol AudioSource: Capturer where Request == AudioFormat, Output == AudioChunk {}

/// Why capturing did not start.
public enum CaptureError: Error, Sendable, Hashable {
    /// No such device or file.
    case notFound(name: String)
    /// It exists but may not be used.
    case denied(name: String)
    /// It cannot be read, or holds nothing of this kind.
    case unreadable(name: String, reason: String)
}

/// Where received sound goes: a loudspeaker, a file, a meter.
public protocol AudioSink: AnyObject, Sendable {
    /// The format that it takes.
    var format: AudioFormat { get }
    /// Takes sound to play after what it already holds; never blocks, drops what does not fit.
    func play(_ buffer: AudioBuffer)
    /// How much sound waits to be played.
    var queued: Interval { get }
    /// Forgets what waits.
    func flush()
}
