// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueOpenSSL
import RevuePorts
import RevueSDK

func issue(pem: String) throws -> (file: [UInt8], publicKey: [UInt8]) {
    let issuer = try LicenseIssuer(pem: pem)
    let file = try issuer.issue(License(holder: "Example Ltd", notBefore: 1_767_225_600, notAfter: 1_798_761_600))
    return (file, issuer.publicKey)
}

func makeProduct(publicKey: [UInt8]) -> Revue {
    var adapters = Adapters.default
    adapters.licenseVerifier = Ed25519LicenseVerifier(publicKey: publicKey)
    let revue = Revue(adapters: adapters)
    return revue
}
