// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// Licences that anyone can issue: text with a checksum in place of a signature. For tests alone.
///
/// `fake-licence`, holder, not before, not after, checksum, a line each.
public struct FakeLicenseVerifier: LicenseVerifier {
    /// A verifier.
    public init() {}

    /// The file that says this.
    public static func issue(_ license: License) -> [UInt8] {
        let body = "fake-licence\n\(license.holder)\n\(license.notBefore)\n\(license.notAfter)\n"
        return Array((body + String(fnv1a(body.utf8), radix: 16)).utf8)
    }

    /// A licence without an end.
    public static let valid = issue(License(holder: "Test", notBefore: 0, notAfter: .max))

    /// What the file says, when its checksum fits.
    public func verify(_ license: [UInt8]) throws(LicenseError) -> License {
        guard !license.isEmpty else { throw .missing }
        guard let text = String(validating: license, as: UTF8.self) else { throw .malformed(reason: "not text") }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, lines[0] == "fake-licence", let notBefore = Int64(lines[2]),
            let notAfter = Int64(lines[3])
        else { throw .malformed(reason: "not a fake licence") }
        let body = lines.dropLast().map { $0 + "\n" }.joined()
        guard lines[4] == String(fnv1a(body.utf8), radix: 16) else { throw .invalidSignature }
        return License(holder: String(lines[1]), notBefore: notBefore, notAfter: notAfter)
    }
}
