// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain

/// Our header around toxcore's savedata, which has no checksum of its own.
///
/// A shortened file that toxcore takes for "a new identity", or an identity without its friends, is refused here before
/// toxcore sees it. Layout, integers big-endian:
///
/// `"RVTX" · version (2) · public key (32) · friend count (4) · payload length (4) · CRC-64/XZ of all else (8) · payload`
package struct SavedataEnvelope: Equatable {
    static let version: UInt16 = 1
    static let headerBytes = 54

    var publicKey: PeerID
    var friendCount: Int
    /// What toxcore wrote.
    var payload: [UInt8]

    init(publicKey: PeerID, friendCount: Int, payload: [UInt8]) {
        self.publicKey = publicKey
        self.friendCount = friendCount
        self.payload = payload
    }

    /// Why bytes are no whole envelope.
    package enum Damage: Error, Equatable {
        case tooShort
        case foreign
        case newerVersion(UInt16)
        case wrongLength(expected: Int, found: Int)
        case wrongChecksum

        /// The words for an error message.
        var reason: String {
            switch self {
            case .tooShort: "shorter than its header"
            case .foreign: "not written by this transport"
            case .newerVersion(let version): "format version \(version), this program knows \(SavedataEnvelope.version)"
            case .wrongLength(let expected, let found): "\(found) bytes of content instead of \(expected)"
            case .wrongChecksum: "checksum does not match"
            }
        }
    }

    /// Reads an envelope that is whole to the last bit.
    package init(parsing bytes: [UInt8]) throws(Damage) {
        guard bytes.count >= Self.headerBytes else { throw .tooShort }
        guard Array(bytes[0..<4]) == Self.magic else { throw .foreign }
        let version = UInt16(truncatingIfNeeded: Self.integer(bytes[4..<6]))
        guard version == Self.version else { throw .newerVersion(version) }
        guard let key = PeerID(bytes: bytes[6..<38]) else { throw .tooShort }
        let length = Int(Self.integer(bytes[42..<46]))
        let found = bytes.count - Self.headerBytes
        guard length == found else { throw .wrongLength(expected: length, found: found) }
        var checksum = CRC64()
        checksum.add(bytes[0..<46])
        checksum.add(bytes[Self.headerBytes...])
        guard checksum.value == Self.integer(bytes[46..<54]) else { throw .wrongChecksum }
        publicKey = key
        friendCount = Int(Self.integer(bytes[38..<42]))
        payload = Array(bytes[Self.headerBytes...])
    }

    /// The envelope as bytes.
    var bytes: [UInt8] {
        var result = Self.magic
        result.reserveCapacity(Self.headerBytes + payload.count)
        Self.append(UInt64(Self.version), bytes: 2, to: &result)
        result += publicKey.bytes
        Self.append(UInt64(friendCount), bytes: 4, to: &result)
        Self.append(UInt64(payload.count), bytes: 4, to: &result)
        var checksum = CRC64()
        checksum.add(result[...])
        checksum.add(payload[...])
        Self.append(checksum.value, bytes: 8, to: &result)
        return result + payload
    }

    private static let magic: [UInt8] = [0x52, 0x56, 0x54, 0x58]

    private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func append(_ value: UInt64, bytes: Int, to result: inout [UInt8]) {
        for index in (0..<bytes).reversed() { result.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }
}

/// CRC-64/XZ (ECMA-182 polynomial, reflected): finds every single flipped bit and every burst up to 64 bits.
struct CRC64 {
    private var register = UInt64.max

    var value: UInt64 { ~register }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes {
            register = Self.table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] ^ (register >> 8)
        }
    }

    private static let table: [UInt64] = (0..<256).map { index in
        var value = UInt64(index)
        for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0xC96C_5795_D787_0F42 : value >> 1 }
        return value
    }
}
