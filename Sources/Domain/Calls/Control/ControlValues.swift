// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The first thing that each side of a link says.
public struct Hello: Sendable, Hashable {
    /// The lowest protocol version that the sender speaks; at least 1.
    public var lowestVersion: UInt8
    /// The highest protocol version that the sender speaks; at least `lowestVersion`.
    public var highestVersion: UInt8
    /// What the sender can do beyond the version.
    public var capabilities: Capabilities

    /// A hello.
    public init(lowestVersion: UInt8 = 1, highestVersion: UInt8 = 1, capabilities: Capabilities) {
        self.lowestVersion = lowestVersion
        self.highestVersion = highestVersion
        self.capabilities = capabilities
    }

    /// The highest version that both speak; nil when there is none.
    public func commonVersion(with other: Hello) -> UInt8? {
        let version = min(highestVersion, other.highestVersion)
        return version >= max(lowestVersion, other.lowestVersion) ? version : nil
    }
}

/// Abilities that a hello names, one bit each. Bits that this version does not know are kept and mean nothing.
public struct Capabilities: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt32
    /// Capabilities from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Says by `declare` and `mute` whether a publication is muted; without it the receiver judges by the media.
    public static let explicitMute = Capabilities(rawValue: 1)
}

/// What a resume restates of one publication.
public struct PublicationState: Sendable, Hashable {
    /// The publication.
    public var id: PublicationID
    /// The version of its last declaration or mute.
    public var version: UInt32
    /// Whether it is muted.
    public var isMuted: Bool

    /// A publication's state.
    public init(id: PublicationID, version: UInt32, isMuted: Bool) {
        self.id = id
        self.version = version
        self.isMuted = isMuted
    }
}

/// What a publisher tells of a publication before its media.
public struct Declaration: Sendable, Hashable {
    /// The publication.
    public var id: PublicationID
    /// The stream: its name has at most 128 bytes, its formats are at most 8.
    public var stream: StreamDescription
    /// Whether it starts muted.
    public var isMuted: Bool
    /// Grows with every statement about this publication.
    public var version: UInt32
    /// How its frames are encrypted end to end; nil when they are not.
    public var cryptor: CryptorUse?

    /// A declaration.
    public init(
        id: PublicationID, stream: StreamDescription, isMuted: Bool, version: UInt32, cryptor: CryptorUse? = nil
    ) {
        self.id = id
        self.stream = stream
        self.isMuted = isMuted
        self.version = version
        self.cryptor = cryptor
    }
}

/// Which frame cryptor a publication uses.
public struct CryptorUse: Sendable, Hashable {
    /// The cryptor.
    public var id: UInt8
    /// The key epoch.
    public var epoch: UInt32

    /// A cryptor with its key epoch.
    public init(id: UInt8, epoch: UInt32) {
        self.id = id
        self.epoch = epoch
    }
}

/// Somewhere a peer may be reached.
public struct Candidate: Sendable, Hashable {
    /// An Internet address.
    public enum Address: Sendable, Hashable {
        /// An IPv4 address, its first octet in the highest bits.
        case ipv4(UInt32)
        /// An IPv6 address, its first octet in the highest bits of `high`.
        case ipv6(high: UInt64, low: UInt64)
    }
    /// The address.
    public var address: Address
    /// The UDP port.
    public var port: UInt16
    /// The fingerprint of the certificate expected there; at most 64 bytes.
    public var fingerprint: [UInt8]

    /// A candidate.
    public init(address: Address, port: UInt16, fingerprint: [UInt8]) {
        self.address = address
        self.port = port
        self.fingerprint = fingerprint
    }
}

/// The bounds of what a control message may carry. Sizes in bytes of UTF-8.
public enum ControlLimits {
    /// An invitation's message.
    public static let inviteBytes = 256
    /// A track's name.
    public static let nameBytes = 128
    /// A room message's text.
    public static let textBytes = 1_372
    /// A presence key or a candidate's fingerprint.
    public static let keyBytes = 64
    /// Formats in a declaration.
    public static let formats = 8
    /// Candidates in a message.
    public static let candidates = 8
    /// Publications in a resume.
    public static let publications = 16
    /// All fields of one message together.
    public static let messageBytes = 4_096
    /// A datagram.
    public static let datagramBytes = 1_188
}
