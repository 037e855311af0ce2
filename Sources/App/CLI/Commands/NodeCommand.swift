// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTox

/// `revue node`: lets the peers of a lab find each other.
enum NodeCommand {
    static let spec = CommandSpec(
        name: "node", summary: "Runs a bootstrap node and TCP relay for a lab.",
        options: [
            .option("--port", "N", "UDP port; by default the first free one of 33445…33545."),
            .option("--tcp-port", "N", "TCP port of the relay; by default any free one."),
            .flag("--no-relay", "Serves no TCP relay."),
            .option("--host", "HOST", "The host by which others reach this machine; 127.0.0.1 by default."),
            .flag("--ipv6", "Serves IPv6 too."),
            .flag("--attached", "Ends when its standard input ends: for programs that start it."),
        ],
        notes: [
            "Prints the --node option that the peers need, then runs until Ctrl-C.",
            "The node's key is new every time; a lasting node is the work of tox-bootstrapd.",
        ])

    @MainActor static func run(_ arguments: Arguments, _ context: CommandContext) async throws -> ExitCode {
        let port = UInt16(try arguments.integer("--port", in: 1...65_535, default: 1))
        let relayPort = UInt16(try arguments.integer("--tcp-port", in: 1...65_535, default: 1))
        let node: ToxNode
        do {
            node = try ToxNode(
                port: arguments.value("--port") == nil ? 0 : port,
                tcpRelayPort: arguments.has("--no-relay") ? nil : arguments.value("--tcp-port") == nil ? 0 : relayPort,
                ipv6: arguments.has("--ipv6"))
        } catch .noFreePort {
            throw CommandFailure(.failed, "the port is taken; choose another with --port and --tcp-port")
        } catch {
            throw CommandFailure(.failed, "the node did not start: \(error)")
        }
        let address = NodeAddress(
            host: arguments.value("--host") ?? "127.0.0.1", port: node.port,
            key: hexadecimal(node.publicKey.bytes), relayPort: node.tcpRelayPort)
        context.terminal.say("--node \(address)")
        if arguments.has("--attached") { context.interruption.watchParent() }
        await context.interruption.wait()
        node.stop()
        return .ok
    }
}

/// Bytes as upper-case hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF")
    return bytes.reduce(into: "") { text, byte in
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
}
