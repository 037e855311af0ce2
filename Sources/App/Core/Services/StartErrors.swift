// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts

// What the ports say when an instance does not start, in the words of the public API.

extension RevueInitError {
    init(_ error: LicenseError) {
        switch error {
        case .missing: self = .licenseMissing
        case .malformed: self = .licenseMalformed
        case .invalidSignature: self = .licenseInvalid
        case .expired: self = .licenseExpired
        }
    }

    init(_ error: IdentityStoreError) {
        switch error {
        case .invalidName: self = .invalidConfiguration
        case .damaged, .inUse, .failed: self = .initFailed(code: ErrorCode.storageFailed)
        }
    }

    init(_ error: TransportError) {
        switch error {
        case .damagedSavedata: self = .initFailed(code: ErrorCode.storageFailed)
        case .invalidConfiguration: self = .invalidConfiguration
        case .noFreePort, .alreadyStarted, .failed: self = .initFailed(code: ErrorCode.transportFailed)
        }
    }
}

extension Revue.Configuration {
    /// What the transport is told.
    var transport: TransportConfiguration {
        TransportConfiguration(
            nodes: bootstrapNodes.compactMap { node in
                node.peerID.map { key in
                    TransportConfiguration.Node(
                        host: node.address, port: UInt16(clamping: node.port), publicKey: key,
                        tcpRelayPort: node.tcpRelayPort.map { UInt16(clamping: $0) })
                }
            },
            udpEnabled: networkOptions.enableUdpDirect, tcpRelayEnabled: networkOptions.enableTcpRelay,
            ipv6Enabled: networkOptions.ipv6Enabled, localDiscoveryEnabled: networkOptions.localDiscoveryEnabled,
            startPort: networkOptions.startPort, endPort: networkOptions.endPort)
    }
}
