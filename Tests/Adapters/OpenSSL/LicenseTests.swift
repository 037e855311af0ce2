// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueContracts
import RevueOpenSSL
import RevuePorts
import Testing

@Suite struct LicenseTests {
    private static let license = License(holder: "Beispiel GmbH ✓", notBefore: -5, notAfter: .max)
    private static let issuer = Result { try LicenseIssuer(privateKey: Array(1...32)) }

    static let contract = Result {
        let issuer = try LicenseTests.issuer.get()
        let file = try issuer.issue(license)
        return LicenseVerifierContract(genuine: file, says: license) {
            Ed25519LicenseVerifier(publicKey: issuer.publicKey)
        }
    }
    @Test(arguments: try contract.get().promises)
    func `the Ed25519 verifier`(keeps promise: Promise) async throws { try await promise.check() }

    @Test func `a licence of another issuer is not genuine`() throws {
        let file = try LicenseIssuer.generate().issue(LicenseTests.license)
        #expect(throws: LicenseError.invalidSignature) { try Ed25519LicenseVerifier().verify(file) }
        #expect(throws: LicenseError.invalidSignature) { try Ed25519LicenseVerifier(publicKey: [1, 2]).verify(file) }
    }

    @Test func `new keys differ, and what they sign is genuine under their public key alone`() throws {
        let (one, other) = (try LicenseIssuer.generate(), try LicenseIssuer.generate())
        #expect(one.privateKey != other.privateKey)
        let file = try one.issue(LicenseTests.license)
        #expect(try Ed25519LicenseVerifier(publicKey: one.publicKey).verify(file) == LicenseTests.license)
        #expect(throws: LicenseError.invalidSignature) {
            try Ed25519LicenseVerifier(publicKey: other.publicKey).verify(file)
        }
    }

    @Test func `the signature is RFC 8032's`() throws {
        // RFC 8032 §7.1, test 1: the public key of this secret key.
        let secret = hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
        let known = hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        #expect(try LicenseIssuer(privateKey: secret).publicKey == known)
    }

    @Test(arguments: [0, 257]) func `a holder of no bytes or too many is not issued`(count: Int) throws {
        let license = License(holder: String(repeating: "h", count: count), notBefore: 0, notAfter: 1)
        #expect(throws: LicenseIssuerError.self) { try LicenseTests.issuer.get().issue(license) }
    }

    @Test func `a licence that ends before it begins is not issued`() throws {
        let license = License(holder: "h", notBefore: 10, notAfter: 10)
        #expect(throws: LicenseIssuerError.self) { try LicenseTests.issuer.get().issue(license) }
    }

    @Test(arguments: [0, 31, 33, 64]) func `a private key has 32 bytes`(count: Int) {
        #expect(throws: LicenseIssuerError.invalidKey) {
            try LicenseIssuer(privateKey: [UInt8](repeating: 7, count: count))
        }
        #expect(throws: LicenseIssuerError.invalidKey) { try LicenseIssuer(pem: "no key") }
    }

    @Test func `the development licence is genuine, long valid, and can be issued again byte for byte`() throws {
        let fixtures = URL(filePath: #filePath).appending(path: "../../../../Fixtures").standardized
        let file = Array(try Data(contentsOf: fixtures.appending(path: "development.lic")))
        let license = try Ed25519LicenseVerifier().verify(file)
        #expect(license == License(holder: "RevueSDK development", notBefore: 1_767_225_600, notAfter: 4_102_444_800))
        let pem = try String(contentsOf: fixtures.appending(path: "development-licence-key.pem"), encoding: .utf8)
        let issuer = try LicenseIssuer(pem: pem)
        #expect(issuer.publicKey == Ed25519LicenseVerifier.developmentPublicKey)
        #expect(try issuer.issue(license) == file)
    }

    private func hex(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.count, by: 2).compactMap { offset in
            UInt8(text.dropFirst(offset).prefix(2), radix: 16)
        }
    }
}
