// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Hears of one track. Called on the main thread; implement what you need.
public protocol TrackDelegate: AnyObject {
    /// The track's own mute flipped, once for all its recipients. A publication's own mute is heard of elsewhere:
    /// `ParticipantDelegate` and `RoomDelegate`.
    @MainActor func track(_ track: Track, didUpdateIsMuted isMuted: Bool)
}

extension TrackDelegate {
    /// Does nothing.
    @MainActor public func track(_ track: Track, didUpdateIsMuted isMuted: Bool) {}
}
