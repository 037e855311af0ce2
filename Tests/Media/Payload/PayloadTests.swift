// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

@Suite struct VP8DescriptorTests {
    static func all() -> [VP8Descriptor] {
        var all: [VP8Descriptor] = []
        for start in [false, true] {
            for picture in [nil, VP8Descriptor.PictureID(127, .short), .init(0x7FFF, .long), .init(5, .long)] {
                for layer in [nil, VP8Descriptor.Layer(temporal: 2, isSync: true)] {
                    for key in [nil, UInt8(17)] {
                        var descriptor = VP8Descriptor(isPartitionStart: start)
                        descriptor.pictureID = picture
                        descriptor.layer = layer
                        descriptor.baseIndex = layer == nil ? nil : 200
                        descriptor.keyIndex = key
                        descriptor.partition = 3
                        descriptor.isNonReference = start
                        all.append(descriptor)
                    }
                }
            }
        }
        return all
    }

    @Test(arguments: all())
    func `a descriptor survives writing and reading`(descriptor: VP8Descriptor) throws {
        let bytes = try #require(written { descriptor.write(into: $0) })
        #expect(bytes.count == descriptor.byteCount)
        #expect((bytes + [1]).withUnsafeBytes { VP8Descriptor.parse($0) } == descriptor)
    }

    @Test(arguments: all())
    func `a descriptor cut anywhere, or with nothing behind it, is refused`(descriptor: VP8Descriptor) throws {
        let bytes = try #require(written { descriptor.write(into: $0) })
        for length in 0...bytes.count {
            #expect(Array(bytes.prefix(length)).withUnsafeBytes { VP8Descriptor.parse($0) } == nil)
        }
    }

    @Test func `no three bytes make the descriptor trap`() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                for third: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                    _ = [first, second, third].withUnsafeBytes { VP8Descriptor.parse($0) }
                }
            }
        }
    }
}

@Suite struct OpusPacketTests {
    @Test(
        arguments: [
            ([0xF8, 0], Int64(960)), ([0x08], 960), ([0x00], 480), ([0x18], 2_880), ([0x60], 480), ([0x68], 960),
            ([0xE0], 120), ([0xF9], 1_920), ([0xFB, 3], 2_880), ([0x1B, 2], 5_760),
        ] as [([UInt8], Int64)])
    func `the first bytes tell the length`(bytes: [UInt8], samples: Int64) {
        #expect(bytes.withUnsafeBytes { OpusPacket.samples(in: $0) } == samples)
    }

    @Test(arguments: [[], [0xFB], [0xFB, 0], [0x1B, 3], [0xFB, 0x3F]] as [[UInt8]])
    func `an impossible length is none`(bytes: [UInt8]) {
        #expect(bytes.withUnsafeBytes { OpusPacket.samples(in: $0) } == nil)
    }
}
