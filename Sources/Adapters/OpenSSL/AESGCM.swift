// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import COpenSSL

/// AES-256 in Galois/counter mode (NIST SP 800-38D) with a 12-byte nonce and a 16-byte tag.
enum AESGCM {
    static let keyBytes = 32
    static let tagBytes = 16

    /// The content encrypted, then the tag over header and content; nil when libcrypto fails.
    static func sealed(_ plain: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]? {
        guard let context = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        var out = [UInt8](repeating: 0, count: plain.count)
        var tag = [UInt8](repeating: 0, count: tagBytes)
        var count: Int32 = 0
        guard EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1,
            EVP_EncryptUpdate(context, nil, &count, header, Int32(header.count)) == 1,
            plain.isEmpty || EVP_EncryptUpdate(context, &out, &count, plain, Int32(plain.count)) == 1,
            EVP_EncryptFinal_ex(context, &tag, &count) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagBytes), &tag) == 1
        else { return nil }
        return out + tag
    }

    /// The content; nil unless key, nonce, header, content and tag all belong together.
    static func opened(_ body: [UInt8], tag: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]? {
        guard let context = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        var out = [UInt8](repeating: 0, count: body.count)
        var rest = [UInt8](repeating: 0, count: tagBytes)
        var expected = tag
        var count: Int32 = 0
        guard EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1,
            EVP_DecryptUpdate(context, nil, &count, header, Int32(header.count)) == 1,
            body.isEmpty || EVP_DecryptUpdate(context, &out, &count, body, Int32(body.count)) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagBytes), &expected) == 1,
            EVP_DecryptFinal_ex(context, &rest, &count) == 1
        else { return nil }
        return out
    }
}
