// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The switch of the hardware behind a track.
public enum HardwareState: UInt8, Hashable, Sendable, CaseIterable {
    /// It never ran: nothing was ever captured.
    case neverStarted
    /// It runs.
    case running
    /// It ran and is off now.
    case stopped
    /// There is none: the integrator fills the track with buffers, and frames come when they come.
    case external
}

/// The two levels at which a publication may be muted. The levels never change each other.
public enum MuteLevels: UInt8, Hashable, Sendable, CaseIterable {
    /// Neither.
    case none
    /// The track, for every recipient.
    case track
    /// The publication, for its recipient alone.
    case publication
    /// Both.
    case both

    /// The levels as two answers.
    public init(track: Bool, publication: Bool) {
        switch (track, publication) {
        case (false, false): self = .none
        case (true, false): self = .track
        case (false, true): self = .publication
        case (true, true): self = .both
        }
    }
}

/// What leaves for one recipient of one publication, and what that recipient is told: a pure function of both enums.
public struct Outlet: Hashable, Sendable {
    /// What is sent.
    public let content: OutletContent
    /// What `declare` and `mute` say: whether the recipient gets no real media.
    public let isDeclaredMuted: Bool

    /// The outlet of a publication. The table stands in `docs/calls.md`.
    public init(hardware: HardwareState, levels: MuteLevels) {
        switch (levels, hardware) {
        case (.track, _), (.publication, _), (.both, _), (.none, .stopped):
            content = .placeholder
            isDeclaredMuted = true
        case (.none, .neverStarted):
            content = .nothing
            isDeclaredMuted = false
        case (.none, .running), (.none, .external):
            content = .media
            isDeclaredMuted = false
        }
    }
}
