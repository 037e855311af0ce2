// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Turns the keyframe requests of any number of receivers into few keyframes: one answers all that asked before it, and
/// none is forced within 300 ms of the last (a floor per source, whoever asks and however often).
public struct KeyframeDemand: Hashable, Sendable {
    /// The least time between two forced keyframes.
    public static let floor = Interval.milliseconds(300)

    /// Requests received.
    public private(set) var requests: UInt64 = 0
    /// Keyframes forced.
    public private(set) var forced: UInt64 = 0
    private var isPending = false
    private var lastKeyframe: Instant?

    /// Nobody has asked yet.
    public init() {}

    /// A receiver asked for a keyframe.
    public mutating func requested() {
        requests &+= 1
        isPending = true
    }

    /// Whether the frame about to be encoded is to be forced to be a keyframe; answers all requests so far.
    public mutating func takesForcedKeyframe(at now: Instant) -> Bool {
        guard isPending, isFloorPassed(at: now) else { return false }
        isPending = false
        lastKeyframe = now
        forced &+= 1
        return true
    }

    /// A keyframe was sent, forced or not: requests so far are answered.
    public mutating func keyframeSent(at now: Instant) {
        isPending = false
        lastKeyframe = now
    }

    private func isFloorPassed(at now: Instant) -> Bool {
        guard let lastKeyframe else { return true }
        return now - lastKeyframe >= Self.floor
    }
}
