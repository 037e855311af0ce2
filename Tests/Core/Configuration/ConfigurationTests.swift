// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain
import Testing

@testable import RevueCore

struct ConfigurationTests {
    private static let key = String(repeating: "0123456789abcdefABCDEF9876543210", count: 2)
    private static let license = Data([1])

    private func configuration(
        _ change: (inout Revue.Configuration) -> Void = { _ in }
    ) -> Revue.Configuration {
        var result = Revue.Configuration(bootstrapNodes: [], licenseData: Self.license)
        change(&result)
        return result
    }

    @Test func `the default has no nodes, no licence and no broker`() {
        let configuration = Revue.Configuration.default
        #expect(configuration.bootstrapNodes.isEmpty)
        #expect(configuration.licenseData == nil)
        #expect(configuration.mqttOptions == nil)
        #expect(configuration.networkOptions == .default)
        #expect(configuration.savedataFileName == nil)
    }

    @Test(arguments: [nil, Data()])
    func `without licence bytes nothing starts`(license: Data?) {
        #expect(throws: RevueInitError.licenseMissing) {
            try configuration { $0.licenseData = license }.validate()
        }
    }

    @Test(arguments: ["", "a/b", "/abs", "..", "a..b", "../x", ".", "nul\0", String(repeating: "x", count: 201)])
    func `a save file's name must be a plain name`(name: String) {
        #expect(throws: RevueInitError.invalidConfiguration) {
            try configuration { $0.savedataFileName = name }.validate()
        }
    }

    @Test(arguments: [nil, "alice.bin", ".hidden", "名前", String(repeating: "x", count: 200)])
    func `a plain name is taken`(name: String?) throws {
        try configuration { $0.savedataFileName = name }.validate()
    }

    @Test(arguments: [
        "", "abc", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
        String(repeating: "g", count: 64), String(repeating: "é", count: 32), String(repeating: " ", count: 64),
    ])
    func `a node's key must be 64 hexadecimal digits`(key: String) {
        let node = Revue.BootstrapNode(address: "192.0.2.1", publicKey: key)
        #expect(node.peerID == nil)
        #expect(throws: RevueInitError.invalidConfiguration) {
            try configuration { $0.bootstrapNodes = [node] }.validate()
        }
    }

    @Test func `a node's key is read in either case`() throws {
        let node = Revue.BootstrapNode(address: "192.0.2.1", publicKey: Self.key)
        let bytes = try #require(node.peerID).bytes
        #expect(
            bytes.prefix(16) == [
                0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0xAB, 0xCD, 0xEF, 0x98, 0x76, 0x54, 0x32, 0x10,
            ])
        try configuration { $0.bootstrapNodes = [node] }.validate()
    }

    @Test func `a node joins at port 33445 and relays nothing unless told`() {
        let node = Revue.BootstrapNode(address: "192.0.2.1", publicKey: Self.key)
        #expect(node.port == 33_445)
        #expect(node.tcpRelayPort == nil)
        #expect(node.udpRelayPort == nil)
    }

    @Test(arguments: [
        Revue.BootstrapNode(address: "", publicKey: key),
        Revue.BootstrapNode(address: "two words", publicKey: key),
        Revue.BootstrapNode(address: "h", port: 0, publicKey: key),
        Revue.BootstrapNode(address: "h", port: -1, publicKey: key),
        Revue.BootstrapNode(address: "h", port: 65_536, publicKey: key),
        Revue.BootstrapNode(address: "h", publicKey: key, tcpRelayPort: 0),
        Revue.BootstrapNode(address: "h", publicKey: key, tcpRelayPort: 70_000),
        Revue.BootstrapNode(address: "h", publicKey: key, udpRelayPort: -7),
    ])
    func `a node's address and ports must be well-formed`(node: Revue.BootstrapNode) {
        #expect(throws: RevueInitError.invalidConfiguration) {
            try configuration { $0.bootstrapNodes = [node] }.validate()
        }
    }

    @Test func `destroy options add up`() {
        #expect(Revue.DestroyOptions.default == Revue.DestroyOptions(deleteSavedata: false, deleteRecordings: false))
        #expect(
            Revue.DestroyOptions(deleteSavedata: true).union(Revue.DestroyOptions(deleteRecordings: true))
                == .deleteAllData)
        #expect(Revue.DestroyOptions.default.union(.default) == .default)
    }
}
