// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import Foundation

/// What can go wrong when tracks are published, changed, captured or recorded.
///
/// Two errors are equal when they are the same case with the same values; underlying errors are compared by what they
/// print.
public enum RoomError: LocalizedError, Sendable, Equatable {
    /// Any error, under the name that the documented declarations write.
    public typealias Error = any Swift.Error

    /// `Revue.initialize(_:)` has not been called, or `destroy` has.
    case notInitialized
    /// The instance did not start; the reason says why.
    case initializationFailed(reason: String)

    /// The participant is in the room already.
    case alreadyConnected
    /// The call ended before or while this ran.
    case disconnected
    /// No connection came about; the reason says why.
    case connectionFailed(reason: String)
    /// The other side did not answer in time although a path to it works.
    case timedOut
    /// Whoever started the operation took it back.
    case cancelled
    /// A network operation failed below the SDK.
    case networkError(underlying: Error?)
    /// A lost connection did not come back.
    case reconnectionFailed
    /// No such room.
    case roomNotFound(roomId: String)
    /// No more participants fit.
    case roomFull

    /// There is no connection over which to call.
    case callNotConnected
    /// A call with this friend is on already.
    case callAlreadyActive
    /// There is no invitation to accept.
    case noIncomingCall
    /// The friend refused.
    case callRejected
    /// The friend did not answer.
    case callTimeout
    /// The identifier is not that of a friend.
    case invalidFriendId

    /// The friend already gets a video publication from here; each friend gets one.
    case videoPublicationAlreadyExists(friendId: String)
    /// The friend already gets an audio publication from here; each friend gets one.
    case audioPublicationAlreadyExists(friendId: String)
    /// The track is published to this friend already.
    case trackAlreadyPublished
    /// The publication has ended.
    case trackNotPublished
    /// This participant may not publish.
    case publishNotAllowed
    /// This participant may not receive.
    case subscribeNotAllowed
    /// The publication uses another codec than the call needs, or the codec is not to be had here.
    case codecNotSupported(codec: String)
    /// A value is outside its documented range. Read together, name and reason are a sentence.
    case invalidParameter(name: String, reason: String)

    /// The camera may not be used.
    case cameraAccessDenied
    /// There is no such camera.
    case cameraDeviceNotFound
    /// The microphone may not be used.
    case microphoneAccessDenied
    /// The capturer has not been started.
    case capturerNotReady
    /// A codec or device could not be set up; the reason says why.
    case mediaInitializationFailed(reason: String)
    /// The user did not allow the screen to be shared.
    case screenShareDenied
    /// The system does not allow the screen to be shared now.
    case screenShareSystemRestriction
    /// Nothing feeds the screen share from outside this process.
    case broadcastExtensionNotConfigured

    /// A data message could not be sent; the reason says why.
    case dataPublishFailed(reason: String)
    /// Nobody answers to this method.
    case rpcMethodNotFound(method: String)
    /// The answer to this method did not come in time.
    case rpcTimeout(method: String)

    /// A recording runs already.
    case alreadyRecording
    /// No recording runs.
    case notRecording
    /// The disk is too full to record.
    case insufficientStorage
    /// The recording could not be written; the reason says why.
    case recordingWriteFailed(reason: String)

    /// Anything else; the reason says what.
    case unknown(reason: String)

    /// Whether both are the same case with the same values.
    public static func == (left: RoomError, right: RoomError) -> Bool {
        // `any Error` cannot be compared; what it prints can, and tells more than its type alone.
        String(reflecting: left) == String(reflecting: right)
    }
}
