// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What one instance keeps between runs: the transport's savedata and the domain's own part, in one piece so that one
/// write keeps both or neither.
package struct SavedInstance: Equatable {
    var transport: [UInt8]
    var session: [UInt8]

    /// "RVSI", a format byte, then each part with its length in four bytes, big-endian.
    var encoded: [UInt8] {
        var bytes = Self.magic
        for part in [transport, session] {
            let count = UInt32(truncatingIfNeeded: part.count)
            bytes += [UInt8(count >> 24), UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
            bytes += part
        }
        return bytes
    }

    init(transport: [UInt8], session: [UInt8]) {
        self.transport = transport
        self.session = session
    }

    /// Nil unless the bytes are exactly what `encoded` writes.
    package init?(decoding bytes: [UInt8]) {
        guard bytes.starts(with: Self.magic) else { return nil }
        var rest = bytes.dropFirst(Self.magic.count)
        func part() -> [UInt8]? {
            guard rest.count >= 4 else { return nil }
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count - 4 >= count else { return nil }
            let part = Array(rest.dropFirst(4).prefix(count))
            rest = rest.dropFirst(4 + count)
            return part
        }
        guard let transport = part(), let session = part(), rest.isEmpty else { return nil }
        self.init(transport: transport, session: session)
    }

    private static let magic: [UInt8] = [0x52, 0x56, 0x53, 0x49, 1]
}
