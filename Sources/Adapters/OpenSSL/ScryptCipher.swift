// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import COpenSSL
public import RevuePorts

/// Encrypts savedata with AES-256-GCM under a key that scrypt (RFC 7914) makes from the password.
///
/// The default cost, N = 2^15, r = 8, p = 1, takes 32 MiB and about a tenth of a second. A key is derived once for each
/// password and salt and then kept, so that only the first save or load of a session pays. `docs/identity.md` has the
/// format.
public final class ScryptCipher: SavedataCipher {
    private struct Derived {
        var password: String
        var cost: Cost
        var salt: [UInt8]
        var key: [UInt8]
    }

    /// scrypt's N as a power of two; r is 8 and p is 1.
    struct Cost: Hashable {
        var exponent: UInt8
        /// What a file may ask for: at most 128 MiB.
        static let accepted: ClosedRange<UInt8> = 10...17
        static let standard = Cost(exponent: 15)
    }

    private let cost: Cost
    private let derived = Locked<[Derived]>([])
    /// How many keys are kept, for processes with several instances.
    private static let keptKeys = 8

    /// A cipher with the default cost.
    public convenience init() { self.init(cost: .standard) }

    init(cost: Cost) { self.cost = cost }

    /// Encrypts under a fresh nonce; the salt is that of the password's last use in this session, or a fresh one.
    public func seal(_ bytes: [UInt8], password: String) throws(CipherError) -> [UInt8] {
        guard !password.isEmpty else { throw .emptyPassword }
        guard bytes.count <= SealedFile.maximumBytes else { throw .failed(reason: "\(bytes.count) bytes are too many") }
        let used = try keyForSealing(password)
        let nonce = try Self.random(SealedFile.nonceBytes)
        let header = SealedFile.header(cost: used.cost, salt: used.salt, nonce: nonce, count: bytes.count)
        guard let body = AESGCM.sealed(bytes, key: used.key, nonce: nonce, header: header) else {
            throw .failed(reason: "libcrypto could not encrypt")
        }
        return header + body
    }

    /// Decrypts, and throws unless header and content are exactly what was sealed with this password.
    public func open(_ sealed: [UInt8], password: String) throws(CipherError) -> [UInt8] {
        guard !password.isEmpty else { throw .emptyPassword }
        guard isSealed(sealed) else { throw .notEncrypted }
        guard let file = SealedFile(sealed) else { throw .wrongPasswordOrDamaged }
        let known = derived.withLock { keys in
            keys.last { $0.password == password && $0.cost == file.cost && $0.salt == file.salt }
        }
        let used: Derived
        if let known { used = known } else { used = try Self.derive(password, file.cost, file.salt) }
        guard
            let plain = AESGCM.opened(file.body, tag: file.tag, key: used.key, nonce: file.nonce, header: file.header)
        else { throw .wrongPasswordOrDamaged }
        if known == nil { keep(used) }
        return plain
    }

    /// Whether the bytes start as sealed ones do.
    public func isSealed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: SealedFile.magic) }

    /// The key of the password's last use at the own cost, or a new one.
    private func keyForSealing(_ password: String) throws(CipherError) -> Derived {
        let known = derived.withLock { keys in keys.last { $0.password == password && $0.cost == cost } }
        if let known { return known }
        let new = try Self.derive(password, cost, try Self.random(SealedFile.saltBytes))
        keep(new)
        return new
    }

    private func keep(_ new: Derived) {
        derived.withLock { keys in
            keys.append(new)
            if keys.count > Self.keptKeys { keys.removeFirst() }
        }
    }

    private static func derive(
        _ password: String, _ cost: Cost, _ salt: [UInt8]
    ) throws(CipherError) -> Derived {
        var key = [UInt8](repeating: 0, count: AESGCM.keyBytes)
        let text = password.utf8.map { CChar(bitPattern: $0) }
        // 192 MiB bound what libcrypto may allocate; 2^17 needs 128.
        let status = EVP_PBE_scrypt(
            text, text.count, salt, salt.count, 1 << UInt64(cost.exponent), 8, 1, 192 << 20, &key, key.count)
        guard status == 1 else { throw .failed(reason: "scrypt failed: not enough memory?") }
        return Derived(password: password, cost: cost, salt: salt, key: key)
    }

    private static func random(_ count: Int) throws(CipherError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, Int32(count)) == 1 else { throw .failed(reason: "no randomness") }
        return bytes
    }
}

/// A sealed file taken apart: header (magic, version, cost, salt, nonce, length), then content and tag.
package struct SealedFile {
    static let magic = Array("RVSC".utf8)
    static let saltBytes = 16
    static let nonceBytes = 12
    static let maximumBytes = 64 << 20
    private static let version: UInt8 = 1
    private static let headerBytes = 40

    let cost: ScryptCipher.Cost
    let salt: [UInt8]
    let nonce: [UInt8]
    let header: [UInt8]
    let body: [UInt8]
    let tag: [UInt8]

    /// Nil unless the header is one of this version, its cost is one that we would pay, and the length fits.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerBytes + AESGCM.tagBytes, bytes.starts(with: Self.magic),
            bytes[4] == Self.version, ScryptCipher.Cost.accepted.contains(bytes[5]), bytes[6] == 8, bytes[7] == 1
        else { return nil }
        let count = bytes[36..<40].reduce(0) { $0 << 8 | Int($1) }
        guard count == bytes.count - Self.headerBytes - AESGCM.tagBytes else { return nil }
        cost = ScryptCipher.Cost(exponent: bytes[5])
        salt = Array(bytes[8..<24])
        nonce = Array(bytes[24..<36])
        header = Array(bytes[..<Self.headerBytes])
        body = Array(bytes[Self.headerBytes..<Self.headerBytes + count])
        tag = Array(bytes.suffix(AESGCM.tagBytes))
    }

    static func header(cost: ScryptCipher.Cost, salt: [UInt8], nonce: [UInt8], count: Int) -> [UInt8] {
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
        return magic + [version, cost.exponent, 8, 1] + salt + nonce + length
    }
}
