// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain

/// Why an invitation ended without a call. Both sides use it; what each sees may differ.
public enum InvitationEndReason: Sendable {
    /// The caller took it back; both sides see this.
    case cancelled
    /// The invited side refused; that side alone sees this, its caller sees `finished`.
    case rejected
    /// Nobody answered in time, or nobody was there to answer.
    case timeout
    /// The other side ended it.
    case finished
}

/// Why a participant left the room.
public enum DisconnectReason: Sendable {
    /// Somebody hung up.
    case leave
    /// No path worked for too long, or the peer restarted.
    case networkLost
}

extension InvitationEndReason {
    init(_ end: InvitationEnd) {
        switch end {
        case .cancelled: self = .cancelled
        case .rejected: self = .rejected
        case .timeout: self = .timeout
        case .finished: self = .finished
        }
    }
}

extension DisconnectReason {
    init(_ cause: DisconnectCause) {
        switch cause {
        case .leave: self = .leave
        case .networkLost: self = .networkLost
        }
    }
}
