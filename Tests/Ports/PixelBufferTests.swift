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
            buffer.bytes(ofPlane: index).update(repeating: UInt8(index + 1))
        }
        for index in buffer.planes.indices {
            #expect(buffer.bytes(ofPlane: index).allSatisfy { $0 == UInt8(index + 1) })
        }
    }

    @Test(arguments: [(0, 1), (1, 0), (-1, 5), (16_385, 1), (1, 16_385), (Int.max, Int.max)])
    func `a size that no picture has gives no buffer and no pool`(width: Int, height: Int) {
        #expect(PixelBuffer(width: width, height: height, format: .bgra) == nil)
        #expect(PixelBufferPool(width: width, height: height, format: .bgra) == nil)
    }

    @Test func `a pool gives memory out again once the last reference is gone`() throws {
        let pool = try #require(PixelBufferPool(width: 64, height: 64, format: .i420))
        var first: PixelBuffer? = pool.make()
        let address = first?.baseAddress(ofPlane: 0)
        let second = pool.make()
        #expect(second.baseAddress(ofPlane: 0) != address)
        first = nil
        #expect(pool.make().baseAddress(ofPlane: 0) == address)
    }

    @Test func `a pool keeps no more than it was told to`() throws {
        let pool = try #require(PixelBufferPool(width: 64, height: 64, format: .i420, keep: 2))
        // Under the address sanitizer a use of freed memory would show; here, that all of this is harmless.
        for _ in 0..<3 {
            let buffers = (0..<10).map { _ in pool.make() }
            for buffer in buffers { buffer.bytes(ofPlane: 0).update(repeating: 1) }
            #expect(Set(buffers.map { $0.baseAddress(ofPlane: 0) }).count == 10)
        }
    }

    @Test func `a buffer outlives the last other reference to its pool`() throws {
        let buffer = try #require(PixelBufferPool(width: 64, height: 64, format: .i420)).make()
        buffer.bytes(ofPlane: 0).update(repeating: 9)
        #expect(buffer.bytes(ofPlane: 0).allSatisfy { $0 == 9 })
    }
}
