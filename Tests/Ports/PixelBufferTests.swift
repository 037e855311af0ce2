// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import Testing

@Suite struct PixelBufferTests {
    @Test(arguments: [(1, 1), (2, 2), (17, 31), (640, 480), (1_279, 719)], PixelFormat.allCases)
    func `planes hold their rows and do not overlap`(size: (width: Int, height: Int), format: PixelFormat) throws {
        let buffer = try #require(PixelBuffer(width: size.width, height: size.height, format: format))
        #expect(buffer.planes.count == format.planeCount)
        for (index, plane) in buffer.planes.enumerated() {
            let sampleBytes = format == .bgra ? 4 : format != .i420 && index == 1 ? 2 : 1
            let isHalved = format != .bgra && index > 0
            #expect(plane.width == (isHalved ? (size.width + 1) / 2 : size.width))
            #expect(plane.height == (isHalved ? (size.height + 1) / 2 : size.height))
            #expect(plane.stride >= plane.width * sampleBytes)
            #expect(plane.offset % 64 == 0)
            if index > 0 {
                let before = buffer.planes[index - 1]
                #expect(plane.offset >= before.offset + before.stride * before.height)
            }
            buffer.fill(plane: index, UInt8(index + 1))
        }
        for index in buffer.planes.indices { #expect(buffer.holds(UInt8(index + 1), inPlane: index)) }
    }

    @Test(arguments: [(0, 1), (1, 0), (-1, 5), (16_385, 1), (1, 16_385), (Int.max, Int.max)])
    func `a size that no picture has gives no buffer and no pool`(width: Int, height: Int) {
        #expect(PixelBuffer(width: width, height: height, format: .bgra) == nil)
        #expect(PixelBufferPool(width: width, height: height, format: .bgra) == nil)
    }

    @Test func `a pool gives memory out again once the last reference is gone`() throws {
        let pool = try #require(PixelBufferPool(width: 64, height: 64, format: .i420))
        var first: PixelBuffer? = pool.make()
        let address = first?.address
        let second = pool.make()
        #expect(second.address != address)
        first = nil
        #expect(pool.make().address == address)
    }

    @Test func `a pool keeps no more than it was told to`() throws {
        let pool = try #require(PixelBufferPool(width: 64, height: 64, format: .i420, keep: 2))
        // Under the address sanitizer a use of freed memory would show; here, that all of this is harmless.
        for _ in 0..<3 {
            let buffers = (0..<10).map { _ in pool.make() }
            for buffer in buffers { buffer.fill(plane: 0, 1) }
            #expect(Set(buffers.map(\.address)).count == 10)
        }
    }

    @Test func `a buffer outlives the last other reference to its pool`() throws {
        let buffer = try #require(PixelBufferPool(width: 64, height: 64, format: .i420)).make()
        buffer.fill(plane: 0, 9)
        #expect(buffer.holds(9, inPlane: 0))
    }

    @Test func `a buffer lives until the call with its planes returns, though nothing else holds it`() throws {
        let pool = try #require(PixelBufferPool(width: 64, height: 64, format: .i420))
        // The pool would give the same memory to the next buffer had the first been let go.
        let isApart = pool.make().withPlanes { planes in
            planes[0].bytes.update(repeating: 1)
            let other = pool.make()
            other.fill(plane: 0, 2)
            return other.address != planes[0].start && planes[0].bytes.allSatisfy { $0 == 1 }
        }
        #expect(isApart)
        let pair = pool.make().withPlanes(and: pool.make()) { first, second in
            Set([first[0].start, second[0].start, pool.make().address]).count
        }
        #expect(pair == 3)
    }

    @Test func `an error passes out of the call with the planes`() throws {
        struct Planted: Error, Equatable {}
        let buffer = try #require(PixelBuffer(width: 2, height: 2, format: .bgra))
        #expect(throws: Planted()) { try buffer.withPlanes { _ throws(Planted) in throw Planted() } }
    }
}

extension PixelBuffer {
    fileprivate func fill(plane: Int, _ value: UInt8) { withPlanes { $0[plane].bytes.update(repeating: value) } }

    fileprivate func holds(_ value: UInt8, inPlane plane: Int) -> Bool {
        withPlanes { $0[plane].bytes.allSatisfy { $0 == value } }
    }

    /// To be compared, never to be followed.
    fileprivate var address: UnsafeMutablePointer<UInt8> { withPlanes { $0[0].start } }
}
