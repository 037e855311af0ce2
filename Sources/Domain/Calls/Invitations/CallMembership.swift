// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// Our part in an active call with one friend: whether anything is heard, since when not, and the call's own clock.
struct CallMembership: Equatable, Sendable {
    /// Silence after which no path works.
    static let silence = Interval.seconds(3)
    /// Time without a path after which the call is given up.
    static let patience = Interval.seconds(45)
    /// How often something is sent to show that we are here.
    static let keepAlive = Interval.seconds(1)

    /// Whether the friend is heard.
    enum Life: Equatable, Sendable {
        /// Heard, last at this instant.
        case live(heard: Instant)
        /// Not heard; paths are empty since then.
        case lost(since: Instant)
        /// Heard again; the friend has not confirmed yet that the call still exists there.
        case resuming(heard: Instant)
    }

    /// When the friend's clock of the call started, as far as we know.
    enum PeerClock: Equatable, Sendable {
        /// No later than this instant of ours.
        case startedBy(Instant)
        /// The friend has not acknowledged our accept yet.
        case unknown(accept: ControlLink.Receipt)
    }

    /// The call.
    let call: WireID
    /// Grows with each call of the session: the order in which friends connected.
    let ordinal: UInt64
    /// When our clock of the call started.
    let epoch: Instant
    private(set) var life: Life
    private(set) var peerClock: PeerClock
    private var resumesSent: UInt32 = 0
    private var resumesReceived: UInt32 = 0

    /// A call that begins now; `accept` is our accept's receipt when ours made it.
    init(call: WireID, ordinal: UInt64, accept: ControlLink.Receipt?, at now: Instant) {
        self.call = call
        self.ordinal = ordinal
        epoch = now
        life = .live(heard: now)
        peerClock = accept.map(PeerClock.unknown) ?? .startedBy(now)
    }

    var isLost: Bool { if case .lost = life { true } else { false } }

    /// A fresh packet or frame.
    mutating func heard(at now: Instant) {
        switch life {
        case .live: life = .live(heard: now)
        case .resuming: life = .resuming(heard: now)
        case .lost: break
        }
    }

    /// When silence would empty the paths; nil when they are empty.
    var silenceDeadline: Instant? {
        switch life {
        case .live(let heard), .resuming(let heard): heard + Self.silence
        case .lost: nil
        }
    }

    /// The last path went away.
    mutating func lostPath(at now: Instant) { life = .lost(since: now) }

    /// A path came back. True when a resume must be sent.
    mutating func foundPath(at now: Instant) -> Bool {
        guard case .lost = life else { return false }
        life = .resuming(heard: now)
        resumesSent &+= 1
        return true
    }

    /// The friend restates the call. True when a resume must answer: each side sends as many as it receives.
    mutating func receivedResume() -> Bool {
        resumesReceived &+= 1
        if case .resuming(let heard) = life { life = .live(heard: heard) }
        guard resumesReceived > resumesSent else { return false }
        resumesSent = resumesReceived
        return true
    }

    /// Why the call ends when the friend does not know it any more.
    var causeWhenUnknown: DisconnectCause {
        switch life {
        case .live: .leave
        case .lost, .resuming: .networkLost
        }
    }

    /// The friend's link has our accept: its clock of the call has started.
    mutating func acknowledged(_ receipt: ControlLink.Receipt, at now: Instant) {
        if peerClock == .unknown(accept: receipt) { peerClock = .startedBy(now) }
    }

    /// Milliseconds of call time by our clock; stays at the end of the range.
    func callTime(at now: Instant) -> UInt32 { UInt32(clamping: (now - epoch).nanoseconds / 1_000_000) }

    /// Whether the sender of something with this deadline has certainly given it up.
    func isLate(deadline: UInt32, at now: Instant) -> Bool {
        guard deadline != .max, case .startedBy(let start) = peerClock else { return false }
        return now - start > .milliseconds(Int64(deadline))
    }
}
