// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts
import Testing

@testable import RevueCore

struct CVPixelBufferTests {
    private func make(_ width: Int, _ height: Int, _ format: OSType) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        #expect(CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, nil, &buffer) == kCVReturnSuccess)
        return try #require(buffer)
    }

    @Test(arguments: [
        (kCVPixelFormatType_420YpCbCr8Planar, PixelFormat.i420),
        (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, .nv12),
        (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, .nv12FullRange),
        (kCVPixelFormatType_32BGRA, .bgra),
    ])
    func `each format code makes its format`(code: OSType, format: PixelFormat) throws {
        let buffer = try make(7, 5, code)
        #expect(buffer.format == format)
        #expect(CVPixelBufferGetPixelFormatType(buffer) == code)
        #expect(CVPixelBufferGetWidth(buffer) == 7)
        #expect(CVPixelBufferGetHeight(buffer) == 5)
    }

    @Test(arguments: [
        (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, "420v"),
        (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, "420f"), (kCVPixelFormatType_32BGRA, "BGRA"),
        (kCVPixelFormatType_420YpCbCr8Planar, "y420"),
    ])
    func `a format code is four characters`(code: OSType, text: String) {
        #expect(text.utf8.reduce(OSType(0)) { $0 << 8 | OSType($1) } == code)
    }

    @Test func `an unknown format or size makes nothing`() throws {
        var buffer: CVPixelBuffer? = try make(2, 2, kCVPixelFormatType_32BGRA)
        #expect(CVPixelBufferCreate(nil, 2, 2, 0x1234, nil, &buffer) == kCVReturnInvalidPixelFormat)
        #expect(buffer == nil)
        for (width, height) in [(0, 2), (2, 0), (-1, 2), (16_385, 2), (Int.max, Int.max)] {
            #expect(
                CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &buffer)
                    == kCVReturnInvalidSize)
            #expect(buffer == nil)
        }
    }

    @Test func `NV12 has two planes, the second of pairs`() throws {
        let buffer = try make(7, 5, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(CVPixelBufferIsPlanar(buffer))
        #expect(CVPixelBufferGetPlaneCount(buffer) == 2)
        #expect((0..<2).map { CVPixelBufferGetWidthOfPlane(buffer, $0) } == [7, 4])
        #expect((0..<2).map { CVPixelBufferGetHeightOfPlane(buffer, $0) } == [5, 3])
        #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 1) >= 8)
        #expect(CVPixelBufferGetBytesPerRow(buffer) == CVPixelBufferGetBytesPerRowOfPlane(buffer, 0))
    }

    @Test func `BGRA lies in one piece`() throws {
        let buffer = try make(3, 2, kCVPixelFormatType_32BGRA)
        #expect(!CVPixelBufferIsPlanar(buffer))
        #expect(CVPixelBufferGetPlaneCount(buffer) == 0)
        #expect(CVPixelBufferGetBytesPerRow(buffer) >= 12)
        #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 0) == nil)
        #expect(CVPixelBufferGetDataSize(buffer) == CVPixelBufferGetBytesPerRow(buffer) * 2)
    }

    @Test(arguments: [-1, 2, .max])
    func `a plane that is not there is nil and 0`(index: Int) throws {
        let buffer = try make(4, 4, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, index) == nil)
        #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, index) == 0)
        #expect(CVPixelBufferGetWidthOfPlane(buffer, index) == 0)
        #expect(CVPixelBufferGetHeightOfPlane(buffer, index) == 0)
    }

    @Test func `what is written through an address is the picture`() throws {
        let buffer = try make(4, 4, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess)
        let luma = try #require(CVPixelBufferGetBaseAddress(buffer))
        let chroma = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, 1))
        luma.storeBytes(of: 81, as: UInt8.self)
        (chroma + CVPixelBufferGetBytesPerRowOfPlane(buffer, 1) + 3).storeBytes(of: 240, as: UInt8.self)
        #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
        #expect(buffer.withPlanes { $0[0].start[0] } == 81)
        #expect(buffer.withPlanes { $0[1].row(1)[3] } == 240)
    }
}
