// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts

/// The instance that a local track belongs to: none until it is first published, then that one as long as it runs.
final class TrackOwner: Sendable {
    private struct Owner: Sendable {
        weak var driver: SessionDriver?
    }

    private let owner = Locked(Owner())

    var driver: SessionDriver? { owner.withLock { $0.driver } }
    var scheduler: (any Scheduler)? { driver?.adapters.scheduler }

    /// False when another instance that still runs has it.
    func claim(for driver: SessionDriver) -> Bool {
        owner.withLock { owner in
            if let known = owner.driver, known !== driver { return false }
            owner.driver = driver
            return true
        }
    }
}

extension LocalVideoTrack {
    @MainActor func setMuted(_ muted: Bool) { setMuted(muted, owner) }
}

extension LocalAudioTrack {
    @MainActor func setMuted(_ muted: Bool) { setMuted(muted, owner) }
}

extension Track {
    /// With an owner the domain decides, and the change comes back as an event; without one there is nobody else to ask.
    @MainActor fileprivate func setMuted(_ muted: Bool, _ owner: TrackOwner) {
        if let driver = owner.driver {
            driver.perform { session, now in session.setMuted(muted, track: trackID, at: now) }
        } else if isMuted != muted {
            isMuted = muted
            delegates.notify { $0.track(self, didUpdateIsMuted: muted) }
        }
    }

    /// What the domain is told of the track.
    func description(hardware: HardwareState) -> TrackDescription {
        TrackDescription(
            id: trackID, kind: kind.mediaKind, source: source.mediaSource,
            name: String(name.prefixOfBytes(128)), hardware: hardware, isMuted: isMuted)
    }
}

extension String {
    /// The longest beginning of at most so many bytes of UTF-8 that ends between characters.
    func prefixOfBytes(_ count: Int) -> Substring {
        var bytes = 0
        var end = startIndex
        while end < endIndex {
            let next = index(after: end)
            bytes += self[end..<next].utf8.count
            if bytes > count { break }
            end = next
        }
        return self[..<end]
    }
}

extension StreamDescription {
    /// What the receiver calls the track: the devices have fixed names, other tracks the one their sender gave them.
    var trackName: String {
        switch source {
        case .camera where name.isEmpty: Track.cameraName
        case .microphone where name.isEmpty: Track.microphoneName
        default: name
        }
    }
}
