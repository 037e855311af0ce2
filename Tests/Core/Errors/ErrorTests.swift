// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import Testing

@testable import RevueCore

struct ErrorTests {
    private static let roomErrors: [RoomError] = [
        .notInitialized, .initializationFailed(reason: "r"), .alreadyConnected, .disconnected,
        .connectionFailed(reason: "r"), .timedOut, .cancelled, .networkError(underlying: nil),
        .networkError(underlying: FriendMessageError.sendQueueFull), .reconnectionFailed, .roomNotFound(roomId: "r"),
        .roomFull, .callNotConnected, .callAlreadyActive, .noIncomingCall, .callRejected, .callTimeout,
        .invalidFriendId, .videoPublicationAlreadyExists(friendId: "f"),
        .audioPublicationAlreadyExists(friendId: "f"), .trackAlreadyPublished, .trackNotPublished, .publishNotAllowed,
        .subscribeNotAllowed, .codecNotSupported(codec: "vp8"),
        .invalidParameter(name: "maxFps", reason: "must be 1 to 60"),
        .cameraAccessDenied, .cameraDeviceNotFound, .microphoneAccessDenied, .capturerNotReady,
        .mediaInitializationFailed(reason: "r"), .screenShareDenied, .screenShareSystemRestriction,
        .broadcastExtensionNotConfigured, .dataPublishFailed(reason: "r"), .rpcMethodNotFound(method: "m"),
        .rpcTimeout(method: "m"), .alreadyRecording, .notRecording, .insufficientStorage,
        .recordingWriteFailed(reason: "r"), .unknown(reason: "r"),
    ]
    private static let friendErrors: [any LocalizedError] = [
        FriendAddError.alreadyExists, FriendAddError.failed(code: -99), FriendDeleteError.notFound,
        FriendDeleteError.failed(code: -99), FriendCallError.invalidArgument, FriendCallError.notInitialized,
        FriendCallError.callFailed, FriendCallError.invalidState, FriendCallError.friendNotReachable,
        FriendCallError.noDirectPath, FriendCallError.alreadyInCall, FriendCallError.messageTooLong,
        FriendCallError.unknown(code: -99), FriendMessageError.invalidArgument, FriendMessageError.notInitialized,
        FriendMessageError.friendNotReachable, FriendMessageError.messageTooLong, FriendMessageError.sendQueueFull,
        FriendMessageError.timeout(messageId: 7), FriendMessageError.failed(code: -99),
    ]
    private static let instanceErrors: [any LocalizedError] = [
        RoomMessageError.encodingFailed, RoomMessageError.messageTooLong(size: 2, maxSize: 1),
        RoomMessageError.transportFailed(underlying: .sendQueueFull), RoomMessageError.unsupportedSource(.unknown),
        RevueInitError.invalidConfiguration, RevueInitError.licenseMissing, RevueInitError.licenseMalformed,
        RevueInitError.licenseInvalid, RevueInitError.licenseExpired, RevueInitError.gracePeriodTooShort,
        RevueInitError.invalidTransportConfig, RevueInitError.waitingForDestroy, RevueInitError.initFailed(code: -5),
        RevuePresenceError.notInitialized, RevuePresenceError.invalidConfiguration,
        RevuePresenceError.startFailed(code: -9),
    ]

    @Test func `every error says what happened and what to do`() throws {
        for error in Self.roomErrors as [any LocalizedError] + Self.friendErrors + Self.instanceErrors {
            let sentence = try #require(error.errorDescription)
            let parts = sentence.split(separator: ":", maxSplits: 1)
            #expect(parts.count == 2 && parts.allSatisfy { $0.count > 5 }, "\(sentence)")
            #expect(sentence.hasSuffix("."), "\(sentence)")
            #expect(error.localizedDescription == sentence)
        }
    }

    @Test func `no two room errors have the same sentence or are equal`() {
        #expect(Set(Self.roomErrors.map(\.localizedDescription)).count == Self.roomErrors.count)
        for (index, error) in Self.roomErrors.enumerated() {
            #expect(Self.roomErrors.firstIndex(of: error) == index)
        }
    }

    @Test func `a sentence carries the values of its case`() {
        #expect(
            RoomError.invalidParameter(name: "maxFps", reason: "must be 1 to 60").localizedDescription
                .hasPrefix("maxFps must be 1 to 60"))
        #expect(RoomMessageError.messageTooLong(size: 1_400, maxSize: 1_372).localizedDescription.contains("1400"))
        #expect(FriendMessageError.timeout(messageId: 42).localizedDescription.contains("42"))
        #expect(RevueInitError.initFailed(code: -6).localizedDescription.contains("-6"))
        #expect(
            RoomError.networkError(underlying: FriendMessageError.sendQueueFull).localizedDescription
                .contains(FriendMessageError.sendQueueFull.localizedDescription))
    }

    @Test func `errors with different values differ`() {
        #expect(RoomError.codecNotSupported(codec: "vp8") != .codecNotSupported(codec: "h264"))
        #expect(
            RoomError.invalidParameter(name: "a\", reason: \"b", reason: "c")
                != .invalidParameter(name: "a", reason: "b\", reason: \"c"))
        #expect(
            RoomError.networkError(underlying: FriendMessageError.timeout(messageId: 1))
                != .networkError(underlying: FriendMessageError.timeout(messageId: 2)))
    }

    @Test(arguments: [
        (Int32(-1), RevuePresenceError.notInitialized), (-4, .notInitialized), (-2, .invalidConfiguration),
        (-3, .startFailed(code: -3)), (-99, .startFailed(code: -99)), (7, .startFailed(code: 7)),
    ])
    func `a presence code stands for its error`(code: Int32, error: RevuePresenceError) {
        #expect(RevuePresenceError.from(code: code) == error)
    }
}
