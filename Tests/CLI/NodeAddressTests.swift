// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Testing

@testable import revue

@Suite struct NodeAddressTests {
    private static let key = String(repeating: "A1", count: 32)

    @Test(arguments: [
        NodeAddress(host: "node.example.org", port: 33445, key: key),
        NodeAddress(host: "127.0.0.1", port: 1, key: key, relayPort: 65535),
        NodeAddress(host: "fe80::1", port: 33445, key: key, relayPort: 3389),
    ])
    func `what is printed can be read again`(node: NodeAddress) throws {
        #expect(try NodeAddress(parsing: node.description) == node)
    }

    @Test func `the key may be in small letters`() throws {
        #expect(try NodeAddress(parsing: "h:1:\(Self.key.lowercased())").key == Self.key)
    }

    @Test(arguments: [
        "", "host", "host:1", "host:0:\(key)", "host:65536:\(key)", "host:x:\(key)", "host:1:\(key)0",
        "host:1:\(key):0",
        "host:1:\(key):1:2", ":1:\(key)", "[::1:1:\(key)", "[::1]\(key)", "host:1:\(String(repeating: "Z", count: 64))",
    ])
    func `anything else is refused`(text: String) {
        #expect(throws: UsageError.self) { try NodeAddress(parsing: text) }
    }
}
