// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts

/// A friend in the call.
public class RemoteParticipant: Participant, @unchecked Sendable {
    // SAFETY: as in `Participant`.

    /// The paths that work right now; empty paths do not end the call.
    @Published public internal(set) var paths: FriendConnectionPaths
    /// Why the participant left; nil while in the call.
    @Published public internal(set) var lastDisconnectReason: DisconnectReason?

    private weak let driver: SessionDriver?

    init(peer: PeerID, profile: Profile, paths: Paths, driver: SessionDriver) {
        self.driver = driver
        self.paths = FriendConnectionPaths(rawValue: paths.rawValue)
        super.init(peer: peer, profile: profile)
    }

    /// Hangs up on this participant; everyone else stays. Its events are delivered before this returns.
    @MainActor public func disconnect() {
        driver?.perform { session, now in session.hangUp(peer, at: now) }
    }

    /// Asks the participant to mute (true) or unmute; their app decides.
    ///
    /// - Returns: true once their device has the request.
    /// - Throws: `RoomMessageError.transportFailed` when it cannot be delivered within 10 seconds.
    @discardableResult
    public func requestMute(_ muted: Bool) async throws -> Bool {
        guard let driver else { throw RoomMessageError.transportFailed(underlying: .notInitialized) }
        let operation = driver.waiters.makeOperation()
        do {
            try driver.perform { (session, now) throws(MessageFailure) in
                try session.requestMute(
                    muted, of: peer, timeout: MessageTimeout.standard, operation: operation, at: now)
            }
            try await driver.end(of: operation)
        } catch {
            throw MessageErrors.room(error, messageID: 0)
        }
        return true
    }
}
