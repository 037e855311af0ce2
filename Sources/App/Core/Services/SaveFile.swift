// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// The save file of one instance: what the identity store keeps under its name, encrypted when there is a password.
///
/// A plain file is taken over when a password is given, and both of its generations are written anew, encrypted, with the
/// next save. The other way round nothing is taken over: a sealed file needs its password.
final class SaveFile: Sendable {
    /// A cipher and what it is used with.
    struct Seal: Sendable {
        let cipher: any SavedataCipher
        let password: String
    }

    let name: String
    private let store: any IdentityStore
    private let seal: Seal?
    /// Whether the store holds generations that should have been encrypted.
    private let holdsPlain = Locked(false)

    init(name: String, store: any IdentityStore, seal: Seal?) {
        self.name = name
        self.store = store
        self.seal = seal
    }

    /// What was saved last; nil when nothing ever was.
    ///
    /// - Parameter knows: the cipher that can tell a sealed file when no password is given.
    func load(knows cipher: (any SavedataCipher)?) throws(RevueInitError) -> SavedInstance? {
        let stored: [UInt8]?
        do throws(IdentityStoreError) {
            stored = try store.load(name)
        } catch {
            throw RevueInitError(error)
        }
        guard let stored else { return nil }
        guard let saved = SavedInstance(decoding: try opened(stored, cipher)) else {
            throw .initFailed(code: ErrorCode.storageFailed)
        }
        return saved
    }

    private func opened(_ stored: [UInt8], _ cipher: (any SavedataCipher)?) throws(RevueInitError) -> [UInt8] {
        guard let seal else {
            if cipher?.isSealed(stored) == true { throw .initFailed(code: ErrorCode.passwordMissing) }
            return stored
        }
        do throws(CipherError) {
            return try seal.cipher.open(stored, password: seal.password)
        } catch {
            switch error {
            case .notEncrypted:
                holdsPlain.withLock { $0 = true }
                return stored
            case .emptyPassword: throw .invalidConfiguration
            case .wrongPasswordOrDamaged: throw .initFailed(code: ErrorCode.wrongPassword)
            case .failed: throw .initFailed(code: ErrorCode.storageFailed)
            }
        }
    }

    /// Saves a new generation; the one before stays, except that it, too, is replaced while it is plain.
    func save(_ bytes: [UInt8]) throws {
        guard let seal else { return try store.save(bytes, as: name) }
        let rounds = holdsPlain.withLock { $0 } ? 2 : 1
        for _ in 0..<rounds { try store.save(try seal.cipher.seal(bytes, password: seal.password), as: name) }
        holdsPlain.withLock { $0 = false }
    }
}
