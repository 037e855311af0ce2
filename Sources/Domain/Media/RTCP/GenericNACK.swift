// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The entries of a generic NACK (RFC 4585 §6.2.1): a packet id and a bitmap of the 16 that follow it.
public enum GenericNACK {
    /// Most packets that one NACK may name: a receiver that misses more asks for a keyframe.
    public static let maximumCount = 1_000

    /// Writes the entries for missing packets.
    ///
    /// - Parameter missing: unwrapped numbers, ascending.
    /// - Returns: how many of them were written; fewer when the writer is full or there are more than the maximum.
    static func write(_ missing: [Int64], to writer: inout ByteWriter) -> Int {
        var index = 0
        let count = min(missing.count, maximumCount)
        while index < count, writer.remaining >= 4 {
            let first = missing[index]
            var bitmap: UInt16 = 0
            index += 1
            while index < count {
                let distance = missing[index] &- first
                guard (1...16).contains(distance) else { break }
                bitmap |= 1 << UInt16(distance - 1)
                index += 1
            }
            writer.u16(UInt16(truncatingIfNeeded: first))
            writer.u16(bitmap)
        }
        return index
    }

    static func read(from reader: inout ByteReader) throws(RTCPParseError) -> [UInt16] {
        var missing: [UInt16] = []
        while let first = reader.u16(), let bitmap = reader.u16() {
            guard missing.count + 1 + bitmap.nonzeroBitCount <= maximumCount else { throw .tooManyEntries }
            missing.append(first)
            for bit in UInt16(0)..<16 where bitmap & 1 << bit != 0 { missing.append(first &+ bit &+ 1) }
        }
        return missing
    }
}
