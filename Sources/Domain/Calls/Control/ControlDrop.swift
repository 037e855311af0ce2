// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Why something that a peer sent was dropped. Raw values index the counts and never leave the process.
public enum ControlDrop: UInt8, Error, Hashable, Sendable, CaseIterable {
    /// Shorter than a frame's header.
    case truncatedFrame
    /// Longer than a datagram may be.
    case oversizedFrame
    /// Does not start as a control frame does.
    case notControl
    /// A version that was not agreed on.
    case unsupportedVersion
    /// A sender without a session nonce.
    case zeroNonce
    /// A stream that does not exist.
    case unknownStream
    /// A fragment index or count that cannot be.
    case badFragment
    /// Answers another session than this one.
    case otherSession
    /// Comes from a session of the peer that is over.
    case retiredSession
    /// Comes from a session of the peer whose hello is not finished.
    case beforeHello
    /// Acknowledges what was never sent.
    case impossibleAcknowledgement
    /// Has been received before.
    case duplicate
    /// Too far ahead of what is expected next.
    case outsideWindow
    /// Does not continue the message that the frame before began.
    case brokenMessage
    /// A message larger than 4 KiB.
    case oversizedMessage
    /// A type that this version does not know.
    case unknownType
    /// A field's tag or length is cut off, or its value ends past the end.
    case truncatedField
    /// A field that must be there is not.
    case missingField
    /// A field that may come once came again.
    case repeatedField
    /// More entries than the limit.
    case tooManyFields
    /// A field of a length that its tag does not have.
    case wrongLength
    /// A value outside its range.
    case badValue
    /// Text that is not UTF-8.
    case invalidText
}

/// How often each reason to drop occurred.
public struct ControlDropCounts: Sendable, Equatable {
    private var counts: [UInt64]

    /// Nothing dropped yet.
    public init() { counts = Array(repeating: 0, count: ControlDrop.allCases.count) }

    /// How often something was dropped for this reason.
    public subscript(reason: ControlDrop) -> UInt64 { counts[Int(reason.rawValue)] }

    /// How often something was dropped at all.
    public var total: UInt64 { counts.reduce(0, &+) }

    mutating func count(_ reason: ControlDrop) { counts[Int(reason.rawValue)] &+= 1 }
}

/// Why a message cannot be sent. Nothing was queued.
public enum ControlSendError: Error, Hashable, Sendable {
    /// Too much waits already: 256 messages or 256 KiB of this stream. Try again when some are acknowledged.
    case queueFull
    /// A text, a key or a list is longer than its limit, in bytes or entries: shorten it.
    case tooLarge(size: Int, limit: Int)
    /// A hello is the link's own: call `connect`.
    case helloIsAutomatic
}
