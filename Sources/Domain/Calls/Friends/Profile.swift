// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The paths to a friend that work right now. Raw values as documented: one bit a path.
public struct Paths: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Paths from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Direct UDP, the best path.
    public static let udpDirect = Paths(rawValue: 1)
    /// UDP through a relay.
    public static let udpRelay = Paths(rawValue: 2)
    /// TCP through a relay.
    public static let tcpRelay = Paths(rawValue: 4)
}

/// A user's own availability, as Tox carries it.
public enum Availability: UInt8, Sendable, Hashable, CaseIterable {
    /// Available.
    case available = 0
    /// Away.
    case away = 1
    /// Busy.
    case busy = 2
}

/// How this instance is reachable on the network.
public enum SelfReachability: UInt8, Sendable, Hashable, CaseIterable {
    /// Not on the network.
    case offline = 0
    /// Through a TCP relay.
    case tcp = 1
    /// Directly, over UDP.
    case udp = 2
}

/// What a friend shows of themselves. Text is valid UTF-8; empty means none.
public struct Profile: Hashable, Sendable {
    /// The display name, at most 128 bytes.
    public var name: String
    /// The status message, at most 1,007 bytes.
    public var statusMessage: String
    /// The availability.
    public var availability: Availability

    /// A profile.
    public init(name: String = "", statusMessage: String = "", availability: Availability = .available) {
        self.name = name
        self.statusMessage = statusMessage
        self.availability = availability
    }
}

/// Why an own profile cannot be set. Nothing has changed.
public enum ProfileFailure: Error, Hashable, Sendable {
    /// More bytes of UTF-8 than friends can be told: shorten it.
    case tooLong(size: Int, limit: Int)
}

extension Profile {
    /// The longest name, in bytes of UTF-8.
    public static let nameBytes = 128
    /// The longest status message, in bytes of UTF-8.
    public static let statusMessageBytes = 1_007

    /// A profile as it came from outside, made fit to be shown: no NUL, within the limits.
    var repaired: Profile {
        Profile(
            name: name.withoutNUL.fitted(toBytes: Self.nameBytes),
            statusMessage: statusMessage.withoutNUL.fitted(toBytes: Self.statusMessageBytes),
            availability: availability)
    }
}
