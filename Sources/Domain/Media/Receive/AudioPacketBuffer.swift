// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Packets waiting to be played, in the order of their numbers; at most 200 (4 s).
struct AudioPacketBuffer {
    static let capacity = 200

    struct Packet {
        var sequence: Int64
        var audio: IncomingAudio
    }

    private var packets: [Packet] = []

    var count: Int { packets.count }
    var first: Packet? { packets.first }
    var last: Packet? { packets.last }
    var isFull: Bool { packets.count >= Self.capacity }

    /// Puts a packet in its place. The caller sees to it that there is room and that it is no copy.
    mutating func insert(_ packet: Packet) {
        let index = packets.lastIndex { $0.sequence < packet.sequence }.map { $0 + 1 } ?? 0
        packets.insert(packet, at: index)
    }

    mutating func removeFirst() -> Packet? { packets.isEmpty ? nil : packets.removeFirst() }

    /// Empties the buffer; returns how many packets there were.
    mutating func removeAll() -> Int {
        defer { packets.removeAll(keepingCapacity: true) }
        return packets.count
    }
}
