// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueContracts
import RevuePorts
import Testing

@testable import RevueOpenSSL

struct ScryptCipherTests {
    /// Every flipped bit of the salt costs a derivation: the cheapest cost that files may have.
    static let contract = SavedataCipherContract { ScryptCipher(cost: ScryptCipher.Cost(exponent: 10)) }

    @Test(arguments: contract.promises)
    func `scrypt and AES-GCM`(keeps promise: Promise) async throws { try await promise.check() }

    @Test func `the default cost is that of the documentation, and its files open`() throws {
        let cipher = ScryptCipher()
        let sealed = try cipher.seal([1, 2, 3], password: "pass")
        #expect(Array(sealed[4..<8]) == [1, 15, 8, 1])
        #expect(try ScryptCipher().open(sealed, password: "pass") == [1, 2, 3])
        // A file that was made with another cost opens too.
        let cheap = try ScryptCipher(cost: ScryptCipher.Cost(exponent: 10)).seal([4], password: "pass")
        #expect(try cipher.open(cheap, password: "pass") == [4])
    }

    @Test func `a session's saves share the key and never the nonce`() throws {
        let cipher = ScryptCipher(cost: ScryptCipher.Cost(exponent: 10))
        let first = try cipher.seal([1], password: "pass")
        let sealed = try (0..<200).map { _ in try cipher.seal([1], password: "pass") }
        #expect(sealed.allSatisfy { $0[8..<24] == first[8..<24] })
        #expect(Set(sealed.map { Array($0[24..<36]) }).count == 200)
        // What was opened keeps its salt, so that the next save needs no second derivation.
        let again = ScryptCipher(cost: ScryptCipher.Cost(exponent: 10))
        _ = try again.open(first, password: "pass")
        #expect(try again.seal([2], password: "pass")[8..<24] == first[8..<24])
        #expect(try again.seal([2], password: "other")[8..<24] != first[8..<24])
    }

    @Test(arguments: [0, 9, 18, 31, 63, 255] as [UInt8])
    func `a file cannot ask for more work or memory than we would ever use`(exponent: UInt8) throws {
        var sealed = try ScryptCipher(cost: ScryptCipher.Cost(exponent: 10)).seal([1], password: "pass")
        sealed[5] = exponent
        #expect(throws: CipherError.wrongPasswordOrDamaged) { try ScryptCipher().open(sealed, password: "pass") }
    }

    @Test func `AES-GCM gives the values of its specification`() {
        // McGrew and Viega, "The Galois/Counter Mode of Operation", test case 14: all zeros.
        let zeros = [UInt8](repeating: 0, count: 32)
        let sealed = AESGCM.sealed(
            Array(zeros.prefix(16)), key: zeros, nonce: Array(zeros.prefix(12)), header: [])
        #expect(
            sealed == [
                0xCE, 0xA7, 0x40, 0x3D, 0x4D, 0x60, 0x6B, 0x6E, 0x07, 0x4E, 0xC5, 0xD3, 0xBA, 0xF3, 0x9D, 0x18,
                0xD0, 0xD1, 0xC8, 0xA7, 0x99, 0x99, 0x6B, 0xF0, 0x26, 0x5B, 0x98, 0xB5, 0xD4, 0x8A, 0xB9, 0x19,
            ])
    }
}
