// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Encrypts what an identity store keeps, with a password. May take a tenth of a second and tens of megabytes: keys are
/// made from passwords slowly, so that guessing is slow.
public protocol SavedataCipher: Sendable {
    /// The bytes encrypted and authenticated; the same bytes come out differently each time.
    ///
    /// - Throws: `CipherError.emptyPassword`, or `.failed`.
    func seal(_ bytes: [UInt8], password: String) throws(CipherError) -> [UInt8]

    /// What was sealed with this password, whole and unchanged.
    ///
    /// - Throws: `CipherError`.
    func open(_ sealed: [UInt8], password: String) throws(CipherError) -> [UInt8]

    /// Whether bytes say of themselves that they are sealed. Costs nothing and proves nothing.
    func isSealed(_ bytes: [UInt8]) -> Bool
}

/// Why savedata could not be sealed or opened.
public enum CipherError: Error, Sendable, Hashable {
    /// An empty password protects nothing: give one, or none at all.
    case emptyPassword
    /// Another password sealed it, or something changed it since: the two cannot be told apart.
    case wrongPasswordOrDamaged
    /// It is not sealed.
    case notEncrypted
    /// The library said no: out of memory, most likely.
    case failed(reason: String)
}
