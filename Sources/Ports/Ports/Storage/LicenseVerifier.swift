// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Decides whether a licence file is genuine, and what it says.
public protocol LicenseVerifier: Sendable {
    /// Verifies signature and structure. Does not judge the dates.
    func verify(_ license: [UInt8]) throws(LicenseError) -> License
}

/// What a licence says. Times are seconds since 1970.
public struct License: Sendable, Hashable {
    /// Whom it was issued to.
    public var holder: String
    /// Not valid before.
    public var notBefore: Int64
    /// Not valid from here on.
    public var notAfter: Int64
    /// A licence.
    public init(holder: String, notBefore: Int64, notAfter: Int64) {
        self.holder = holder
        self.notBefore = notBefore
        self.notAfter = notAfter
    }
}

/// Why a licence does not count.
public enum LicenseError: Error, Sendable, Hashable {
    /// No bytes at all.
    case missing
    /// Not a licence file.
    case malformed(reason: String)
    /// The signature does not fit.
    case invalidSignature
    /// Genuine, but over.
    case expired
}
