// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// What every savedata cipher promises.
///
/// ```swift
/// SavedataCipherContract { MyCipher() }.promises
/// ```
public struct SavedataCipherContract: Contract {
    private let make: @Sendable () -> any SavedataCipher

    /// The contract of the ciphers that `make` gives; each must open what another one sealed.
    public init(make: @escaping @Sendable () -> any SavedataCipher) { self.make = make }

    private static let plain = Array("an identity, its friends, and all that".utf8)
    private static let password = "Tür 🔑 7"

    /// All promises.
    public var promises: [Promise] { use + abuse }

    private var use: [Promise] {
        [
            Promise("what one cipher sealed another one opens") { [self] in
                for count in [0, 1, 15, 16, 17, 10_000] {
                    let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
                    let sealed = try make().seal(plain, password: Self.password)
                    try expect(try make().open(sealed, password: Self.password) == plain, "\(count) bytes changed")
                }
            },
            Promise("sealing twice gives different bytes, and both open") { [self] in
                let cipher = make()
                let first = try cipher.seal(Self.plain, password: Self.password)
                let second = try cipher.seal(Self.plain, password: Self.password)
                try expect(first != second, "the same bytes twice")
                try expect(try cipher.open(first, password: Self.password) == Self.plain, "the first changed")
                try expect(try cipher.open(second, password: Self.password) == Self.plain, "the second changed")
            },
            Promise("nothing of the content can be read") { [self] in
                let sealed = try make().seal(Self.plain, password: Self.password)
                for start in 0...Self.plain.count - 4 {
                    let piece = Self.plain[start..<start + 4]
                    let isThere = sealed.indices.dropLast(3).contains { sealed[$0..<$0 + 4].elementsEqual(piece) }
                    try expect(!isThere, "bytes \(start)… are there")
                }
            },
            Promise("sealed bytes say that they are, others do not") { [self] in
                let cipher = make()
                try expect(cipher.isSealed(try cipher.seal([], password: "x")), "sealed bytes do not")
                for bytes in [[], [0], Self.plain] { try expect(!cipher.isSealed(bytes), "\(bytes) do") }
            },
        ]
    }

    private var abuse: [Promise] {
        [
            Promise("another password opens nothing") { [self] in
                let sealed = try make().seal(Self.plain, password: Self.password)
                for password in ["x", Self.password + " ", String(Self.password.dropLast())] {
                    try refuse(sealed, "“\(password)”", make(), password) { $0 == .wrongPasswordOrDamaged }
                }
            },
            Promise("an empty password is refused both ways") { [self] in
                let cipher = make()
                try expectError("sealing") { () throws(CipherError) in
                    try cipher.seal(Self.plain, password: "")
                } where: {
                    $0 == .emptyPassword
                }
                let sealed = try cipher.seal(Self.plain, password: Self.password)
                try refuse(sealed, "opening", cipher, "") { $0 == .emptyPassword }
            },
            Promise("what is not sealed is named as such") { [self] in
                for bytes in [[], [1, 2, 3], Self.plain] {
                    try refuse(bytes, "\(bytes.count) bytes", make(), Self.password) { $0 == .notEncrypted }
                }
            },
            Promise("sealed bytes cut anywhere do not open") { [self] in
                let cipher = make()
                let sealed = try cipher.seal(Self.plain, password: Self.password)
                for length in 0..<sealed.count {
                    try refuse(Array(sealed.prefix(length)), "\(length) bytes", cipher, Self.password)
                }
            },
            Promise("sealed bytes with any bit changed do not open") { [self] in
                let cipher = make()
                let sealed = try cipher.seal(Self.plain, password: Self.password)
                for bit in 0..<sealed.count * 8 {
                    var changed = sealed
                    changed[bit / 8] ^= 1 << UInt8(bit % 8)
                    try refuse(changed, "bit \(bit)", cipher, Self.password)
                }
            },
            Promise("bytes behind sealed ones are not ignored") { [self] in
                let sealed = try make().seal(Self.plain, password: Self.password)
                try refuse(sealed + [0], "a byte more", make(), Self.password)
            },
        ]
    }

    private func refuse(
        _ sealed: [UInt8], _ what: String, _ cipher: any SavedataCipher, _ password: String,
        where matches: (CipherError) -> Bool = { $0 == .wrongPasswordOrDamaged || $0 == .notEncrypted }
    ) throws(Unkept) {
        try expectError(
            what, from: { () throws(CipherError) in try cipher.open(sealed, password: password) }, where: matches)
    }
}
