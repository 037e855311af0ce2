// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime

/// What `write` put into a slot of `capacity` bytes; nil when it refused.
func written(capacity: Int = 1_188, _ write: (UnsafeMutableRawBufferPointer) -> Int?) -> [UInt8]? {
    var slot = [UInt8](repeating: 0xAA, count: capacity)
    let count = slot.withUnsafeMutableBytes { write($0) }
    return count.map { Array(slot.prefix($0)) }
}

/// The header of a packet that must be one.
func header(of packet: [UInt8]) throws -> RTPHeader {
    try packet.withUnsafeBytes { bytes throws(RTPParseError) in try RTPHeader.parse(bytes) }
}

/// All packets of a compound that must be one.
func packets(of compound: [UInt8]) throws -> [RTCPPacket] {
    try compound.withUnsafeBytes { bytes throws(RTCPParseError) in
        var reader = RTCPReader(bytes)
        var packets: [RTCPPacket] = []
        while let packet = try reader.next() { packets.append(packet) }
        return packets
    }
}

/// `count` bytes (at most 500,000) that differ from place to place and from seed to seed.
func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
    let start = seed &* 101 % patternPeriod
    return Array(patternBytes[start..<start + count])
}

private let patternPeriod = 9_973
private let patternBytes: [UInt8] = {
    var generator = SeededGenerator(seed: 77)
    return (0..<500_000 + patternPeriod).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
}()
