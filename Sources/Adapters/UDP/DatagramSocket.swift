// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Glibc
import RevuePorts

/// A UDP socket that never blocks. Sends from any thread, receives on one; closed with its last reference, so that a
/// descriptor is never used after it was given back.
final class DatagramSocket: Sendable {
    enum Failure: Error, Equatable {
        case address(String)
        case inUse
        case system(String)
    }

    enum Sent: Equatable {
        case sent
        /// The system's send buffer is full.
        case full
        /// Refused: no route, or a family that this socket does not have.
        case refused
    }

    let descriptor: Int32
    let isIPv6: Bool
    /// Where it listens.
    let port: UInt16

    /// Binds to an address as text; port 0 takes any free one.
    init(bind host: String, port: UInt16) throws(Failure) {
        guard let endpoint = Endpoint(literal: host, port: port) else { throw .address(host) }
        let isIPv6 = !endpoint.isIPv4
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, kind, 0)
        guard descriptor >= 0 else { throw .system(Self.reason(errno)) }
        var off: Int32 = 0
        if isIPv6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, socklen_t(4)) }
        // What a video's burst needs; the system caps it.
        var bytes: Int32 = 4 << 20
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(4))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(4))
        let status = endpoint.withSocketAddress(isIPv6Socket: isIPv6) { Glibc.bind(descriptor, $0, $1) }
        guard status == 0, let port = Self.port(of: descriptor) else {
            let code = errno
            close(descriptor)
            throw code == EADDRINUSE ? .inUse : .system(Self.reason(code))
        }
        self.descriptor = descriptor
        self.isIPv6 = isIPv6
        self.port = port
    }

    deinit { close(descriptor) }

    /// Sends at once; any thread.
    func send(_ bytes: UnsafeRawBufferPointer, to endpoint: Endpoint) -> Sent {
        let count = endpoint.withSocketAddress(isIPv6Socket: isIPv6) { address, length in
            var sent = sendto(descriptor, bytes.baseAddress, bytes.count, Self.flags, address, length)
            // A datagram sent earlier may have been answered by "nobody listens": that error is not this one's.
            if sent < 0 && (errno == ECONNREFUSED || errno == EINTR) {
                sent = sendto(descriptor, bytes.baseAddress, bytes.count, Self.flags, address, length)
            }
            return sent
        }
        guard let count else { return .refused }
        if count >= 0 { return .sent }
        return errno == EAGAIN || errno == ENOBUFS ? .full : .refused
    }

    enum Received {
        case datagram(length: Int, from: Endpoint)
        /// Longer than the buffer, or from no known kind of address.
        case unusable
        case nothing
    }

    /// Takes one datagram, if there is one.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let count = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(
                    descriptor, buffer.baseAddress, buffer.count,
                    Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC), $0, &length)
            }
        }
        if count < 0 { return errno == EAGAIN ? .nothing : .unusable }
        guard count <= buffer.count, let endpoint = Endpoint(storage) else { return .unusable }
        return .datagram(length: count, from: endpoint)
    }

    private static let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

    private static func port(of descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return status == 0 ? Endpoint(storage)?.port : nil
    }

    private static func reason(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
