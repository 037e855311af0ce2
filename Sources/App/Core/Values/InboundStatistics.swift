// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What arrives from one participant. What does not apply to the kind of track is nil, never 0; the counters of
/// pictures are 0 for sound.
public struct InboundStatistics: Sendable, Equatable {
    /// Pixels across; nil for sound, and before the first picture.
    public let width: Int?
    /// Pixels down; nil for sound, and before the first picture.
    public let height: Int?
    /// Frames per second; nil for sound.
    public let fps: Double?
    /// Frames that arrived, placeholders of a muted publication included.
    public let framesReceived: UInt64
    /// Frames that were handed to renderers, without placeholders.
    public let framesRendered: UInt64
    /// Gaps of more than a second between frames, while frames were due.
    public let freezeCount: UInt64
    /// How long those gaps lasted together, in seconds.
    public let totalFreezesDuration: Double
    /// Audio frames per second; nil for pictures.
    public let audioFrameRate: Double?
    /// The level of the newest audio frame, the root mean square of its samples (0…1); nil for pictures.
    public let audioLevel: Float?

    /// Where pictures arrive.
    init(
        width: Int?, height: Int?, fps: Double, framesReceived: UInt64, framesRendered: UInt64, freezeCount: UInt64,
        totalFreezesDuration: Double
    ) {
        self.width = width
        self.height = height
        self.fps = fps
        self.framesReceived = framesReceived
        self.framesRendered = framesRendered
        self.freezeCount = freezeCount
        self.totalFreezesDuration = totalFreezesDuration
        audioFrameRate = nil
        audioLevel = nil
    }

    /// Where sound arrives.
    init(audioFrameRate: Double, audioLevel: Float) {
        width = nil
        height = nil
        fps = nil
        framesReceived = 0
        framesRendered = 0
        freezeCount = 0
        totalFreezesDuration = 0
        self.audioFrameRate = audioFrameRate
        self.audioLevel = audioLevel
    }
}
