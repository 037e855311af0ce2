// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain
import RevuePorts
import RevueTime

/// An instance of the SDK: an identity, its friends and its room.
///
/// `Revue.shared` (in RevueSDK) is one ready-made instance; `Revue(adapters:)` makes independent ones, as many as a
/// process needs. Everything here belongs on the main thread.
@MainActor public class Revue: ObservableObject {
    /// Hear of friends, requests, invitations and the own connection, on main. `destroy` removes all.
    public nonisolated let delegates = MulticastDelegate<any RevueDelegate>()
    /// Friends, invitations and messages.
    public nonisolated let friends = FriendManager()
    /// This instance's room.
    public nonisolated let room = Room()

    /// Whether others can find this instance.
    @Published public internal(set) var connectionState = SelfConnectionStatus.offline

    nonisolated let adapters: Adapters
    nonisolated let feed = EventFeed<RevueEvent> { count, _ in .missed(count) }
    private nonisolated let logFollower = LogFollower(.shared)
    private var phase = Phase.idle

    /// Where an instance is in its life.
    private enum Phase {
        /// Nothing runs.
        case idle
        /// Between `initialize` and `destroy`.
        case running(Running)
        /// Being destroyed; everyone who calls `destroy` meanwhile waits for the same end.
        case closing(Closing)
    }

    struct Running {
        var driver: SessionDriver
        var projection: Projection
        var fileName: String
    }

    private struct Closing {
        var options: DestroyOptions
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// An instance of its own on the given adapters. Nothing runs before `initialize`.
    public nonisolated init(adapters: Adapters) { self.adapters = adapters }

    // MARK: - Life

    /// Starts the instance: judges the licence, loads or makes the identity, joins the network.
    ///
    /// - Throws: `RevueInitError`; nothing runs then. A second call while running or closing throws `.waitingForDestroy`
    ///   and leaves the running instance as it is.
    public func initialize(_ config: Configuration) throws {
        guard case .idle = phase else { throw RevueInitError.waitingForDestroy }
        let running = try InstanceStart(config: config, adapters: adapters).run(for: self)
        phase = .running(running)
        friends.driver = running.driver
        room.driver = running.driver
        let (address, profile) = running.driver.read { ($0.address, $0.profile) }
        room.localParticipant = LocalParticipant(
            peer: address.peer, profile: profile, driver: running.driver, revue: self)
        connectionState = SelfConnectionStatus(running.driver.read { $0.selfReachability })
        running.driver.saver.saveSoon()
    }

    /// Ends every call, leaves the network, removes all delegates, then deletes what `options` name.
    ///
    /// The end and disconnect events are delivered before the delegates go. Without a running instance only the deletion
    /// happens. Calls at the same time share one run and delete what any of them asks for.
    public func destroy(_ options: DestroyOptions = .default) async {
        switch phase {
        case .idle: delete(options, fileName: nil)
        case .closing(var closing):
            closing.options = closing.options.union(options)
            await withCheckedContinuation { continuation in
                closing.waiting.append(continuation)
                phase = .closing(closing)
            }
        case .running(let running):
            phase = .closing(Closing(options: options))
            await close(running)
        }
    }

    private func close(_ running: Running) async {
        await running.driver.close()
        running.driver.outbox.drain()
        // Before the transport stops: after that it has no savedata to give.
        running.driver.saver.close()
        running.driver.transport.stop()
        running.driver.outbox.drain()
        adapters.identityStore.unlock(running.fileName)
        friends.driver = nil
        room.driver = nil
        room.localParticipant = nil
        room.delegates.removeAll()
        delegates.removeAll()
        room.feed.finish()
        feed.finish()
        logFollower.feed.finish()
        connectionState = .offline
        guard case .closing(let closing) = phase else { return }
        delete(closing.options, fileName: running.fileName)
        phase = .idle
        for continuation in closing.waiting { continuation.resume() }
    }

    private func delete(_ options: DestroyOptions, fileName: String?) {
        guard options.deleteSavedata, let fileName else { return }
        do {
            try adapters.identityStore.delete(fileName)
        } catch {
            Log(scheduler: adapters.scheduler).error("storage", "The identity could not be deleted: \(error).")
        }
    }

    private var driver: SessionDriver? {
        if case .running(let running) = phase { running.driver } else { nil }
    }

    // MARK: - Events

    /// What happens to friends, requests, invitations and the own connection from now on, in the order in which the
    /// delegates hear of it. Any thread; any number of loops at once. Ends with `destroy()`.
    public nonisolated var events: EventStream<RevueEvent> { EventStream(feed) }

    /// Log lines of the selected levels from now on, as `logPublisher` has them. Ends with `destroy()`. A loop that falls
    /// behind finds a warning in the place of the lines that it missed.
    public nonisolated var logs: EventStream<RevueLogEntry> { EventStream(logFollower.feed) }

    // MARK: - Oneself

    /// The own ID, Base58 of the public key; empty before `initialize`.
    public var revueId: String { driver?.read { $0.address.peer.base58 } ?? "" }
    /// The own address that others add; empty before `initialize`.
    public var revueAddress: String { driver?.read { $0.address.base58 } ?? "" }
    /// The own name.
    public var selfName: String { driver?.read { $0.profile.name } ?? "" }
    /// The own status message.
    public var selfStatusMessage: String { driver?.read { $0.profile.statusMessage } ?? "" }
    /// The own availability.
    public var selfStatus: UserStatus { UserStatus(driver?.read { $0.profile.availability } ?? .available) }

    /// Sets the own name, at most 128 bytes, for all friends.
    ///
    /// - Returns: false when it is too long or nothing runs.
    @discardableResult
    public func setSelfName(_ name: String) -> Bool {
        setProfile { (session) throws(ProfileFailure) in try session.setName(name) }
    }

    /// Sets the own status message, at most 1,007 bytes, for all friends.
    ///
    /// - Returns: false when it is too long or nothing runs.
    @discardableResult
    public func setSelfStatusMessage(_ message: String) -> Bool {
        setProfile { (session) throws(ProfileFailure) in try session.setStatusMessage(message) }
    }

    /// Sets the own availability for all friends.
    ///
    /// - Returns: false when nothing runs.
    @discardableResult
    public func setSelfStatus(_ status: UserStatus) -> Bool {
        setProfile { (session) throws(ProfileFailure) in session.setAvailability(status.availability) }
    }

    private func setProfile(_ command: (inout Session) throws(ProfileFailure) -> [Effect]) -> Bool {
        guard let driver else { return false }
        do {
            try driver.perform { (session, _) throws(ProfileFailure) in try command(&session) }
            return true
        } catch {
            return false
        }
    }

    // MARK: - The SDK

    /// The SDK's version.
    public nonisolated static func getVersion() -> String { "0.1.0" }
    /// The version of the core inside: one package, one version.
    public nonisolated static func getCoreVersion() -> String { "0.1.0" }

    /// Log lines of the selected levels, on main, of the SDK and its network core.
    public nonisolated var logPublisher: AnyPublisher<RevueLogEntry, Never> { LogCenter.shared.publisher }
    /// The levels that are selected now.
    public nonisolated var logLevel: Set<RevueLogLevel> { LogCenter.shared.levels }
    /// Selects levels, for the whole process and at once. A selection, not a threshold; an empty one turns all off.
    public nonisolated func setLogLevel(_ levels: Set<RevueLogLevel>) { LogCenter.shared.levels = levels }
}
