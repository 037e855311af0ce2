// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// What every licence verifier promises.
///
/// ```swift
/// LicenseVerifierContract(genuine: file, says: license) { MyVerifier(publicKey: key) }.promises
/// ```
public struct LicenseVerifierContract: Contract {
    private let genuine: [UInt8]
    private let license: License
    private let make: @Sendable () -> any LicenseVerifier

    /// The contract of the verifiers that `make` gives, which must find `genuine` to say `license`.
    public init(genuine: [UInt8], says license: License, make: @escaping @Sendable () -> any LicenseVerifier) {
        self.genuine = genuine
        self.license = license
        self.make = make
    }

    /// All promises.
    public var promises: [Promise] {
        [
            Promise("a genuine licence says what was put into it") { [self] in
                let seen = try make().verify(genuine)
                try expect(seen == license, "\(seen)")
            },
            Promise("no bytes are a missing licence") { [self] in
                let verifier = make()
                try expectError("no bytes") { () throws(LicenseError) in
                    try verifier.verify([])
                } where: {
                    $0 == .missing
                }
            },
            Promise("a licence cut anywhere is malformed or unsigned") { [self] in
                let verifier = make()
                for length in 1..<genuine.count {
                    try refuse(Array(genuine.prefix(length)), "the first \(length) bytes", verifier)
                }
            },
            Promise("a licence with any bit changed is malformed or unsigned") { [self] in
                let verifier = make()
                for bit in 0..<(genuine.count * 8) {
                    var changed = genuine
                    changed[bit / 8] ^= 1 << UInt8(bit % 8)
                    try refuse(changed, "bit \(bit)", verifier)
                }
            },
            Promise("bytes behind a licence are not ignored") { [self] in
                try refuse(genuine + [0], "a byte more", make())
            },
        ]
    }

    private func refuse(_ bytes: [UInt8], _ what: String, _ verifier: any LicenseVerifier) throws(Unkept) {
        try expectError(what) { () throws(LicenseError) in
            try verifier.verify(bytes)
        } where: {
            switch $0 {
            case .malformed, .invalidSignature: true
            case .missing, .expired: false
            }
        }
    }
}
