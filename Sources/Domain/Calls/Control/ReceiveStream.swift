// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// The receiving half of a stream: puts frames in order, drops what came before, and knows what to acknowledge.
struct ReceiveStream: Sendable, Equatable {
    /// What came of a frame.
    enum Outcome: Sendable, Equatable {
        /// It was dropped.
        case dropped(ControlDrop)
        /// It was new, and with it these arrived in order.
        case fresh([Reassembly.Arrival])
    }

    private var next: UInt32
    /// Frames ahead of `next`, in no order; fewer than the window.
    private var early: [EarlyFrame] = []
    private var reassembly = Reassembly()
    /// When an acknowledgement must have been sent; nil when none is owed.
    private(set) var acknowledgementDue: Instant?

    init(firstSequence: UInt32 = 0) { next = firstSequence }

    /// What has been received.
    var acknowledgement: Acknowledgement {
        var bitmap: UInt32 = 0
        for frame in early { bitmap |= 1 << (frame.sequence &- next &- 1) }
        return Acknowledgement(next: next, bitmap: bitmap)
    }

    /// An acknowledgement has been sent.
    mutating func acknowledged() { acknowledgementDue = nil }

    /// Takes a frame; any is safe.
    mutating func received(_ frame: EarlyFrame, at now: Instant) -> Outcome {
        let ahead = frame.sequence &- next
        guard ahead < 1 << 31, !early.contains(where: { $0.sequence == frame.sequence }) else {
            // The peer sent it again, so our acknowledgement was lost or late.
            acknowledgementDue = now
            return .dropped(.duplicate)
        }
        guard ahead < SendStream.window else { return .dropped(.outsideWindow) }
        early.append(frame)
        var arrivals: [Reassembly.Arrival] = []
        while let index = early.firstIndex(where: { $0.sequence == next }) {
            arrivals += reassembly.add(early.remove(at: index))
            next &+= 1
        }
        // A gap is worth telling at once: it spares the peer what has arrived behind it.
        let due = early.isEmpty ? now + RoundTrip.acknowledgementDelay : now
        acknowledgementDue = acknowledgementDue.map { min($0, due) } ?? due
        return .fresh(arrivals)
    }
}
