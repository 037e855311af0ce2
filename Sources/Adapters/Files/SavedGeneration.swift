// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import COpenSSL

/// A generation as a file: `RVID`, format, three zeros, length and generation (8 bytes each, big-endian), SHA-256 of all
/// that and the data, then the data.
package struct SavedGeneration {
    private static let magic: [UInt8] = Array("RVID".utf8) + [1, 0, 0, 0]
    private static let hashBytes = 32
    private static let prefixBytes = 24
    private static let headerBytes = prefixBytes + hashBytes

    let generation: UInt64
    let data: [UInt8]

    /// The generation in these bytes; nil unless every one of them is right.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= SavedGeneration.headerBytes, bytes.starts(with: SavedGeneration.magic) else { return nil }
        func number(at offset: Int) -> UInt64 { bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        let data = Array(bytes[SavedGeneration.headerBytes...])
        let prefix = bytes[..<SavedGeneration.prefixBytes]
        let hash = bytes[SavedGeneration.prefixBytes..<SavedGeneration.headerBytes]
        guard number(at: 8) == UInt64(data.count), sha256(prefix + data).map({ $0.elementsEqual(hash) }) == true else {
            return nil
        }
        generation = number(at: 16)
        self.data = data
    }

    /// The file; nil when libcrypto has no memory.
    static func bytes(of data: [UInt8], generation: UInt64) -> [UInt8]? {
        var prefix = magic
        for number in [UInt64(data.count), generation] {
            for shift in stride(from: 56, through: 0, by: -8) {
                prefix.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        return sha256(prefix + data).map { prefix + $0 + data }
    }
}

private func sha256(_ bytes: some Collection<UInt8>) -> [UInt8]? {
    var digest = [UInt8](repeating: 0, count: 32)
    let message = Array(bytes)
    guard EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil) == 1 else { return nil }
    return digest
}
