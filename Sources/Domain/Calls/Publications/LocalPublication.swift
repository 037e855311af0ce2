// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// One track on its way to one friend.
public struct LocalPublication: Equatable, Sendable {
    /// How far it is.
    enum Phase: Equatable, Sendable {
        /// Declared by us, not confirmed by the friend.
        case declaring(OperationID, PublishClock)
        /// Confirmed: media flows as the outlet says.
        case live
    }

    /// Time left for the friend to confirm; it stands still without a path.
    enum PublishClock: Equatable, Sendable {
        /// Runs out at this instant.
        case running(until: Instant)
        /// Stands still with so much left.
        case paused(left: Interval)
    }

    /// The publication.
    public let id: PublicationID
    /// The track.
    public let track: TrackID
    /// The recipient.
    public let peer: PeerID
    /// What is declared of it.
    public let stream: StreamDescription
    /// What is added to the clock to give RTP timestamps.
    public let timestampOffset: UInt32
    /// The publication's own mute.
    public internal(set) var isMuted: Bool
    /// What leaves for the recipient, and what the recipient is told.
    public internal(set) var outlet: Outlet
    var version: UInt32
    var phase: Phase

    /// Whether the recipient knows it.
    public var isLive: Bool { phase == .live }
    /// What leaves for the recipient once it is live.
    public var content: OutletContent { outlet.content }

    /// The RTP timestamp that stands for an instant: 90,000 a second for video, 48,000 for audio.
    public func rtpTime(at now: Instant) -> UInt32 {
        let rate: Int64 =
            switch stream.kind {
            case .video: 90_000
            case .audio: 48_000
            }
        let (seconds, rest) = now.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let ticks = seconds &* rate &+ rest * rate / 1_000_000_000
        return timestampOffset &+ UInt32(truncatingIfNeeded: ticks)
    }

    var declaration: Declaration {
        Declaration(id: id, stream: stream, isMuted: outlet.isDeclaredMuted, version: version)
    }

    var state: PublicationState { PublicationState(id: id, version: version, isMuted: outlet.isDeclaredMuted) }
}
