// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A bootstrap node as it is written on the command line: `HOST:PORT:KEY[:TCPPORT]`, an IPv6 host in brackets.
struct NodeAddress: Equatable, Sendable, CustomStringConvertible {
    var host: String
    var port: UInt16
    /// 64 hexadecimal digits, upper case.
    var key: String
    /// The port of the node's TCP relay, when it is one.
    var relayPort: UInt16?

    init(host: String, port: UInt16, key: String, relayPort: UInt16? = nil) {
        self.host = host
        self.port = port
        self.key = key
        self.relayPort = relayPort
    }

    init(parsing text: String) throws(UsageError) {
        func refuse(_ reason: String) -> UsageError { .invalidValue(name: "--node", value: text, reason: reason) }
        var rest = Substring(text)
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { throw refuse("the bracket before the host is not closed") }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
            guard rest.first == ":" else { throw refuse("a port must follow the host") }
            rest = rest.dropFirst()
        } else {
            guard let colon = rest.firstIndex(of: ":") else { throw refuse("it must be HOST:PORT:KEY[:TCPPORT]") }
            host = String(rest[..<colon])
            rest = rest[rest.index(after: colon)...]
        }
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard !host.isEmpty, parts.count == 2 || parts.count == 3 else {
            throw refuse("it must be HOST:PORT:KEY[:TCPPORT]")
        }
        guard let port = UInt16(parts[0]), port > 0 else { throw refuse("the port must be 1 to 65535") }
        guard parts[1].count == 64, parts[1].allSatisfy(\.isHexDigit) else {
            throw refuse("the key must be 64 hexadecimal digits")
        }
        if parts.count == 3 {
            guard let relay = UInt16(parts[2]), relay > 0 else { throw refuse("the TCP port must be 1 to 65535") }
            relayPort = relay
        }
        self.port = port
        key = parts[1].uppercased()
    }

    var description: String {
        let shown = host.contains(":") ? "[\(host)]" : host
        return "\(shown):\(port):\(key)" + (relayPort.map { ":\($0)" } ?? "")
    }
}
