// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// Identity stores of one imagined disk: each stands for a process.
public final class InMemoryDisk: Sendable {
    struct State {
        /// Generations by name, newest last; nil = damaged.
        var generations: [String: [[UInt8]?]] = [:]
        var owners: [String: ObjectIdentifier] = [:]
        var isFull = false
    }
    let state = Locked(State())

    /// An empty disk.
    public init() {}

    /// Damages the newest generations under a name.
    public func damage(_ name: String, generations count: Int = 1) {
        state.withLock { state in
            guard let stored = state.generations[name] else { return }
            for index in stored.indices.suffix(count) { state.generations[name]?[index] = nil }
        }
    }

    /// Whether writing fails.
    public var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }
}

/// Keeps savedata on an imagined disk. Its locks end with it, as a process's do.
public final class InMemoryIdentityStore: IdentityStore {
    private let disk: InMemoryDisk

    /// A process's view of the disk.
    public init(disk: InMemoryDisk = InMemoryDisk()) { self.disk = disk }

    deinit {
        let me = ObjectIdentifier(self)
        disk.state.withLock { state in state.owners = state.owners.filter { $0.value != me } }
    }

    /// The newest whole generation.
    public func load(_ name: String) throws(IdentityStoreError) -> [UInt8]? {
        try check(name)
        return try disk.state.withLock { state throws(IdentityStoreError) in
            guard let stored = state.generations[name] else { return nil }
            guard let newest = stored.compactMap({ $0 }).last else { throw .damaged(name: name) }
            return newest
        }
    }

    /// Saves, and keeps the generation before.
    public func save(_ data: [UInt8], as name: String) throws(IdentityStoreError) {
        try check(name)
        try disk.state.withLock { state throws(IdentityStoreError) in
            let whole = (state.generations[name] ?? []).filter { $0 != nil }
            guard state.generations[name] == nil || !whole.isEmpty else { throw .damaged(name: name) }
            guard !state.isFull else { throw .failed(reason: "no space left") }
            state.generations[name] = whole.suffix(1) + [data]
        }
    }

    /// Removes all generations.
    public func delete(_ name: String) throws(IdentityStoreError) {
        try check(name)
        disk.state.withLock { _ = $0.generations.removeValue(forKey: name) }
    }

    /// Claims the name.
    public func lock(_ name: String) throws(IdentityStoreError) {
        try check(name)
        let me = ObjectIdentifier(self)
        try disk.state.withLock { state throws(IdentityStoreError) in
            guard state.owners[name] == nil || state.owners[name] == me else { throw .inUse(name: name) }
            state.owners[name] = me
        }
    }

    /// Gives the name back.
    public func unlock(_ name: String) {
        let me = ObjectIdentifier(self)
        disk.state.withLock { if $0.owners[name] == me { $0.owners[name] = nil } }
    }

    private func check(_ name: String) throws(IdentityStoreError) {
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(where: { $0 == 0x2F || $0 == 0 }) else {
            throw .invalidName(name)
        }
    }
}
