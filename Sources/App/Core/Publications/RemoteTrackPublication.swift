// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts

/// What a participant sends to this device.
public class RemoteTrackPublication: TrackPublication, @unchecked Sendable {
    // SAFETY: as in `TrackPublication`.

    /// Whether what arrives is decoded and handed on.
    @Published public internal(set) var isEnabled = true

    /// Stops (false) or resumes (true) decoding what arrives. The data still comes, and the sender is not told.
    public func set(enabled: Bool) {
        isEnabled = enabled
        (track as? RemoteVideoTrack)?.isHandled = enabled
        (track as? RemoteAudioTrack)?.isHandled = enabled
    }
}
