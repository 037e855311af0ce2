// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import COpenSSL
public import RevuePorts

/// Issues licences: holds an Ed25519 private key.
public struct LicenseIssuer: Sendable {
    /// 32 bytes that stay with the issuer.
    public let privateKey: [UInt8]
    /// 32 bytes that verifiers are given.
    public let publicKey: [UInt8]

    /// The issuer with this private key of 32 bytes.
    ///
    /// - Throws: `LicenseIssuerError.invalidKey` for anything else.
    public init(privateKey: [UInt8]) throws(LicenseIssuerError) {
        guard let key = SigningKey.signing(privateKey) else { throw .invalidKey }
        try self.init(key)
    }

    /// The issuer with this private key in PEM (PKCS #8), as `openssl genpkey -algorithm ed25519` writes it.
    ///
    /// - Throws: `LicenseIssuerError.invalidKey` when it is no such key, or has a password.
    public init(pem: String) throws(LicenseIssuerError) {
        guard let key = SigningKey.signing(pem: pem) else { throw .invalidKey }
        try self.init(key)
    }

    private init(_ key: SigningKey) throws(LicenseIssuerError) {
        guard let privateKey = key.privateBytes, let publicKey = key.publicBytes else { throw .invalidKey }
        self.privateKey = privateKey
        self.publicKey = publicKey
    }

    /// An issuer with a new key from the system's randomness.
    ///
    /// - Throws: `LicenseIssuerError.noRandomness` when there is none.
    public static func generate() throws(LicenseIssuerError) -> LicenseIssuer {
        var bytes = [UInt8](repeating: 0, count: SigningKey.byteCount)
        guard RAND_priv_bytes(&bytes, Int32(bytes.count)) == 1 else { throw .noRandomness }
        return try LicenseIssuer(privateKey: bytes)
    }

    /// The licence file. The same licence gives the same bytes.
    ///
    /// - Throws: `LicenseIssuerError.invalidLicense` unless the holder has 1…256 bytes and the licence ends after it
    ///   begins.
    public func issue(_ license: License) throws(LicenseIssuerError) -> [UInt8] {
        guard LicenseFile.holderBytes.contains(license.holder.utf8.count) else {
            throw .invalidLicense(reason: "the holder must have 1…256 bytes")
        }
        guard license.notBefore < license.notAfter else {
            throw .invalidLicense(reason: "it must end after it begins")
        }
        let body = LicenseFile.body(of: license)
        guard let signature = SigningKey.signing(privateKey)?.sign(body) else { throw .invalidKey }
        return LicenseFile.file(body: body, signature: signature)
    }
}

/// Why a licence was not issued.
public enum LicenseIssuerError: Error, Sendable, Hashable {
    /// Not an Ed25519 private key.
    case invalidKey
    /// The system gave no random bytes.
    case noRandomness
    /// The licence makes no sense.
    case invalidLicense(reason: String)
}
