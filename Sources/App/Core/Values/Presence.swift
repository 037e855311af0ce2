// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A friend's presence as the presence service reports it, which needs no connection to the friend.
public enum PresenceStatus: Int, Sendable {
    /// Nobody can say: presence is off, not connected, or the friend never reported.
    case unknown = -1
    /// Not there.
    case offline = 0
    /// There.
    case online = 1
    /// There, but away.
    case away = 2
    /// There, but busy.
    case busy = 3

    /// Whether the friend is there at all: online, away or busy.
    public var isOnline: Bool {
        switch self {
        case .online, .away, .busy: true
        case .unknown, .offline: false
        }
    }
}

/// This instance's own connection to the presence service. While it is not `connected`, what is known of friends'
/// presence may be out of date.
public enum PresenceConnectionState: Int32, Sendable {
    /// Presence does not run.
    case notInitialized = 0
    /// Down.
    case disconnected = 1
    /// On its way for the first time.
    case connecting = 2
    /// Up.
    case connected = 3
    /// Was up, and is trying again.
    case reconnecting = 4
}
