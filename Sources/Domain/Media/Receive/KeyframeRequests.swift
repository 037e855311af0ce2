// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// Decides when to ask for a keyframe: at once when one is needed, then each 200 ms while it is, but not while one is
/// coming in, nor when the sender has been silent for 5 s.
struct KeyframeRequests {
    static let repeatEvery = Interval.milliseconds(200)
    static let silence = Interval.seconds(Int64(5))
    /// How long a packet may be overtaken by others before it counts as missing, where none is sent again.
    static let reorderingWait = Interval.milliseconds(40)

    /// How long what is missing may still come.
    var patience = reorderingWait

    private enum Need {
        case none
        /// Needed, and may be asked for from this instant on.
        case since(Instant)
    }

    /// Requests made.
    private(set) var made: UInt64 = 0
    private var need = Need.none
    private var lastRequest: Instant?
    private var lastPacket: Instant?
    private var arriving: Arriving?

    /// A keyframe of which packets came.
    private struct Arriving {
        var timestamp: Int64
        var lastPacket: Instant
        /// When a packet of a later frame came.
        var overtaken: Instant?

        /// Until when it may still be completed.
        func hopeful(_ patience: Interval) -> Instant {
            let quiet = lastPacket + max(repeatEvery, patience)
            guard let overtaken else { return quiet }
            return min(quiet, overtaken + patience)
        }
    }

    mutating func received(timestamp: Int64, startsKeyframe: Bool, at now: Instant) {
        lastPacket = now
        if startsKeyframe, timestamp >= arriving?.timestamp ?? .min {
            arriving = Arriving(timestamp: timestamp, lastPacket: now)
        } else if let current = arriving {
            if timestamp == current.timestamp { arriving?.lastPacket = now }
            if timestamp > current.timestamp, current.overtaken == nil { arriving?.overtaken = now }
        }
    }

    /// A keyframe is needed unless what is missing comes by `instant`.
    mutating func want(from instant: Instant) {
        switch need {
        case .none: need = .since(instant)
        case .since(let earlier): need = .since(min(earlier, instant))
        }
    }

    /// None is needed any more.
    mutating func satisfied() { need = .none }

    /// The keyframe that was coming in is whole, or will not be.
    mutating func arrived() { arriving = nil }

    /// A path was lost: what was coming in is void. The pace of requests stays.
    mutating func reset() {
        need = .none
        arriving = nil
        lastPacket = nil
    }

    /// Whether to ask now; remembers it.
    mutating func takeDue(at now: Instant) -> Bool {
        guard let deadline, now >= deadline else { return false }
        lastRequest = now
        made &+= 1
        return true
    }

    /// When to ask; nil when there is no need, or nobody to ask.
    var deadline: Instant? {
        guard case .since(var instant) = need, let lastPacket else { return nil }
        if let lastRequest { instant = max(instant, lastRequest + Self.repeatEvery) }
        if let arriving { instant = max(instant, arriving.hopeful(patience)) }
        return instant <= lastPacket + Self.silence ? instant : nil
    }
}
