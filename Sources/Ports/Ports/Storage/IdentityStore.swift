// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Keeps savedata by name. Every write is whole or not at all, and the one before it stays until it is.
public protocol IdentityStore: AnyObject, Sendable {
    /// The newest whole generation under this name; nil when nothing was ever saved.
    ///
    /// - Throws: `.damaged` when something is there but no generation of it is whole. It is never overwritten then.
    func load(_ name: String) throws(IdentityStoreError) -> [UInt8]?
    /// Saves a new generation under this name.
    func save(_ data: [UInt8], as name: String) throws(IdentityStoreError)
    /// Removes every generation under this name.
    func delete(_ name: String) throws(IdentityStoreError)
    /// Claims the name for this process until `unlock` or the end of the process.
    func lock(_ name: String) throws(IdentityStoreError)
    /// Gives the name back.
    func unlock(_ name: String)
}

/// Why savedata could not be read or written.
public enum IdentityStoreError: Error, Sendable, Hashable {
    /// A name must be a plain file name: not empty, no `/`, no `..`.
    case invalidName(String)
    /// Something is stored, but it is not whole.
    case damaged(name: String)
    /// Another process uses it.
    case inUse(name: String)
    /// The disk said no.
    case failed(reason: String)
}
