// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A local track as publications and mute see it.
public struct TrackDescription: Hashable, Sendable {
    /// The track.
    public let id: TrackID
    /// Audio or video.
    public let kind: MediaKind
    /// What it shows or plays.
    public let source: MediaSource
    /// Its name; at most 128 bytes reach others.
    public let name: String
    /// The hardware behind it.
    public var hardware: HardwareState
    /// Whether the track is muted for everyone.
    public var isMuted: Bool

    /// A track.
    public init(
        id: TrackID, kind: MediaKind, source: MediaSource, name: String, hardware: HardwareState, isMuted: Bool = false
    ) {
        self.id = id
        self.kind = kind
        self.source = source
        self.name = name
        self.hardware = hardware
        self.isMuted = isMuted
    }
}
