// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import Foundation
import RevueDomain
import RevuePorts
import RevueTime

/// Friends: requests, invitations, messages, and what is known of each. Get it from `Revue.friends`.
public final class FriendManager: Sendable {
    private struct Current: Sendable {
        weak var driver: SessionDriver?
    }

    /// What main has been told of a friend; nil where it has heard nothing yet.
    struct Told: Sendable {
        var paths: Paths?
        var name: String?
        var statusMessage: String?
    }

    private let current = Locked(Current())
    private let told = Locked<[PeerID: Told]>([:])

    init() {}

    var driver: SessionDriver? {
        get { current.withLock { $0.driver } }
        set {
            current.withLock { $0.driver = newValue }
            told.withLock { $0 = [:] }
        }
    }

    /// Main is about to tell of a change: from now on questions are answered with it, and not before.
    @MainActor func tell(of peer: PeerID, _ change: (inout Told) -> Void) {
        guard driver?.read({ $0.isFriend(peer) }) == true else { return }
        told.withLock { change(&$0[peer, default: Told()]) }
    }

    /// Nothing that was told of a friend outlives the friendship.
    private func forget(unlessFriend peer: PeerID) {
        if driver?.read({ $0.isFriend(peer) }) != true { told.withLock { $0[peer] = nil } }
    }

    // MARK: - Friends

    /// Sends a friend request to an address (Base58, or 76 hexadecimal digits), with a text of at most 921 bytes.
    ///
    /// - Throws: `FriendAddError.alreadyExists`, or `.failed(code:)` for a malformed or own address, a text that is too
    ///   long, or an instance that does not run.
    public func addFriend(address: String, message: String = "Hi") throws {
        guard let driver else { throw FriendAddError.failed(code: ErrorCode.notInitialized) }
        guard let address = try? FriendAddress(parsing: address) else {
            throw FriendAddError.failed(code: ErrorCode.invalidArgument)
        }
        forget(unlessFriend: address.peer)
        try mapped { () throws(AddFriendFailure) in
            try driver.perform { (session, now) throws(AddFriendFailure) in
                try session.addFriend(address, message: message.isEmpty ? "Hi" : message, at: now)
            }
        }
    }

    /// Accepts a friend request, or adds someone who adds us in return.
    ///
    /// - Throws: `FriendAddError.alreadyExists`, or `.failed(code:)` for a malformed or own ID or an instance that does
    ///   not run.
    public func addFriendNorequest(friendId: String) throws {
        guard let driver else { throw FriendAddError.failed(code: ErrorCode.notInitialized) }
        guard let peer = try? PeerID(parsing: friendId) else {
            throw FriendAddError.failed(code: ErrorCode.invalidArgument)
        }
        forget(unlessFriend: peer)
        try mapped { () throws(AddFriendFailure) in
            try driver.perform { (session, now) throws(AddFriendFailure) in try session.acceptFriend(peer, at: now) }
        }
    }

    /// Deletes a friend, and ends a call with them.
    ///
    /// - Throws: `FriendDeleteError.notFound` or `.failed(code:)`.
    public func deleteFriend(friendId: String) throws {
        guard let driver else { throw FriendDeleteError.failed(code: ErrorCode.notInitialized) }
        guard let peer = try? PeerID(parsing: friendId) else { throw FriendDeleteError.notFound }
        do {
            try driver.perform { (session, now) throws(DeleteFriendFailure) in try session.deleteFriend(peer, at: now) }
        } catch {
            throw FriendDeleteError.notFound
        }
        forget(unlessFriend: peer)
    }

    /// The friend IDs of all friends.
    public func getFriendList() -> [String] { driver?.read { $0.friends.map(\.base58) } ?? [] }

    /// Whether there is such a friend.
    public func isFriendExists(friendId: String) -> Bool {
        ask(friendId) { session, peer in session.isFriend(peer) } ?? false
    }

    /// The friend's name; empty when there is none.
    public func getFriendName(friendId: String) -> String {
        ask(friendId, \.name) { session, peer in session.profile(of: peer)?.name } ?? ""
    }

    /// The friend's status message; empty when there is none.
    public func getFriendStatusMessage(friendId: String) -> String {
        ask(friendId, \.statusMessage) { session, peer in session.profile(of: peer)?.statusMessage } ?? ""
    }

    /// The paths to the friend that work right now.
    public func getFriendPaths(friendId: String) -> FriendConnectionPaths {
        let paths = ask(friendId, \.paths) { session, peer in session.paths(of: peer) } ?? Paths()
        return FriendConnectionPaths(paths)
    }

    // MARK: - Invitations

