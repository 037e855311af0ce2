// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts
import RevueTime

/// A cipher that keeps nothing secret, quickly: for tests alone.
///
/// `fake-seal`, a number, a checksum over password and rest, then the content under a key stream that follows from
/// password and number.
public final class FakeSavedataCipher: SavedataCipher {
    private static let magic = Array("fake-seal".utf8)
    private let number = Locked<UInt64>(0)

    /// A cipher.
    public init() {}

    /// The bytes, merely disguised.
    public func seal(_ bytes: [UInt8], password: String) throws(CipherError) -> [UInt8] {
        guard !password.isEmpty else { throw .emptyPassword }
        let number = number.withLock { number in
            number += 1
            return number
        }
        let body = Self.masked(bytes, password, number)
        return Self.magic + Self.bytes(number) + Self.bytes(Self.checksum(password, number, body)) + body
    }

    /// What was sealed.
    public func open(_ sealed: [UInt8], password: String) throws(CipherError) -> [UInt8] {
        guard !password.isEmpty else { throw .emptyPassword }
        guard isSealed(sealed) else { throw .notEncrypted }
        let rest = sealed.dropFirst(Self.magic.count)
        guard rest.count >= 16 else { throw .wrongPasswordOrDamaged }
        let number = rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        let checksum = rest.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        let body = Array(rest.dropFirst(16))
        guard checksum == Self.checksum(password, number, body) else { throw .wrongPasswordOrDamaged }
        return Self.masked(body, password, number)
    }

    /// Whether the bytes start as sealed ones do.
    public func isSealed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Self.magic) }

    private static func checksum(_ password: String, _ number: UInt64, _ body: [UInt8]) -> UInt64 {
        fnv1a(Array(password.utf8) + bytes(number) + body)
    }

    private static func masked(_ bytes: [UInt8], _ password: String, _ number: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: fnv1a(password.utf8) ^ number)
        return bytes.map { $0 ^ UInt8.random(in: 0...255, using: &generator) }
    }

    private static func bytes(_ value: UInt64) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
}
