// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// Why an invitation cannot be sent, accepted, rejected or cancelled. Nothing has changed.
public enum InvitationFailure: Error, Hashable, Sendable {
    /// The peer is no friend: become friends first.
    case unknownFriend
    /// No path to the friend works right now: try again when `paths` says so.
    case notReachable
    /// The friend is in the room already, or our invitation waits for an answer.
    case alreadyInCall
    /// More bytes of UTF-8 than an invitation carries: shorten it.
    case messageTooLong(size: Int, limit: Int)
    /// There is no such invitation, or no longer.
    case invalidState
    /// The friend's version speaks no protocol version that we speak.
    case incompatible
}

/// An invitation between us and one friend, from either side, until it becomes a call or ends.
struct Invitation: Equatable, Sendable {
    /// How long each side waits.
    static let patience = Interval.seconds(45)

    /// Whose invitation it is.
    enum Side: Equatable, Sendable {
        /// Ours. Whether the friend's device shows it.
        case caller(isShown: Bool)
        /// The friend's.
        case callee
    }

    /// What happens to an invitation.
    enum Event: Equatable {
        /// We accept, reject or take back.
        case accept, reject, cancel
        /// The friend says something of a call.
        case received(Signal, of: WireID)
        /// Nobody answered.
        case expired
        /// The friend restarted, left, or is no friend any more.
        case peerGone
    }

    /// What a friend can say of a call's beginning and end.
    enum Signal: Equatable {
        case invite(message: String?)
        case ringing, accept, reject, cancel, hangup
    }

    /// What an event made of it.
    enum Outcome: Equatable {
        /// It waits on.
        case waits
        /// It does not belong to this side: nothing changed.
        case illegal
        /// It became this call; whether our own accept made it so.
        case connects(WireID, byOurAccept: Bool)
        /// It ended without a call.
        case ends(InvitationEnd)
        /// The friend gave it up and sent another one.
        case replaced(by: WireID, message: String?)
    }

    /// The call that it may become.
    let call: WireID
    /// When nobody waits any longer.
    let deadline: Instant
    private(set) var side: Side

    /// We invite.
    init(calling call: WireID, at now: Instant) {
        self.init(call: call, side: .caller(isShown: false), at: now)
    }

    /// A friend invites us.
    init(invitedTo call: WireID, at now: Instant) {
        self.init(call: call, side: .callee, at: now)
    }

    private init(call: WireID, side: Side, at now: Instant) {
        self.call = call
        self.side = side
        deadline = now + Self.patience
    }

    var isOurs: Bool { side != .callee }

    /// Advances the invitation. `oursSurvives` settles glare: whether our public key is the smaller one.
    mutating func handle(_ event: Event, oursSurvives: Bool) -> (outcome: Outcome, replies: [ControlMessage]) {
        switch (side, event) {
        case (.callee, .accept): return (.connects(call, byOurAccept: true), [.accept(call)])
        case (.callee, .reject): return (.ends(.rejected), [.reject(call)])
        case (.caller, .cancel): return (.ends(.cancelled), [.cancel(call)])
        case (.caller, .accept), (.caller, .reject), (.callee, .cancel): return (.illegal, [])
        case (.caller, .expired): return (.ends(.timeout), [.hangup(call)])
        case (.callee, .expired): return (.ends(.timeout), [])
        case (_, .peerGone): return (.ends(.finished), [])
        case (.caller, .received(let signal, let id)):
            return receivedAsCaller(signal, of: id, oursSurvives: oursSurvives)
        case (.callee, .received(let signal, let id)): return receivedAsCallee(signal, of: id)
        }
    }

    private mutating func receivedAsCaller(
        _ signal: Signal, of id: WireID, oursSurvives: Bool
    ) -> (outcome: Outcome, replies: [ControlMessage]) {
        switch (signal, id == call) {
        case (.invite, _):
            // Glare. The friend answers the surviving invitation with its accept, and takes back its own: so a
            // cancel that crosses it on the way leaves no call that one side alone believes in.
            if oursSurvives { return (.waits, []) }
            return (.connects(id, byOurAccept: true), [.accept(id), .cancel(call)])
        case (.ringing, true):
            side = .caller(isShown: true)
            return (.waits, [])
        case (.accept, true): return (.connects(call, byOurAccept: false), [])
        case (.reject, true), (.hangup, true), (.cancel, true): return (.ends(.finished), [])
        case (.accept, false): return (.waits, [.reject(id)])
        case (.ringing, false), (.reject, false), (.cancel, false), (.hangup, false): return (.waits, [])
        }
    }

    private func receivedAsCallee(
        _ signal: Signal, of id: WireID
    ) -> (outcome: Outcome, replies: [ControlMessage]) {
        switch (signal, id == call) {
        case (.invite(let message), false): return (.replaced(by: id, message: message), [])
        case (.cancel, true): return (.ends(.cancelled), [])
        case (.hangup, true): return (.ends(.timeout), [])
        case (.accept, false): return (.waits, [.reject(id)])
        case (.invite, true), (.ringing, _), (.accept, true), (.reject, _), (.cancel, false), (.hangup, false):
            return (.waits, [])
        }
    }
}