    /// Invites a friend to the room; their device rings for at most 45 seconds.
    ///
    /// - Parameter message: free text of at most 256 bytes that the SDK passes on unread.
    /// - Throws: `FriendCallError`; the friend's device does not ring then.
    @MainActor public func sendInvitation(friendId: String, message: String? = nil) throws {
        try call(friendId) { session, peer, now throws(InvitationFailure) in
            try session.invite(peer, message: message, at: now)
        }
    }

    /// Accepts a friend's invitation: they join the room.
    ///
    /// - Throws: `FriendCallError.invalidState` when they no longer ring.
    @MainActor public func acceptInvitation(friendId: String) throws {
        try call(friendId) { session, peer, now throws(InvitationFailure) in
            try session.acceptInvitation(from: peer, at: now)
        }
    }

    /// Refuses a friend's invitation.
    ///
    /// - Throws: `FriendCallError.invalidState` when they no longer ring.
    @MainActor public func rejectInvitation(friendId: String) throws {
        try call(friendId) { session, peer, now throws(InvitationFailure) in
            try session.rejectInvitation(from: peer, at: now)
        }
    }

    /// Takes back an invitation that has not been accepted.
    ///
    /// - Throws: `FriendCallError.invalidState` when there is none.
    @MainActor public func cancelInvitation(friendId: String) throws {
        try call(friendId) { session, peer, now throws(InvitationFailure) in
            try session.cancelInvitation(to: peer, at: now)
        }
    }

    // MARK: - Messages

    /// Sends a friend a text of 1…1,372 bytes and waits until their device has it.
    ///
    /// - Parameter timeout: seconds to wait, 5…30; what lies outside is clamped, NaN means 10.
    /// - Returns: the message's number in this session.
    /// - Throws: `FriendMessageError`, or `CancellationError` when the task is cancelled or the instance destroyed.
    @discardableResult
    public func sendMessage(friendId: String, message: String, timeout: TimeInterval = 10) async throws -> UInt32 {
        guard let driver else { throw FriendMessageError.notInitialized }
        guard let peer = try? PeerID(parsing: friendId) else { throw FriendMessageError.invalidArgument }
        let operation = driver.waiters.makeOperation()
        var messageID: UInt32 = 0
        do {
            messageID = try driver.perform { (session, now) throws(MessageFailure) in
                try session.sendText(
                    message, to: peer, timeout: MessageTimeout.clamped(timeout), operation: operation, at: now)
            }
            try await driver.end(of: operation)
        } catch {
            throw MessageErrors.friend(error, messageID: messageID)
        }
        return messageID
    }

    // MARK: - Inside

    private func ask<Answer>(_ friendId: String, _ question: (Session, PeerID) -> Answer?) -> Answer? {
        guard let driver, let peer = try? PeerID(parsing: friendId) else { return nil }
        return driver.read { question($0, peer) }
    }

    /// What main was told last; the session's own answer when it has heard nothing of the friend yet.
    private func ask<Answer>(
        _ friendId: String, _ told: KeyPath<Told, Answer?>, _ question: (Session, PeerID) -> Answer?
    ) -> Answer? {
        ask(friendId) { session, peer in
            guard session.isFriend(peer) else { return nil }
            return self.told.withLock { $0[peer]?[keyPath: told] } ?? question(session, peer)
        }
    }

    private func mapped(_ body: () throws(AddFriendFailure) -> Void) throws {
        do throws(AddFriendFailure) {
            try body()
        } catch {
            switch error {
            case .alreadyFriend: throw FriendAddError.alreadyExists
            case .ownAddress, .messageEmpty: throw FriendAddError.failed(code: ErrorCode.invalidArgument)
            case .messageTooLong: throw FriendAddError.failed(code: ErrorCode.invalidArgument)
            }
        }
    }

    @MainActor
    private func call(
        _ friendId: String,
        _ command: (inout Session, PeerID, Instant) throws(InvitationFailure) -> [Effect]
    ) throws {
        guard let driver else { throw FriendCallError.notInitialized }
        guard let peer = try? PeerID(parsing: friendId) else { throw FriendCallError.invalidArgument }
        do throws(InvitationFailure) {
            try driver.perform { (session, now) throws(InvitationFailure) in try command(&session, peer, now) }
        } catch {
            throw FriendCallError(error)
        }
    }
}

extension FriendCallError {
    init(_ failure: InvitationFailure) {
        switch failure {
        case .unknownFriend: self = .invalidArgument
        case .notReachable: self = .friendNotReachable
        case .alreadyInCall: self = .alreadyInCall
        case .messageTooLong: self = .messageTooLong
        case .invalidState: self = .invalidState
        case .incompatible: self = .callFailed
        }
    }
}
