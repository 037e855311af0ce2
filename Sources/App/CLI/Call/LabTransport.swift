// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import Glibc
import RevueUDP

/// Which transport an instance runs over, as the command line names it.
enum TransportChoice: Equatable {
    /// Tox: the network of friends.
    case tox
    /// Plain UDP between known addresses of a lab: nothing is encrypted.
    case udp(UDPTransport.Configuration)

    static let options: [OptionSpec] = [
        .option(
            "--transport", "NAME", "tox (default), or udp for a lab: plain datagrams, neither encrypted nor signed."),
        .option(
            "--bind", "HOST:PORT", "With --transport udp: where to listen; 127.0.0.1 and any free port by default."),
        .option(
            "--peers", "FILE", "With --transport udp: who listens where, a line each: ID HOST:PORT, or * for the ID."),
    ]

    init(_ arguments: Arguments) throws(UsageError) {
        switch arguments.value("--transport") ?? "tox" {
        case "tox": self = .tox
        case "udp":
            var configuration = UDPTransport.Configuration(peersFile: arguments.value("--peers"))
            if let text = arguments.value("--bind") {
                guard let (host, port) = Self.endpoint(text) else {
                    throw .invalidValue(
                        name: "--bind", value: text, reason: "it must be HOST:PORT, such as 0.0.0.0:40000")
                }
                (configuration.bind, configuration.port) = (host, port)
            }
            self = .udp(configuration)
        case let name: throw .invalidValue(name: "--transport", value: name, reason: "it must be tox or udp")
        }
    }

    /// Savedata of one transport is refused by the other, so each has a file of its own.
    var savedataFileName: String? {
        switch self {
        case .tox: nil
        case .udp: "lab.bin"
        }
    }

    private static func endpoint(_ text: String) -> (String, UInt16)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        return host.isEmpty ? nil : (String(host), port)
    }
}

/// Ports of this machine that nobody listens at.
enum FreePorts {
    /// So many UDP ports of loopback that were free a moment ago; fewer when there are none.
    static func udp(_ count: Int) -> [UInt16] {
        var sockets: [Int32] = []
        defer { for socket in sockets { close(socket) } }
        var ports: [UInt16] = []
        for _ in 0..<count {
            let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            guard descriptor >= 0 else { return ports }
            sockets.append(descriptor)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                    bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
                }
            }
            guard isBound else { return ports }
            ports.append(UInt16(bigEndian: address.sin_port))
        }
        return ports
    }
}
