// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Glibc
public import RevueDomain

extension UDPTransport {
    /// How a transport reaches the others of its lab.
    public struct Configuration: Sendable, Hashable {
        /// The address to listen at, not a host name. The default hears this machine alone; `0.0.0.0` or `::` hears
        /// every network that the machine is on.
        public var bind: String
        /// The UDP port to listen at; 0 = the first free one of the port range that `start` is given, or any.
        public var port: UInt16
        /// A file with further peers, read by each `start`; see `Peer.list(from:)`.
        public var peersFile: String?
        /// Where others listen.
        public var peers: [Peer]

        /// A configuration.
        public init(bind: String = "127.0.0.1", port: UInt16 = 0, peersFile: String? = nil, peers: [Peer] = []) {
            self.bind = bind
            self.port = port
            self.peersFile = peersFile
            self.peers = peers
        }
    }

    /// Where somebody listens, and who, if that is known.
    public struct Peer: Sendable, Hashable {
        /// Who listens there; nil = whoever does: they are asked whether they are a friend that has no address.
        public var id: PeerID?
        /// Host name or address.
        public var host: String
        /// UDP port.
        public var port: UInt16

        /// A peer.
        public init(id: PeerID? = nil, host: String, port: UInt16) {
            self.id = id
            self.host = host
            self.port = port
        }

        /// Why a text is no list of peers.
        public struct ListError: Error, Hashable, Sendable {
            /// The line, from 1.
            public var line: Int
            /// What is wrong with it.
            public var reason: String
        }

        /// The peers in a text of one line each: who, a space, `host:port`; `#` starts a comment.
        ///
        /// Who is an identifier or a friend address, Base58 or hexadecimal, or `*` for whoever listens there. An IPv6
        /// address stands in brackets: `* [::1]:5004`.
        public static func list(from text: String) throws(ListError) -> [Peer] {
            var peers: [Peer] = []
            for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline })
                .enumerated()
            {
                let content = line.prefix { $0 != "#" }
                let words = content.split { $0.isWhitespace }
                if words.isEmpty { continue }
                func fail(_ reason: String) -> ListError { ListError(line: index + 1, reason: reason) }
                guard words.count == 2 else { throw fail("expected an identifier (or *) and host:port") }
                guard let place = hostAndPort(words[1]) else { throw fail("“\(words[1])” is not host:port") }
                guard peers.count < UDPTransport.maximumPeers else {
                    throw fail("more than \(UDPTransport.maximumPeers) peers")
                }
                var peer = Peer(host: place.host, port: place.port)
                if words[0] != "*" {
                    guard let id = identifier(String(words[0])) else { throw fail("“\(words[0])” is no identifier") }
                    peer.id = id
                }
                peers.append(peer)
            }
            return peers
        }

        private static func identifier(_ text: String) -> PeerID? {
            (try? PeerID(parsing: text)) ?? (try? FriendAddress(parsing: text))?.peer
        }

        private static func hostAndPort(_ text: Substring) -> (host: String, port: UInt16)? {
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
            else { return nil }
            var host = text[..<colon]
            if host.hasPrefix("["), host.hasSuffix("]") {
                host = host.dropFirst().dropLast()
            } else if host.contains(":") {
                return nil
            }
            return host.isEmpty ? nil : (String(host), port)
        }
    }

    /// The most peers of a list.
    public static let maximumPeers = 1_024
}

/// Reads small files whole.
enum SmallFile {
    /// The file's text; nil when it cannot be read, is longer than a mebibyte, or is no UTF-8.
    static func text(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0, feof(file) != 0 else { return nil }
        return String(validating: bytes.prefix(count), as: UTF8.self)
    }
}
