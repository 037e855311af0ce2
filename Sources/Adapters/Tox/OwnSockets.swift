// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Glibc

/// Finds toxcore's sockets among the process's own: toxcore shows none of its descriptors, only its UDP port.
enum OwnSockets {
    /// Where a socket is bound, or whom it is connected to.
    struct Endpoint: Hashable {
        var family: Int32
        var port: UInt16
        /// The address's 4 or 16 bytes.
        var address: [UInt8]

        var isWildcard: Bool { address.allSatisfy { $0 == 0 } }
    }

    /// The datagram socket bound to this port on every address.
    ///
    /// Two instances never share a port, and toxcore binds the wildcard address; an IPv4 and an IPv6 socket can have
    /// the same port, so the family is asked for too.
    static func datagram(port: UInt16, ipv6: Bool) -> Int32? {
        all().first { socket in
            guard option(SO_TYPE, of: socket) == Int32(SOCK_DGRAM.rawValue), let local = endpoint(socket, getsockname)
            else { return false }
            return local.port == port && local.isWildcard && local.family == (ipv6 ? AF_INET6 : AF_INET)
        }
    }

    /// The stream sockets connected to one of these ports.
    static func streams(toPorts ports: Set<UInt16>) -> [Int32] {
        all().filter { socket in
            guard option(SO_TYPE, of: socket) == Int32(SOCK_STREAM.rawValue), let peer = endpoint(socket, getpeername)
            else { return false }
            return ports.contains(peer.port)
        }
    }

    /// The stream sockets bound to this port: a listening one and those that it accepted.
    static func streams(onPort port: UInt16) -> [Int32] {
        all().filter { socket in
            guard option(SO_TYPE, of: socket) == Int32(SOCK_STREAM.rawValue), let local = endpoint(socket, getsockname)
            else { return false }
            return local.port == port
        }
    }

    /// Whether the kernel has IPv6 at all; toxcore makes no instance when it is asked for what is not there.
    static let isIPv6Available: Bool = {
        let socket = Glibc.socket(AF_INET6, Int32(SOCK_DGRAM.rawValue), 0)
        if socket >= 0 { close(socket) }
        return socket >= 0
    }()

    /// Lets small packets leave at once.
    ///
    /// toxcore leaves Nagle's algorithm on, which holds a packet back until the one before it is acknowledged: 40 ms.
    static func sendWithoutDelay(_ socket: Int32) {
        var on: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// A TCP port that was free a moment ago.
    static func freeStreamPort() -> UInt16? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return bound == 0 ? endpoint(socket, getsockname)?.port : nil
    }

    /// Every open descriptor of the process. One may be closed by its owner meanwhile: what asks it then fails cleanly.
    private static func all() -> [Int32] {
        guard let directory = opendir("/proc/self/fd") else { return [] }
        defer { closedir(directory) }
        var result: [Int32] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let descriptor = Int32(name) { result.append(descriptor) }
        }
        return result
    }

    private static func option(_ name: Int32, of socket: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    private typealias AddressQuery = (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32

    private static func endpoint(_ socket: Int32, _ query: AddressQuery) -> Endpoint? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { query(socket, $0, &length) }
        }
        guard status == 0 else { return nil }
        let found = storage
        return withUnsafeBytes(of: found) { bytes in
            switch Int32(found.ss_family) {
            case AF_INET:
                let value = bytes.loadUnaligned(as: sockaddr_in.self)
                let address = withUnsafeBytes(of: value.sin_addr) { Array($0) }
                return Endpoint(family: AF_INET, port: UInt16(bigEndian: value.sin_port), address: address)
            case AF_INET6:
                let value = bytes.loadUnaligned(as: sockaddr_in6.self)
                let address = withUnsafeBytes(of: value.sin6_addr) { Array($0) }
                return Endpoint(family: AF_INET6, port: UInt16(bigEndian: value.sin6_port), address: address)
            default: return nil
            }
        }
    }
}
