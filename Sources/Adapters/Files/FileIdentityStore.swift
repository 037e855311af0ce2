// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Glibc
public import RevuePorts

/// Keeps savedata in a directory of the file system, two generations of each name.
///
/// A name is a directory with two slots. A save writes a new file beside them, syncs it, renames it over the slot that
/// is older or damaged, and syncs the directory: whatever interrupts it, the newest whole generation stays. The lock is
/// `flock`'s, which the kernel releases when the process ends, however it ends.
public final class FileIdentityStore: IdentityStore {
    /// `$XDG_DATA_HOME/RevueSDK`, or `~/.local/share/RevueSDK` when the variable is unset or not absolute.
    public static var defaultDirectory: String {
        if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/RevueSDK" }
        return (environment("HOME") ?? "/") + "/.local/share/RevueSDK"
    }

    /// Where everything is kept.
    public let directory: String
    private let locks = Locked<[String: FileHandle]>([:])

    /// A store in this directory, which is made when something is first saved or locked.
    public init(directory: String = defaultDirectory) { self.directory = directory }

    /// The newest whole generation.
    public func load(_ name: String) throws(IdentityStoreError) -> [UInt8]? {
        try check(name)
        guard let folder = try open(name) else { return nil }
        let slots = try read(folder)
        guard let newest = newest(of: slots) else {
            guard slots.allSatisfy(\.isEmpty) else { throw .damaged(name: name) }
            return nil
        }
        return newest.data
    }

    /// Saves a generation, and keeps the one before.
    public func save(_ data: [UInt8], as name: String) throws(IdentityStoreError) {
        try check(name)
        let folder = try make(name)
        try folder.lockExclusively()  // one writer at a time, whoever it is
        let slots = try read(folder)
        let newest = newest(of: slots)
        guard newest != nil || slots.allSatisfy(\.isEmpty) else { throw .damaged(name: name) }
        let generation = (newest?.generation ?? 0) &+ 1
        let slot = newest?.slot == 0 ? 1 : 0
        guard let bytes = SavedGeneration.bytes(of: data, generation: generation) else {
            throw .failed(reason: "libcrypto gave no hash")
        }
        try folder.replace(FileIdentityStore.slots[slot], with: bytes)
    }

    /// Removes both generations.
    public func delete(_ name: String) throws(IdentityStoreError) {
        try check(name)
        guard let folder = try open(name) else { return }
        try folder.lockExclusively()
        for slot in FileIdentityStore.slots { try folder.remove(slot) }
        try folder.sync()
    }

    /// Claims the name; a second claim by the same store changes nothing.
    public func lock(_ name: String) throws(IdentityStoreError) {
        try check(name)
        try locks.withLock { locks throws(IdentityStoreError) in
            guard locks[name] == nil else { return }
            let file = try make(name).openFile("lock", O_RDWR | O_CREAT)
            guard try file.tryToLock() else { throw .inUse(name: name) }
            locks[name] = file
        }
    }

    /// Gives the name back.
    public func unlock(_ name: String) { locks.withLock { _ = $0.removeValue(forKey: name) } }

    // MARK: Slots

    private static let slots = ["a", "b"]

    private enum Slot {
        case empty
        case whole(SavedGeneration)
        case damaged

        var isEmpty: Bool { if case .empty = self { true } else { false } }
    }

    private func read(_ folder: Folder) throws(IdentityStoreError) -> [Slot] {
        var result: [Slot] = []
        for slot in FileIdentityStore.slots {
            guard let bytes = try folder.contents(of: slot) else {
                result.append(.empty)
                continue
            }
            result.append(SavedGeneration(bytes).map { .whole($0) } ?? .damaged)
        }
        return result
    }

    private func newest(of slots: [Slot]) -> (slot: Int, generation: UInt64, data: [UInt8])? {
        var newest: (slot: Int, generation: UInt64, data: [UInt8])?
        for (index, slot) in slots.enumerated() {
            guard case .whole(let saved) = slot, saved.generation >= newest?.generation ?? 0 else { continue }
            newest = (index, saved.generation, saved.data)
        }
        return newest
    }

    // MARK: Names

    private func check(_ name: String) throws(IdentityStoreError) {
        let isPlain = !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 200
        guard isPlain, !name.utf8.contains(where: { $0 == 0x2F || $0 == 0 }) else { throw .invalidName(name) }
    }

    private func open(_ name: String) throws(IdentityStoreError) -> Folder? {
        try Folder.open(directory + "/" + name)
    }

    private func make(_ name: String) throws(IdentityStoreError) -> Folder {
        try Folder.make(directory, name)
    }
}

private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
