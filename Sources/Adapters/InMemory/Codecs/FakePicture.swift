// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// What a fake video frame holds: a thumbnail, and which frame it builds on.
///
/// `F`, or `G` when it builds on another frame (as in VP8 the first byte's lowest bit tells, RFC 7741 §4.3), `V`, flags
/// (bit 0: builds on another frame; bits 1–2: layer), width, height (2 bytes each), counter, reference,
/// checksum (4 bytes each), 16×16 Y, 8×8 U, 8×8 V, padding. Big-endian.
struct FakePicture {
    static let maximumSide = 4_096
    private static let headerBytes = 19
    private static let checksumAt = 15

    var width: Int
    var height: Int
    var counter: UInt32
    var layer: Int
    var reference: UInt32?
    var samples: Samples

    init(width: Int, height: Int, counter: UInt32, layer: Int, reference: UInt32?, samples: Samples) {
        self.width = width
        self.height = height
        self.counter = counter
        self.layer = layer
        self.reference = reference
        self.samples = samples
    }

    /// The frame in these bytes, unless they are damaged.
    init?(_ bytes: [UInt8]) {
        let end = FakePicture.headerBytes + Samples.count
        guard bytes.count >= end, bytes[0] & ~1 == 0x46, bytes[1] == 0x56 else { return nil }
        func number(at offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(at: FakePicture.checksumAt, 4) == FakePicture.checksum(bytes) else { return nil }
        layer = Int(bytes[2] >> 1 & 3)
        width = number(at: 3, 2)
        height = number(at: 5, 2)
        guard layer < 3, (1...FakePicture.maximumSide).contains(width), (1...FakePicture.maximumSide).contains(height)
        else { return nil }
        counter = UInt32(truncatingIfNeeded: number(at: 7, 4))
        guard bytes[0] & 1 == bytes[2] & 1 else { return nil }
        reference = bytes[2] & 1 == 0 ? nil : UInt32(truncatingIfNeeded: number(at: 11, 4))
        samples = Samples(values: Array(bytes[FakePicture.headerBytes..<end]))
    }

    func bytes(paddedTo size: Int) -> [UInt8] {
        let buildsOnAnother: UInt8 = reference == nil ? 0 : 1
        var bytes: [UInt8] = [0x46 | buildsOnAnother, 0x56, UInt8(layer << 1) | buildsOnAnother]
        func append(_ number: Int, _ count: Int) {
            for shift in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
        }
        append(width, 2)
        append(height, 2)
        append(Int(counter), 4)
        append(Int(reference ?? 0), 4)
        append(0, 4)
        bytes += samples.values
        // Padding that looks random and is covered by the checksum, so that any damage shows.
        var padding = counter
        bytes.reserveCapacity(size)
        while bytes.count < size {
            padding = padding &* 1_664_525 &+ 1_013_904_223
            bytes.append(UInt8(truncatingIfNeeded: padding >> 24))
        }
        let sum = FakePicture.checksum(bytes)
        for index in 0..<4 {
            bytes[FakePicture.checksumAt + index] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * index))
        }
        return bytes
    }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var sum: UInt32 = 0x811C_9DC5
            for index in bytes.indices {
                let byte = checksumAt..<checksumAt + 4 ~= index ? 0 : bytes[index]
                sum = (sum ^ UInt32(byte)) &* 0x0100_0193
            }
            return Int(sum)
        }
    }

    /// A picture at 16×16, chroma at 8×8.
    struct Samples {
        static let side = 16
        static let count = side * side * 3 / 2

        var values: [UInt8]

        func difference(from reference: Samples?) -> Samples {
            guard let reference else { return self }
            return Samples(values: zip(values, reference.values).map { $0 &- $1 })
        }

        func sum(with reference: Samples) -> Samples {
            Samples(values: zip(values, reference.values).map { $0 &+ $1 })
        }

        /// The picture at its full size, as I420.
        func enlarged(width: Int, height: Int) -> PixelBuffer? {
            guard let buffer = PixelBuffer(width: width, height: height, format: .i420) else { return nil }
            buffer.withPlanes { planes in
                var start = 0
                for index in 0..<3 {
                    let side = index == 0 ? Samples.side : Samples.side / 2
                    enlarge(values[start..<(start + side * side)], side: side, into: planes[index])
                    start += side * side
                }
            }
            return buffer
        }

        private func enlarge(_ square: ArraySlice<UInt8>, side: Int, into plane: PixelMemory.Plane) {
            var previous = -1
            for y in 0..<plane.height {
                let line = y * side / plane.height
                if line == previous {
                    plane.row(y).update(from: plane.row(y - 1), count: plane.width)
                } else {
                    let first = square.startIndex + line * side
                    for x in 0..<plane.width { plane.row(y)[x] = square[first + x * side / plane.width] }
                }
                previous = line
            }
        }
    }

    /// The thumbnail of a picture in any format: the mean of at most 4×4 pixels of each block.
    static func thumbnail(of buffer: PixelBuffer) throws(CodecError) -> Samples {
        let picture = buffer.format == .i420 ? buffer : try PassthroughPixelConverter().convert(buffer, to: .i420)
        return picture.withPlanes { planes in
            Samples(
                values: planes.indices.flatMap { index in
                    means(of: planes[index], side: index == 0 ? Samples.side : Samples.side / 2)
                })
        }
    }

    private static func means(of plane: PixelMemory.Plane, side: Int) -> [UInt8] {
        let columns = (0..<side).map { positions(of: $0, side: side, length: plane.width) }
        return (0..<side).flatMap { row in
            let rows = positions(of: row, side: side, length: plane.height)
            return columns.map { column in
                var sum = 0
                for y in rows { for x in column { sum += Int(plane.row(y)[x]) } }
                let count = rows.count * column.count
                return UInt8((sum + count / 2) / count)
            }
        }
    }

    private static func positions(of block: Int, side: Int, length: Int) -> [Int] {
        let start = (block * length + side - 1) / side
        let end = max(start + 1, ((block + 1) * length + side - 1) / side)
        let step = max(1, (end - start) / 4)
        return stride(from: start, to: end, by: step).map { min($0, length - 1) }
    }
}
