// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import Foundation

/// Why a message within a call was not delivered, or a source could not be switched.
public enum RoomMessageError: LocalizedError, Sendable, Equatable {
    /// The message could not be put into its envelope.
    case encodingFailed
    /// Message and envelope together have more bytes than one message carries.
    case messageTooLong(size: Int, maxSize: Int)
    /// The friend connection did not carry it.
    case transportFailed(underlying: FriendMessageError)
    /// `LocalParticipant.set(source:enabled:)` does not switch this source.
    case unsupportedSource(Track.Source)

    /// What happened, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .encodingFailed: "The message could not be encoded: pass well-formed text."
        case .messageTooLong(let size, let maxSize):
            "The message takes \(size) bytes where \(maxSize) fit: shorten it or split it."
        case .transportFailed(let underlying):
            underlying.errorDescription
        case .unsupportedSource(let source):
            "The source \(source.rawValue) cannot be switched: pass camera, microphone or screenShareVideo."
        }
    }
}
