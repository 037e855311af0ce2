// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDispatch
import RevueFiles
import RevueSDK
import RevueUDP

/// What every command that runs an instance can be told.
struct PeerOptions {
    var folder: URL
    var name: String?
    var nodes: [NodeAddress]
    var licence: Data
    var transport: TransportChoice

    /// For commands that look at the identity alone.
    static let identity: [OptionSpec] =
        [
            .option("--data", "DIR", "Where the identity is kept; $XDG_DATA_HOME/RevueSDK by default."),
            .option("--licence", "FILE", "A licence; the development licence of Fixtures/ by default."),
        ] + TransportChoice.options

    /// For commands that go on the network.
    static let network: [OptionSpec] =
        [
            .option(
                "--node", "NODE", "A node to join through, HOST:PORT:KEY[:TCPPORT], as `revue node` prints it.",
                isRepeatable: true),
            .option("--name", "NAME", "The name that friends are shown."),
        ] + identity

    init(_ arguments: Arguments, needsNode: Bool = true) throws {
        folder =
            arguments.value("--data").map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: FileIdentityStore.defaultDirectory)
        name = arguments.value("--name")
        nodes = try arguments.allValues("--node").map { try NodeAddress(parsing: $0) }
        transport = try TransportChoice(arguments)
        if needsNode, nodes.isEmpty, transport == .tox {
            throw UsageError.missingArgument(name: "--node")
        }
        let path = try Fixtures.path(arguments.value("--licence"), fallback: "development.lic")
        licence = try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// The adapters of an instance with this identity.
    func adapters() throws -> Adapters {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(
                .identity, "the folder '\(folder.path)' cannot be made; name another with --data")
        }
        var adapters = Adapters.default
        adapters.identityStore = FileIdentityStore(directory: folder.path)
        if case .udp(let configuration) = transport {
            adapters.makeTransport = { UDPTransport(configuration: configuration) }
        }
        return adapters
    }
}
