// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import COpenSSL

/// An Ed25519 key (RFC 8032) in libcrypto's hands.
final class SigningKey {
    static let byteCount = 32
    private let key: OpaquePointer

    private init?(_ key: OpaquePointer?) {
        guard let key else { return nil }
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// A key that can verify alone; nil unless there are 32 bytes.
    static func verifying(_ bytes: [UInt8]) -> SigningKey? {
        guard bytes.count == byteCount else { return nil }
        return SigningKey(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count))
    }

    /// A key that can sign; nil unless there are 32 bytes.
    static func signing(_ bytes: [UInt8]) -> SigningKey? {
        guard bytes.count == byteCount else { return nil }
        return SigningKey(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, bytes, bytes.count))
    }

    /// A private key in PEM (PKCS #8). One with a password is refused instead of asking a terminal for it.
    static func signing(pem: String) -> SigningKey? {
        // libcrypto reads the bytes where they lie, for as long as the BIO lives.
        let made = Array(pem.utf8).withUnsafeBytes { bytes -> OpaquePointer? in
            guard let count = Int32(exactly: bytes.count), let bio = BIO_new_mem_buf(bytes.baseAddress, count) else {
                return nil
            }
            defer { BIO_free(bio) }
            return PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let key = SigningKey(made), EVP_PKEY_get_id(key.key) == EVP_PKEY_ED25519 else { return nil }
        return key
    }

    var publicBytes: [UInt8]? {
        raw { EVP_PKEY_get_raw_public_key(key, $0, $1) }
    }

    var privateBytes: [UInt8]? {
        raw { EVP_PKEY_get_raw_private_key(key, $0, $1) }
    }

    func sign(_ message: [UInt8]) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: LicenseFile.signatureBytes)
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == signature.count
        else { return nil }
        return signature
    }

    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()  // a wrong signature leaves a line in this thread's queue
        }
        guard EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    private func raw(_ read: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>) -> Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: SigningKey.byteCount)
        var count = bytes.count
        guard read(&bytes, &count) == 1, count == bytes.count else { return nil }
        return bytes
    }
}
