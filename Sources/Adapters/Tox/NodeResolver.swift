// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Glibc

/// Looks host names up away from the transport's thread: toxcore's own look-up would stop it for as long as DNS takes.
enum NodeResolver {
    /// The address when the host is one already, and no name.
    static func literal(_ host: String) -> String? {
        var buffer = in6_addr()
        let isAddress = inet_pton(AF_INET, host, &buffer) == 1 || inet_pton(AF_INET6, host, &buffer) == 1
        return isAddress ? host : nil
    }

    /// Looks a host up on a thread of its own and calls back there, with nothing when the look-up failed.
    static func resolve(_ host: String, ipv6: Bool, then report: @escaping @Sendable ([String]) -> Void) -> Bool {
        let thread = OwnedThread(name: "revue-dns") { report(addresses(of: host, ipv6: ipv6)) }
        thread?.detach()
        return thread != nil
    }

    private static func addresses(of host: String, ipv6: Bool) -> [String] {
        var hints = addrinfo()
        hints.ai_family = ipv6 ? AF_UNSPEC : AF_INET
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var result: [String] = []
        var entry = list
        while let current = entry, result.count < 8 {
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let status = getnameinfo(
                current.pointee.ai_addr, current.pointee.ai_addrlen, &name, socklen_t(name.count), nil, 0,
                NI_NUMERICHOST)
            if status == 0 {
                result.append(String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
            }
            entry = current.pointee.ai_next
        }
        return result
    }
}
