// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import Foundation

/// Why a friend could not be added.
public enum FriendAddError: LocalizedError, Sendable, Equatable {
    /// They are a friend already.
    case alreadyExists
    /// Anything else; `docs/errors.md` lists the codes.
    case failed(code: Int32)

    /// What happened, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .alreadyExists: "They are your friend already: use the entry in getFriendList()."
        case .failed(let code): "The friend was not added (code \(code)): check the address and the request's length."
        }
    }
}

/// Why a friend could not be removed.
public enum FriendDeleteError: LocalizedError, Sendable, Equatable {
    /// There is no such friend.
    case notFound
    /// Anything else; `docs/errors.md` lists the codes.
    case failed(code: Int32)

    /// What happened, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .notFound: "There is no such friend: pass an ID from getFriendList()."
        case .failed(let code): "The friend was not removed (code \(code)): initialize the SDK, then try again."
        }
    }
}

/// Why an invitation could not be sent, accepted, rejected or taken back.
public enum FriendCallError: LocalizedError, Sendable, Equatable {
    /// The ID is malformed, or no friend has it (code -2).
    case invalidArgument
    /// The SDK does not run (code -4).
    case notInitialized
    /// The call could not be set up (code -11).
    case callFailed
    /// There is nothing to accept, reject or take back, or it has ended already (code -13).
    case invalidState
    /// No path to the friend works (code -20).
    case friendNotReachable
    /// `switchB` is on and its grace period waits for a direct path (code -26). Passes by itself.
    case noDirectPath
    /// A call with this friend is on already (code -28).
    case alreadyInCall
    /// The message has more than 256 bytes of UTF-8 (code -30).
    case messageTooLong
    /// Anything else.
    case unknown(code: Int32)

    /// What happened, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .invalidArgument: "This is not the ID of a friend: pass an ID from getFriendList()."
        case .notInitialized: "The SDK is not running: call initialize(_:) first."
        case .callFailed: "The call could not be set up: try again."
        case .invalidState: "There is no such invitation any more: wait for the next one or send one."
        case .friendNotReachable: "The friend cannot be reached: try again once one of their paths works."
        case .noDirectPath: "A direct path is still being set up: try again in a few seconds."
        case .alreadyInCall: "A call with this friend is on already: hang up before inviting them again."
        case .messageTooLong: "The message is too long: keep it within 256 bytes of UTF-8."
        case .unknown(let code): "The call failed (code \(code)): try again, and report it with the log if it persists."
        }
    }
}

/// Why a message to a friend was not delivered.
public enum FriendMessageError: LocalizedError, Sendable, Equatable {
    /// The ID is malformed, no friend has it, or the text is empty (codes -1 and -2).
    case invalidArgument
    /// The SDK does not run (code -4).
    case notInitialized
    /// No path to the friend works (code -20).
    case friendNotReachable
    /// The text is longer than one message carries (code -30).
    case messageTooLong
    /// Too many messages wait for this friend already (code -34).
    case sendQueueFull
    /// The receipt did not come in time. The message may still have arrived; `messageId` finds it in the log.
    case timeout(messageId: UInt32)
    /// Anything else.
    case failed(code: Int32)

    /// What happened, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .invalidArgument: "The friend's ID is unknown or the text is empty: pass a friend's ID and some text."
        case .notInitialized: "The SDK is not running: call initialize(_:) first."
        case .friendNotReachable: "The friend cannot be reached: send again once one of their paths works."
        case .messageTooLong: "The text is too long for one message: split it or shorten it."
        case .sendQueueFull: "Too many messages wait for this friend: send again later, and less often."
        case .timeout(let messageId): "No receipt came for message \(messageId): ask before sending it again."
        case .failed(let code): "The message was not sent (code \(code)): try again."
        }
    }
}
