// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// H.264 settings. The range is checked when they are used.
public struct H264Encoding: Sendable, Hashable {
    /// Target bitrate in bits per second; above 0.
    public let maxBitrate: Int

    /// Settings.
    public init(maxBitrate: Int = 3_000_000) { self.maxBitrate = maxBitrate }
}

extension H264Encoding {
    /// Keyframes come when the receiver asks for one; this many frames later one comes anyway.
    static let keyframeInterval = 600

    /// Throws when the bitrate is outside its documented range.
    func validate() throws(RoomError) { try require(maxBitrate > 0, "maxBitrate", "must be above 0") }
}
