// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
public import RevueTime

/// A clip's pictures and samples, exactly and all at once, for measuring.
public enum ClipReader {
    /// A picture of a clip.
    public struct Frame: Sendable {
        /// The picture, I420.
        public let buffer: PixelBuffer
        /// Where it stands in the clip.
        public let position: Interval
    }

    /// A clip's pictures in the order in which they are shown, scaled to one size.
    ///
    /// - Parameter limit: the most pictures wanted.
    /// - Throws: `CaptureError.notFound`, or `.unreadable` for a file without video, or one that is damaged.
    public static func frames(
        of path: String, width: Int, height: Int, limit: Int = .max
    ) throws(CaptureError) -> [Frame] {
        let stream = try DecodedStream(path, .video)
        guard let scaler = PictureScaler(width: width, height: height) else {
            throw .unreadable(name: path, reason: "no picture is \(width)×\(height)")
        }
        var frames: [Frame] = []
        while frames.count < limit, let next = try stream.next() {
            guard let buffer = scaler.scale(next.frame) else {
                throw .unreadable(name: path, reason: "a picture in a format that cannot be converted")
            }
            frames.append(Frame(buffer: buffer, position: next.position))
        }
        return frames
    }

    /// A clip's sound, interleaved, at a rate and number of channels.
    ///
    /// - Throws: `CaptureError.notFound`, or `.unreadable` for a file without sound, or one that is damaged.
    public static func samples(of path: String, format: AudioFormat) throws(CaptureError) -> [Float] {
        let stream = try DecodedStream(path, .audio)
        guard (1...8).contains(format.channelCount), (1...384_000).contains(format.sampleRate) else {
            throw .unreadable(name: path, reason: "no sound is like \(format)")
        }
        let converter = SampleConverter(rate: Int(format.sampleRate), channels: format.channelCount)
        var samples: [Float] = []
        while let next = try stream.next() {
            guard let converted = converter.convert(next.frame) else {
                throw .unreadable(name: path, reason: "sound in a format that cannot be converted")
            }
            samples += converted
        }
        return samples + converter.flush()
    }
}
