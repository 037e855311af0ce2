// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// A number and a time that are drawn into a picture and read back after it was coded, scaled and sent.
///
/// The stamp covers the upper two fifths: 4 rows of 28 cells, each a bit. A cell is a block above its complement, so that a
/// bit is a comparison, whatever brightness and contrast became. 32 bits of number, 64 of time and a CRC-16. Blocks are
/// black and white, without colour, and at 160×120 about 6×6 pixels, which VP8 keeps at its lowest quality.
public struct FrameStamp: Sendable, Hashable {
    /// Which frame it is.
    public var number: UInt32
    /// When it was captured, in microseconds on a clock that writer and reader share.
    public var captureTime: Int64

    /// A stamp.
    public init(number: UInt32, captureTime: Int64) {
        self.number = number
        self.captureTime = captureTime
    }

    /// The smallest picture that has room for a stamp.
    public static let minimumSize = (width: 112, height: 80)

    /// Draws the stamp over the upper part of an I420 or NV12 picture that nobody else sees yet.
    ///
    /// - Returns: false, with nothing drawn, for a picture in BGRA or smaller than `minimumSize`.
    @discardableResult
    public func draw(into buffer: PixelBuffer) -> Bool {
        guard let grid = StampGrid(buffer) else { return false }
        let bits = self.bits
        var row = [UInt8](repeating: 0, count: buffer.width)
        buffer.withPlanes { planes in
            for block in 0..<StampGrid.blockRows {
                for column in 0..<StampGrid.columns {
                    let isWhite = bits[block / 2 * StampGrid.columns + column] == block.isMultiple(of: 2)
                    for x in grid.columns(column) { row[x] = isWhite ? Self.white : Self.black }
                }
                for y in grid.rows(block) { planes[0].row(y).update(from: row, count: row.count) }
            }
            for index in planes.indices.dropFirst() {
                let rows = min(planes[index].height, (grid.height + 1) / 2)
                planes[index].start.update(repeating: 128, count: rows * planes[index].stride)
            }
        }
        return true
    }

    /// The stamp in a picture; nil when any bit is unclear, the checksum is wrong or the picture has no room for one.
    public static func read(from buffer: PixelBuffer) -> FrameStamp? {
        guard let grid = StampGrid(buffer) else { return nil }
        let differences = buffer.withPlanes { planes in
            stride(from: 0, to: StampGrid.blockRows, by: 2).flatMap { row in
                (0..<StampGrid.columns).map { column in
                    grid.brightness(planes[0], row: row, column: column)
                        - grid.brightness(planes[0], row: row + 1, column: column)
                }
            }
        }
        guard differences.allSatisfy({ abs($0) >= leastContrast }) else { return nil }
        return FrameStamp(bits: differences.map { $0 > 0 })
    }

    private static let white: UInt8 = 235
    private static let black: UInt8 = 16
    /// How far a block must differ from its complement, of the 219 that it differs by when drawn.
    private static let leastContrast = 40

    private var bits: [Bool] {
        var bytes = Self.littleEndian(UInt64(number), count: 4)
        bytes += Self.littleEndian(UInt64(bitPattern: captureTime), count: 8)
        bytes += Self.littleEndian(UInt64(Self.checksum(bytes)), count: 2)
        return Self.whitened(bytes).flatMap { byte in (0..<8).map { byte >> $0 & 1 == 1 } }
    }

    private init?(bits: [Bool]) {
        let packed: [UInt8] = stride(from: 0, to: bits.count, by: 8).map { start in
            var byte: UInt8 = 0
            for index in 0..<8 where bits[start + index] { byte |= 1 << UInt8(index) }
            return byte
        }
        let bytes = Self.whitened(packed)
        guard bytes.count == 14, UInt64(Self.checksum(Array(bytes[0..<12]))) == Self.number(bytes[12..<14]) else {
            return nil
        }
        number = UInt32(truncatingIfNeeded: Self.number(bytes[0..<4]))
        captureTime = Int64(bitPattern: Self.number(bytes[4..<12]))
    }

    /// Mixes in a fixed pattern (and out again), so that small numbers do not become large even areas.
    private static func whitened(_ bytes: [UInt8]) -> [UInt8] {
        bytes.enumerated().map { $1 ^ UInt8(truncatingIfNeeded: 0x5A &+ $0 &* 0x3B) }
    }

    private static func littleEndian(_ value: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// CRC-16 with the polynomial 0x1021, from 0xFFFF (CRC-16/CCITT-FALSE).
    static func checksum(_ bytes: [UInt8]) -> UInt16 {
        bytes.reduce(0xFFFF) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte) << 8) { value, _ in
                value & 0x8000 != 0 ? value << 1 ^ 0x1021 : value << 1
            }
        }
    }
}

/// Where a stamp's blocks lie in a picture.
private struct StampGrid {
    static let columns = 28
    static let blockRows = 8

    let width: Int
    /// Rows that the stamp covers.
    let height: Int

    init?(_ buffer: PixelBuffer) {
        guard buffer.format != .bgra, buffer.width >= FrameStamp.minimumSize.width,
            buffer.height >= FrameStamp.minimumSize.height
        else { return nil }
        width = buffer.width
        height = buffer.height * 2 / 5
    }

    func columns(_ index: Int) -> Range<Int> {
        (index * width / Self.columns)..<((index + 1) * width / Self.columns)
    }

    func rows(_ index: Int) -> Range<Int> {
        (index * height / Self.blockRows)..<((index + 1) * height / Self.blockRows)
    }

    /// The mean of a block's inner half, which its neighbours hardly bleed into; of at most 8×8 samples.
    func brightness(_ luma: PixelMemory.Plane, row: Int, column: Int) -> Int {
        let (xs, ys) = (inner(columns(column)), inner(rows(row)))
        var (sum, count) = (0, 0)
        for y in stride(from: ys.lowerBound, to: ys.upperBound, by: max(1, ys.count / 8)) {
            for x in stride(from: xs.lowerBound, to: xs.upperBound, by: max(1, xs.count / 8)) {
                sum += Int(luma.row(y)[x])
                count += 1
            }
        }
        return sum / max(1, count)
    }

    private func inner(_ range: Range<Int>) -> Range<Int> {
        let edge = range.count / 4
        return (range.lowerBound + edge)..<(range.upperBound - edge)
    }
}
