// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// Verifies licence files that are signed with Ed25519; `docs/licence.md` describes them.
public struct Ed25519LicenseVerifier: LicenseVerifier {
    /// The public part of the development key.
    ///
    /// Its private part lies in the repository, so anyone can issue a licence for it. A product passes a key of its own.
    public static let developmentPublicKey: [UInt8] = [
        0xA2, 0x7B, 0xEF, 0xDF, 0x37, 0x0D, 0x90, 0xD9, 0x52, 0x7F, 0xEF,
        0xB9, 0xF8, 0xD2, 0xB2, 0x67, 0x2B, 0x0B, 0x2F, 0x29, 0xF6, 0xB4,
        0x44, 0x99, 0xF2, 0x87, 0x95, 0x85, 0xD2, 0x00, 0xBE, 0x4B,
    ]

    private let publicKey: [UInt8]

    /// A verifier.
    ///
    /// - Parameter publicKey: 32 bytes; with any other number every signature is invalid.
    public init(publicKey: [UInt8] = developmentPublicKey) { self.publicKey = publicKey }

    /// What the licence says, once its structure and its signature are found to be right. The dates are the caller's.
    public func verify(_ license: [UInt8]) throws(LicenseError) -> License {
        let file = try LicenseFile(license)
        guard let key = SigningKey.verifying(publicKey), key.verifies(file.signature, of: file.signed) else {
            throw .invalidSignature
        }
        return file.license
    }
}
