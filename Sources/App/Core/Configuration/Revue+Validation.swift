// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain

extension Revue.Configuration {
    /// The file name that is used when none is given.
    static let defaultSavedataFileName = "revue.bin"

    /// Throws for the first rule that the configuration breaks. Nothing has started then.
    func validate() throws(RevueInitError) {
        guard let licenseData, !licenseData.isEmpty else { throw .licenseMissing }
        guard savedataFileName.map(Self.isPlainFileName) ?? true else { throw .invalidConfiguration }
        // An empty password would look like protection and be none.
        guard savedataPassword?.isEmpty != true else { throw .invalidConfiguration }
        for node in bootstrapNodes { try node.validate() }
        try networkOptions.validate()
        if let mqttOptions, !mqttOptions.deferStart, !mqttOptions.isValid { throw .invalidConfiguration }
    }

    /// What is asked for and not there yet, a sentence each: said in the log rather than silently left out.
    var withoutEffect: [String] {
        var sentences: [String] = []
        if let mqttOptions, !mqttOptions.deferStart, mqttOptions.brokerUrl != nil {
            sentences.append("Presence through a broker is not there yet: mqttOptions has no effect.")
        }
        if networkOptions.switchAEnabled || networkOptions.switchBEnabled {
            sentences.append("Path switching is not there yet: switchAEnabled and switchBEnabled have no effect.")
        }
        if bootstrapNodes.contains(where: { $0.udpRelayPort != nil }) {
            sentences.append("UDP relays are not there yet: udpRelayPort has no effect.")
        }
        return sentences
    }

    /// Not a path, not a folder, short enough for what is written beside it.
    private static func isPlainFileName(_ name: String) -> Bool {
        let bytes = name.utf8
        return !bytes.isEmpty && bytes.count <= 200 && name != "." && !name.contains("..")
            && !bytes.contains(UInt8(ascii: "/")) && !bytes.contains(0)
    }
}

extension Revue.BootstrapNode {
    /// Throws unless address, ports and public key are well-formed.
    func validate() throws(RevueInitError) {
        let portsAreValid = [port, tcpRelayPort ?? 1, udpRelayPort ?? 1].allSatisfy { (1...65_535).contains($0) }
        let addressIsValid = !address.isEmpty && !address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
        guard portsAreValid, addressIsValid, peerID != nil else { throw .invalidConfiguration }
    }

    /// The public key; nil unless it is 64 hexadecimal digits.
    var peerID: PeerID? { publicKey.utf8.count == 64 ? try? PeerID(parsing: publicKey) : nil }
}
