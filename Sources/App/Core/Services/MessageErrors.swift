// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime

/// How long to wait for a receipt: 5…30 seconds; what lies outside is clamped, NaN is the standard.
enum MessageTimeout {
    static let standard = Interval.seconds(10 as Int64)

    static func clamped(_ seconds: Double) -> Interval {
        seconds.isNaN ? standard : .seconds(min(30, max(5, seconds)))
    }
}

/// What the domain says of a message, in the words of the public API.
enum MessageErrors {
    static func friend(_ error: any Error, messageID: UInt32) -> any Error {
        if let failure = error as? MessageFailure { return friend(failure) }
        guard let failure = error as? OperationFailure else { return error }
        switch failure {
        case .cancelled: return CancellationError()
        case .timedOut: return FriendMessageError.timeout(messageId: messageID)
        case .disconnected, .notReachable: return FriendMessageError.friendNotReachable
        case .queueFull: return FriendMessageError.sendQueueFull
        }
    }

    static func friend(_ failure: MessageFailure) -> FriendMessageError {
        switch failure {
        case .unknownFriend, .empty: .invalidArgument
        case .tooLong: .messageTooLong
        case .notReachable, .notConnected: .friendNotReachable
        case .queueFull: .sendQueueFull
        }
    }

    static func room(_ error: any Error, messageID: UInt32) -> any Error {
        if case .tooLong(let size, let limit)? = error as? MessageFailure {
            return RoomMessageError.messageTooLong(size: size, maxSize: limit)
        }
        let cause = friend(error, messageID: messageID)
        guard let failure = cause as? FriendMessageError else { return cause }
        return RoomMessageError.transportFailed(underlying: failure)
    }
}
