// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain

/// How this instance is reachable on the network; says nothing of any one friend.
public enum SelfConnectionStatus: Int, Sendable {
    /// Not on the network.
    case offline = 0
    /// Through a TCP relay.
    case tcp = 1
    /// Directly, over UDP.
    case udp = 2
}

/// The paths to a friend that work right now; several may at once. Empty means that the friend is not reachable now,
/// not that a call with them has ended.
public struct FriendConnectionPaths: OptionSet, Sendable, Hashable {
    /// One bit a path.
    public let rawValue: UInt8
    /// Paths from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Direct UDP, the best path.
    public static let udpDirect = FriendConnectionPaths(rawValue: 1)
    /// UDP through a relay.
    public static let udpRelay = FriendConnectionPaths(rawValue: 2)
    /// TCP through a relay.
    public static let tcpRelay = FriendConnectionPaths(rawValue: 4)

    /// Whether any path works.
    public var isOnline: Bool { !isEmpty }
}

/// A user's own availability, as friends see it over the friend connection.
public enum UserStatus: Int32, Sendable {
    /// Available.
    case none = 0
    /// Away.
    case away = 1
    /// Busy.
    case busy = 2
}

/// How well a connection works, from round-trip time and loss. Raw values grow with the quality.
public enum ConnectionQuality: Int, Sendable {
    /// Not measured yet.
    case unknown = 0
    /// A score of at most 25.
    case bad = 1
    /// A score above 25, at most 45.
    case poor = 2
    /// A score above 45, at most 65.
    case fair = 3
    /// A score above 65, at most 85.
    case good = 4
    /// A score above 85.
    case excellent = 5
}

extension SelfConnectionStatus {
    init(_ reachability: SelfReachability) {
        switch reachability {
        case .offline: self = .offline
        case .tcp: self = .tcp
        case .udp: self = .udp
        }
    }
}

extension FriendConnectionPaths {
    init(_ paths: Paths) { self.init(rawValue: paths.rawValue) }
}

extension UserStatus {
    init(_ availability: Availability) {
        switch availability {
        case .available: self = .none
        case .away: self = .away
        case .busy: self = .busy
        }
    }

    /// The domain's word for it.
    var availability: Availability {
        switch self {
        case .none: .available
        case .away: .away
        case .busy: .busy
        }
    }
}
