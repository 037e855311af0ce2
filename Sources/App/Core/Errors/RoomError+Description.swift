// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation

extension RoomError {
    /// What happened, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .notInitialized: "The SDK is not running: call initialize(_:) first."
        case .initializationFailed(let reason): "The SDK did not start (\(reason)): correct that and initialize again."
        case .alreadyConnected: "The participant is in the room already: use the existing RemoteParticipant."
        case .disconnected: "The call has ended: invite the friend again and publish once connected."
        case .connectionFailed(let reason): "The connection failed (\(reason)): check the network and try again."
        case .timedOut: "The other side did not answer in time: try again."
        case .cancelled: "The operation was cancelled: start it again when it is needed."
        case .networkError(let underlying):
            "The network failed\(underlying.map { " (\($0.localizedDescription))" } ?? ""): try again once it is back."
        case .reconnectionFailed: "The lost connection did not come back: invite the friend again."
        case .roomNotFound(let roomId): "There is no room “\(roomId)”: use Room.shared or the room of your instance."
        case .roomFull: "The room is full: wait until a participant leaves."
        case .callNotConnected: "The friend cannot be reached: wait until one of their paths works, then call."
        case .callAlreadyActive: "A call with this friend is on already: end it before starting another."
        case .noIncomingCall: "This friend is not inviting you: accept only after didReceiveInvitation."
        case .callRejected: "The friend refused the call: try again later."
        case .callTimeout: "The friend did not answer: try again later."
        case .invalidFriendId: "This is not the ID of a friend: pass an ID from FriendManager.getFriendList()."
        case .videoPublicationAlreadyExists(let friendId):
            "The friend \(friendId) gets a video publication already: unpublish it, then publish this one."
        case .audioPublicationAlreadyExists(let friendId):
            "The friend \(friendId) gets an audio publication already: unpublish it, then publish this one."
        case .trackAlreadyPublished:
            "The track belongs to another instance that is still running: destroy that one, or make a track of your own."
        case .trackNotPublished: "The publication has ended: publish the track again to get a new one."
        case .publishNotAllowed: "Publishing is not allowed here: ask whoever runs the call to allow it."
        case .subscribeNotAllowed: "Receiving is not allowed here: ask whoever runs the call to allow it."
        case .codecNotSupported(let codec):
            "The codec \(codec) is not the publication's or not available: change the codec with setCodec(_:)."
        case .invalidParameter(let name, let reason): "\(name) \(reason): pass a value in that range."
        case .cameraAccessDenied: "The camera may not be used: allow access to it, then turn it on again."
        case .cameraDeviceNotFound: "There is no such camera: connect one or choose another."
        case .microphoneAccessDenied: "The microphone may not be used: allow access to it, then turn it on again."
        case .capturerNotReady: "The capturer does not run: call startCapture() first."
        case .mediaInitializationFailed(let reason):
            "Media could not be set up (\(reason)): correct that and try again."
        case .screenShareDenied: "Sharing the screen was not allowed: ask the user again when they want to share."
        case .screenShareSystemRestriction: "The system forbids sharing the screen now: lift that and try again."
        case .broadcastExtensionNotConfigured: "No other process feeds the screen share: start one that does."
        case .dataPublishFailed(let reason): "The data was not sent (\(reason)): correct that and send it again."
        case .rpcMethodNotFound(let method): "Nobody answers to “\(method)”: register it on the other side."
        case .rpcTimeout(let method): "The answer to “\(method)” did not come in time: try again."
        case .alreadyRecording: "A recording runs already: stop it before starting another."
        case .notRecording: "No recording runs: start one first."
        case .insufficientStorage: "The disk is too full to record: free some space and start again."
        case .recordingWriteFailed(let reason): "The recording failed (\(reason)): correct that and start again."
        case .unknown(let reason): "Something unexpected happened (\(reason)): please report it with the log."
        }
    }
}
