// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// The frames sent of late, from which packets are made again: three round trips, at least a second, and at most 256
/// frames and 9,600 packets (libwebrtc's bound). No packet is copied for it.
///
/// What a keyframe has made useless goes: a receiver that got the keyframe waits for what came before it no longer than
/// `RecoveryTiming.hold`.
struct SentFrames: Sendable {
    static let mostFrames = 256
    static let mostPackets: Int64 = 9_600

    private var ring: [PacketisedFrame?] = []
    private var oldest = 0
    private(set) var count = 0

    private func slot(_ place: Int) -> Int { (oldest + place) % Self.mostFrames }

    mutating func add(_ frame: PacketisedFrame, _ timing: RecoveryTiming) {
        if ring.isEmpty { ring = Array(repeating: nil, count: Self.mostFrames) }
        if count == Self.mostFrames { removeOldest() }
        ring[slot(count)] = frame
        count += 1
        expire(at: frame.begunAt, timing)
        while let first = ring[oldest], count > 1,
            frame.sequences.upperBound &- first.sequences.lowerBound > Self.mostPackets
        { removeOldest() }
    }

    /// The frame that a packet belongs to.
    func frame(of sequence: Int64) -> PacketisedFrame? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            guard let frame = ring[slot(middle)] else { return nil }
            if frame.sequences.contains(sequence) { return frame }
            if frame.firstSequence > sequence { high = middle } else { low = middle + 1 }
        }
        return nil
    }

    /// Lets go of what is too old or has been made useless.
    mutating func expire(at now: Instant, _ timing: RecoveryTiming) {
        var place = count - 1
        while place > 0, let frame = ring[slot(place)] {
            if now - frame.begunAt > timing.memory || (frame.isKeyframe && now - frame.begunAt > timing.hold) { break }
            place -= 1
        }
        for _ in 0..<max(0, place) { removeOldest() }
        if count > 0, let frame = ring[oldest], now - frame.begunAt > timing.memory { removeOldest() }
    }

    mutating func removeAll() { while count > 0 { removeOldest() } }

    private mutating func removeOldest() {
        ring[oldest] = nil
        oldest = (oldest + 1) % Self.mostFrames
        count -= 1
    }
}
