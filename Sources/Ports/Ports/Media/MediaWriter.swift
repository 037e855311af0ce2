// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Writes encoded tracks into a file that players open. Calls must not overlap.
public protocol MediaWriter: AnyObject, Sendable {
    /// Adds a frame; the first of each track fixes its codec. Times count from the first frame of all.
    func write(_ frame: EncodedVideoFrame, at time: Instant) throws(MediaWriterError)
    /// Adds an Opus packet of 20 ms.
    func write(opus packet: [UInt8], channels: Int, at time: Instant) throws(MediaWriterError)
    /// Completes the file. Without a frame there is no file.
    func finish() throws(MediaWriterError)
}

/// Why a file could not be written.
public enum MediaWriterError: Error, Sendable, Hashable {
    /// The file cannot be made or written.
    case cannotWrite(path: String, reason: String)
    /// The container does not take this.
    case unsupported(reason: String)
    /// Finished already.
    case finished
}
