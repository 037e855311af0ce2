// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A publication of one sender: unique within that sender's session, and never reused in it.
public struct PublicationID: Hashable, Comparable, Sendable {
    /// The number on the wire.
    public let rawValue: UInt32
    /// The publication with this number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Order of creation.
    public static func < (left: PublicationID, right: PublicationID) -> Bool { left.rawValue < right.rawValue }
}

/// A local track, numbered by whoever drives the domain. Never on the wire.
public struct TrackID: Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: UInt64
    /// The track with this number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Order of numbers.
    public static func < (left: TrackID, right: TrackID) -> Bool { left.rawValue < right.rawValue }
}

/// A waiter outside the domain: whoever starts an operation names it, and its end carries that name.
public struct OperationID: Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: UInt64
    /// The operation with this number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Order of numbers.
    public static func < (left: OperationID, right: OperationID) -> Bool { left.rawValue < right.rawValue }
}

/// 16 random bytes that name a call or a message between two peers.
public struct WireID: Hashable, Sendable {
    /// The first eight bytes.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64
    /// An identifier from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// Audio or video.
public enum MediaKind: UInt8, Hashable, Sendable, CaseIterable {
    /// Sound.
    case audio = 1
    /// Pictures.
    case video = 2
}

/// What a track shows or plays.
public enum MediaSource: UInt8, Hashable, Sendable, CaseIterable {
    /// The publisher did not say.
    case unknown = 0
    /// A camera, or what stands for one.
    case camera = 1
    /// A microphone.
    case microphone = 2
    /// A shared screen.
    case screenShareVideo = 3
    /// The sound of a shared screen.
    case screenShareAudio = 4
}
