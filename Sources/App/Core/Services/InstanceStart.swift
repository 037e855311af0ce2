// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain
import RevuePorts
import RevueTime

/// One `initialize`: everything that can refuse refuses before anything runs.
@MainActor struct InstanceStart {
    let config: Revue.Configuration
    let adapters: Adapters

    func run(for revue: Revue) throws(RevueInitError) -> Revue.Running {
        try config.validate()
        let fileName = config.savedataFileName ?? "revue.bin"
        try judgeLicense(fileName)
        let file = SaveFile(name: fileName, store: adapters.identityStore, seal: try seal())
        let saved = try load(file)
        do throws(RevueInitError) {
            return try start(revue, file, saved)
        } catch {
            adapters.identityStore.unlock(fileName)
            throw error
        }
    }

    // MARK: - Licence

    private func judgeLicense(_ fileName: String) throws(RevueInitError) {
        let highWaterName = fileName + ".rklic_hwm"
        let now = adapters.scheduler.wallClockNanoseconds / 1_000_000_000
        let highWater = (try? adapters.identityStore.load(highWaterName)).flatMap { $0 }.map(Self.seconds) ?? 0
        do throws(LicenseError) {
            let license = try adapters.licenseVerifier.verify(Array(config.licenseData ?? Data()))
            try license.check(now: now, highWater: highWater)
        } catch {
            throw RevueInitError(error)
        }
        if now > highWater {
            // Losing the mark only means that a clock turned back is noticed later.
            try? adapters.identityStore.save(Self.bytes(now), as: highWaterName)
        }
    }

    private static func seconds(_ bytes: [UInt8]) -> Int64 { bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) } }
    private static func bytes(_ seconds: Int64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: seconds >> Int64($0)) }
    }

    // MARK: - Identity

    private func seal() throws(RevueInitError) -> SaveFile.Seal? {
        guard let password = config.savedataPassword else { return nil }
        guard let cipher = adapters.savedataCipher else { throw .invalidConfiguration }
        return SaveFile.Seal(cipher: cipher, password: password)
    }

    private func load(_ file: SaveFile) throws(RevueInitError) -> SavedInstance? {
        do throws(IdentityStoreError) {
            try adapters.identityStore.lock(file.name)
        } catch {
            throw RevueInitError(error)
        }
        do throws(RevueInitError) {
            return try file.load(knows: adapters.savedataCipher)
        } catch {
            adapters.identityStore.unlock(file.name)
            throw error
        }
    }

    // MARK: - Start

    /// What cannot be read is an error: requests that were kept must not vanish without a word.
    private func storedState(in saved: SavedInstance?) throws(RevueInitError) -> StoredState {
        guard let saved else { return StoredState() }
        guard let stored = StoredState(decoding: saved.session) else {
            throw .initFailed(code: ErrorCode.storageFailed)
        }
        return stored
    }

    private func start(
        _ revue: Revue, _ file: SaveFile, _ saved: SavedInstance?
    ) throws(RevueInitError) -> Revue.Running {
        let stored = try storedState(in: saved)
        let transport = adapters.makeTransport()
        let relay = TransportRelay()
        let state: TransportState
        do throws(TransportError) {
            state = try transport.start(config.transport, savedata: saved?.transport, delegate: relay)
        } catch {
            throw RevueInitError(error)
        }
        let session = Session(
            Session.Start(
                address: state.address, profile: state.profile,
                friends: state.friends.map { FriendRecord(peer: $0.peer, profile: $0.profile) },
                stored: stored,
                limits: Session.Limits(
                    requestBytes: transport.limits.requestBytes, textBytes: transport.limits.textBytes,
                    datagramBytes: transport.limits.datagramBytes),
                seed: adapters.scheduler.randomSeed()))
        let projection = Projection(revue: revue, room: revue.room)
        let outbox = MainOutbox(main: adapters.scheduler.main) { [weak projection] in projection?.steps(for: $0) ?? [] }
        let logger = Log(scheduler: adapters.scheduler)
        let log: @Sendable (LogLine) -> Void = { logger.write($0) }
        for sentence in config.withoutEffect { logger.warning("configuration", sentence) }
        let holder = DriverHolder()
        let saver = InstanceSaver(
            file: file, scheduler: adapters.scheduler, log: log
        ) {
            holder.driver?.snapshot()
        }
        let driver = SessionDriver(
            session: session, adapters: adapters, transport: transport, saver: saver, outbox: outbox, log: log)
        holder.driver = driver
        projection.driver = driver
        relay.forward(to: driver)
        return Revue.Running(driver: driver, projection: projection, fileName: file.name)
    }
}

/// Breaks the circle between an instance and what saves it.
private final class DriverHolder: Sendable {
    private struct Box: Sendable {
        weak var driver: SessionDriver?
    }
    private let box = Locked(Box())
    var driver: SessionDriver? {
        get { box.withLock { $0.driver } }
        set { box.withLock { $0.driver = newValue } }
    }
}

/// Stands between a transport that already runs and a driver that is still being made: keeps events, in order, until then.
private final class TransportRelay: TransportDelegate {
    private struct State {
        var early: [TransportEvent] = []
        weak var driver: SessionDriver?
        var isForwarding = false
    }

    private let state = Locked(State())

    func forward(to driver: SessionDriver) {
        state.withLock { state in
            for event in state.early { driver.transport(didReport: event) }
            state.early = []
            state.driver = driver
            state.isForwarding = true
        }
    }

    func transport(didReport event: TransportEvent) {
        let driver = state.withLock { state -> SessionDriver? in
            if !state.isForwarding { state.early.append(event) }
            return state.driver
        }
        driver?.transport(didReport: event)
    }

    func transport(didReceive datagram: UnsafeRawBufferPointer, from peer: PeerID) {
        state.withLock { $0.driver }?.transport(didReceive: datagram, from: peer)
    }

    func transportDidChangeSavedata() { state.withLock { $0.driver }?.transportDidChangeSavedata() }
}
