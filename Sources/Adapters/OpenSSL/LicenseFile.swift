// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// A licence as bytes: `RVLC`, format, then fields of a tag (1 byte), a length (2 bytes) and a value, in the order of
/// their tags, the signature last. `docs/licence.md` has the table.
struct LicenseFile {
    static let magic: [UInt8] = Array("RVLC".utf8)
    static let format: UInt8 = 1
    static let signatureBytes = 64
    static let holderBytes = 1...256

    private enum Tag {
        static let holder: UInt8 = 1
        static let notBefore: UInt8 = 2
        static let notAfter: UInt8 = 3
        static let signature: UInt8 = 0xFF
    }

    let license: License
    /// What the signature is over: everything before its field.
    let signed: [UInt8]
    let signature: [UInt8]

    /// What is signed of a licence.
    static func body(of license: License) -> [UInt8] {
        magic + [format] + field(Tag.holder, Array(license.holder.utf8)) + field(Tag.notBefore, license.notBefore)
            + field(Tag.notAfter, license.notAfter)
    }

    /// The whole file.
    static func file(body: [UInt8], signature: [UInt8]) -> [UInt8] { body + field(Tag.signature, signature) }

    /// Takes a file apart without believing any of it.
    init(_ bytes: [UInt8]) throws(LicenseError) {
        guard !bytes.isEmpty else { throw .missing }
        guard bytes.starts(with: LicenseFile.magic), bytes.count > LicenseFile.magic.count else {
            throw .malformed(reason: "not a licence file")
        }
        guard bytes[LicenseFile.magic.count] == LicenseFile.format else {
            throw .malformed(reason: "unknown format \(bytes[LicenseFile.magic.count])")
        }
        var rest = bytes[(LicenseFile.magic.count + 1)...]
        var fields: [UInt8: ArraySlice<UInt8>] = [:]
        var (last, signedBytes) = (UInt8(0), 0)
        while !rest.isEmpty {
            guard rest.count >= 3 else { throw .malformed(reason: "cut within a field") }
            let start = rest.startIndex
            let (tag, length) = (rest[start], Int(rest[start + 1]) << 8 | Int(rest[start + 2]))
            guard tag > last else { throw .malformed(reason: "field \(tag) after field \(last)") }
            guard rest.count - 3 >= length else { throw .malformed(reason: "field \(tag) is cut") }
            (last, signedBytes) = (tag, start)
            fields[tag] = rest[(start + 3)..<(start + 3 + length)]
            rest = rest[(start + 3 + length)...]
        }
        guard let holder = fields[Tag.holder], LicenseFile.holderBytes.contains(holder.count),
            let name = String(validating: holder, as: UTF8.self)
        else { throw .malformed(reason: "no holder") }
        guard let notBefore = LicenseFile.time(fields[Tag.notBefore]),
            let notAfter = LicenseFile.time(fields[Tag.notAfter])
        else { throw .malformed(reason: "no dates") }
        guard let signature = fields[Tag.signature], signature.count == LicenseFile.signatureBytes else {
            throw .malformed(reason: "no signature")
        }
        license = License(holder: name, notBefore: notBefore, notAfter: notAfter)
        signed = Array(bytes[..<signedBytes])
        self.signature = Array(signature)
    }

    private static func time(_ value: ArraySlice<UInt8>?) -> Int64? {
        guard let value, value.count == 8 else { return nil }
        return Int64(bitPattern: value.reduce(0) { $0 << 8 | UInt64($1) })
    }

    private static func field(_ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
        [tag, UInt8(truncatingIfNeeded: value.count >> 8), UInt8(truncatingIfNeeded: value.count)] + value
    }

    private static func field(_ tag: UInt8, _ value: Int64) -> [UInt8] {
        let bits = UInt64(bitPattern: value)
        return field(tag, (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) })
    }
}
