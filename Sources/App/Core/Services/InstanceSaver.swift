// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// Saves an instance on a lane of its own: soon after a change, several changes at once, and for certain at the end.
final class InstanceSaver: Sendable {
    private struct State {
        var isScheduled = false
        var isClosed = false
        var last: [UInt8] = []
    }

    private let file: SaveFile
    private let scheduler: any Scheduler
    private let lane: any Lane
    private let snapshot: @Sendable () -> SavedInstance?
    private let log: @Sendable (LogLine) -> Void
    private let state = Locked(State())

    /// - Parameter snapshot: what to save now; nil while there is nothing.
    init(
        file: SaveFile, scheduler: any Scheduler,
        log: @escaping @Sendable (LogLine) -> Void, snapshot: @escaping @Sendable () -> SavedInstance?
    ) {
        self.file = file
        self.scheduler = scheduler
        self.log = log
        self.snapshot = snapshot
        lane = scheduler.makeLane("storage")
    }

    /// Saves within a tenth of a second.
    func saveSoon() {
        let mustSchedule = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled && !state.isClosed
        }
        guard mustSchedule else { return }
        _ = lane.schedule(at: scheduler.now + .milliseconds(100)) { [weak self] in self?.save() }
    }

    /// Saves now and not again; returns when it is on disk.
    func close() {
        lane.sync {
            save()
            state.withLock { $0.isClosed = true }
        }
    }

    /// Saves now; runs on the storage lane.
    func save() {
        state.withLock { $0.isScheduled = false }
        guard !state.withLock({ $0.isClosed }), let bytes = snapshot()?.encoded else { return }
        guard state.withLock({ $0.last }) != bytes else { return }
        do {
            try file.save(bytes)
            state.withLock { $0.last = bytes }
        } catch {
            log(LogLine(.error, "storage", "The identity could not be saved: \(error). The last saved one is intact."))
        }
    }
}
