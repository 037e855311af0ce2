// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The sections of toxcore's savedata: a global cookie, then `length (4) · type (2) · cookie (2) · content`, all
/// little-endian (c-toxcore 0.2.18, `state.h`).
enum SavedataSections {
    private static let globalCookie: UInt64 = 0x15ED_1B1F
    private static let sectionCookie: UInt64 = 0x01CE
    /// DHT nodes, TCP relays and onion path nodes: addresses that may be stale.
    private static let nodeTypes: Set<UInt64> = [2, 10, 11]
    private static let endType: UInt64 = 255

    /// The same identity without remembered nodes; nil when the layout is not the known one.
    static func withoutNodes(_ payload: [UInt8]) -> [UInt8]? {
        guard payload.count >= 8, integer(payload[0..<4]) == 0, integer(payload[4..<8]) == globalCookie else {
            return nil
        }
        var result = Array(payload[0..<8])
        var position = 8
        while position < payload.count {
            guard payload.count - position >= 8 else { return nil }
            let length = Int(integer(payload[position..<position + 4]))
            let type = integer(payload[position + 4..<position + 6])
            guard integer(payload[position + 6..<position + 8]) == sectionCookie,
                length <= payload.count - position - 8
            else { return nil }
            let end = position + 8 + length
            if !nodeTypes.contains(type) { result += payload[position..<end] }
            // Behind the last section there is nothing but padding.
            if type == endType { return result }
            position = end
        }
        return nil
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
