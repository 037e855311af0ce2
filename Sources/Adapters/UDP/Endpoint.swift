// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Glibc

/// An address and a port of IPv6, or of IPv4 in its mapped form (::ffff:a.b.c.d).
struct Endpoint: Hashable {
    private(set) var high: UInt64
    private(set) var low: UInt64
    var port: UInt16
    /// The interface that a link-local address belongs to; else 0.
    private(set) var scope: UInt32

    /// Whether it is an address of IPv4.
    var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }
    /// Whether a datagram can go there: neither the unspecified nor a multicast or broadcast address, and a port.
    var isReachable: Bool {
        if port == 0 || high == 0 && low == 0 { return false }
        guard isIPv4 else { return high >> 56 != 0xFF }
        let address = UInt32(truncatingIfNeeded: low)
        return address != 0 && address >> 28 != 0xE && address != .max
    }

    /// The endpoint of an address as text (no host name); nil when it is none.
    init?(literal host: String, port: UInt16) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, host, &four) == 1 {
            self.init(four, port: port)
        } else if inet_pton(AF_INET6, host, &six) == 1 {
            self.init(six, port: port, scope: 0)
        } else {
            return nil
        }
    }

    /// The endpoint of 18 bytes, as `bytes` gives them.
    init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        port = bytes.suffix(2).reduce(0) { $0 << 8 | UInt16($1) }
        scope = 0
    }

    /// The endpoint that a system call filled in; nil for another family than IPv4 and IPv6.
    init?(_ storage: sockaddr_storage) {
        var copy = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            let address = withUnsafeBytes(of: &copy) { $0.load(as: sockaddr_in.self) }
            self.init(address.sin_addr, port: UInt16(bigEndian: address.sin_port))
        case AF_INET6:
            let address = withUnsafeBytes(of: &copy) { $0.load(as: sockaddr_in6.self) }
            self.init(address.sin6_addr, port: UInt16(bigEndian: address.sin6_port), scope: address.sin6_scope_id)
        default: return nil
        }
    }

    private init(_ address: in_addr, port: UInt16) {
        (high, scope) = (0, 0)
        low = 0xFFFF_0000_0000 | UInt64(UInt32(bigEndian: address.s_addr))
        self.port = port
    }

    private init(_ address: in6_addr, port: UInt16, scope: UInt32) {
        (high, low) = withUnsafeBytes(of: address) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        self.port = port
        self.scope = scope
    }

    static let byteCount = 18

    /// Address and port, big-endian; the interface is left out, because it means nothing on another machine or day.
    var bytes: [UInt8] {
        var result: [UInt8] = []
        for word in [high, low] {
            for shift in stride(from: 56, through: 0, by: -8) {
                result.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return result + [UInt8(port >> 8), UInt8(port & 0xFF)]
    }

    /// Calls `body` with the address as a socket of this family takes it; nil when such a socket cannot reach it.
    func withSocketAddress<Result>(
        isIPv6Socket: Bool, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result? {
        if isIPv6Socket {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = scope
            withUnsafeMutableBytes(of: &address.sin6_addr) { bytes in
                bytes.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
                bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            }
            return Self.withGeneric(&address, body)
        }
        guard isIPv4 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(truncatingIfNeeded: low).bigEndian
        return Self.withGeneric(&address, body)
    }

    private static func withGeneric<Address, Result>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
