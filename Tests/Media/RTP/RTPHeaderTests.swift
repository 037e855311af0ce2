// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import Testing

@Suite struct RTPHeaderTests {
    static let full = RTPExtensions(
        audioLevel: AudioLevel(level: 30, isVoice: true), transportSequence: 0xABCD,
        absoluteCaptureTime: 0x0102_0304_0506_0708, isMuted: true)

    @Test(arguments: [
        RTPExtensions(), full, RTPExtensions(isMuted: false), RTPExtensions(transportSequence: 1),
        RTPExtensions(audioLevel: AudioLevel(level: 127, isVoice: false)),
        RTPExtensions(absoluteCaptureTime: .max, isMuted: true),
    ])
    func `a header survives writing and reading`(extensions: RTPExtensions) throws {
        let original = RTPHeader(
            payloadType: 96, marker: true, sequenceNumber: 65_535, timestamp: .max, ssrc: 0x1234_5678,
            extensions: extensions)
        var packet = try #require(written { original.write(into: $0) })
        #expect(packet.count % 4 == 0)
        packet += [1, 2, 3]
        let parsed = try header(of: packet)
        #expect(parsed.extensions == extensions)
        #expect(parsed.payloadRange == packet.count - 3..<packet.count)
        #expect(parsed.payloadType == 96 && parsed.marker && parsed.sequenceNumber == 65_535)
        #expect(parsed.timestamp == .max && parsed.ssrc == 0x1234_5678)
    }

    @Test func `extension elements have the documented bytes`() throws {
        let original = RTPHeader(
            payloadType: 111, marker: false, sequenceNumber: 1, timestamp: 2, ssrc: 3, extensions: Self.full)
        let packet = try #require(written { original.write(into: $0) })
        let block: [UInt8] = [
            0xBE, 0xDE, 0, 4, 0x10, 0x9E, 0x21, 0xAB, 0xCD, 0x37, 1, 2, 3, 4, 5, 6, 7, 8, 0x40, 1,
        ]
        #expect(Array(packet[12...]) == block)
    }

    @Test func `contributing sources and padding are left out of the payload`() throws {
        let packet: [UInt8] =
            [0xA2, 96, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3] + [9, 9, 9, 9, 8, 8, 8, 8] + [1, 2, 0, 0, 3]
        #expect(try header(of: packet).payloadRange == 20..<22)
    }

    @Test func `a packet of padding alone has an empty payload`() throws {
        let packet: [UInt8] = [0xA0, 96, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4]
        #expect(try header(of: packet).payloadRange.isEmpty)
    }

    @Test(arguments: [0, 5, 255])
    func `impossible padding is refused`(length: UInt8) {
        let packet: [UInt8] = [0xA0, 96, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, length]
        #expect(throws: RTPParseError.malformedPadding) { try header(of: packet) }
    }

    @Test func `a header cut anywhere is refused`() throws {
        let original = RTPHeader(
            payloadType: 96, marker: false, sequenceNumber: 1, timestamp: 2, ssrc: 3, extensions: Self.full)
        let packet = try #require(written { original.write(into: $0) })
        for length in 0..<packet.count {
            #expect(throws: RTPParseError.truncated) { try header(of: Array(packet.prefix(length))) }
            #expect(written(capacity: length) { original.write(into: $0) } == nil)
        }
    }

    @Test(arguments: [UInt8(0), 1, 3])
    func `another version is refused`(version: UInt8) {
        let packet: [UInt8] = [version << 6, 96, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]
        #expect(throws: RTPParseError.unsupportedVersion(version)) { try header(of: packet) }
    }

    static func packet(profile: UInt16 = 0xBEDE, block: [UInt8]) -> [UInt8] {
        [0x90, 96, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, UInt8(profile >> 8), UInt8(profile & 0xFF), 0, UInt8(block.count / 4)]
            + block + [7]
    }

    @Test func `an element past its block is refused`() {
        #expect(throws: RTPParseError.malformedExtensions) { try header(of: Self.packet(block: [0x3F, 0, 0, 0])) }
    }

    @Test func `unknown elements, wrong lengths and other profiles are skipped`() throws {
        let unknown = Self.packet(block: [0xE1, 1, 2, 0x40, 1, 0, 0, 0])
        #expect(try header(of: unknown).extensions == RTPExtensions(isMuted: true))
        let wrongLength = Self.packet(block: [0x11, 1, 2, 0x40, 0, 0, 0, 0])
        #expect(try header(of: wrongLength).extensions == RTPExtensions(isMuted: false))
        let twoByteForm = Self.packet(profile: 0x1000, block: [4, 1, 1, 0])
        #expect(try header(of: twoByteForm).extensions == RTPExtensions())
        #expect(try header(of: twoByteForm).payloadRange == 20..<21)
    }

    @Test func `identifier 15 ends the elements`() throws {
        let packet = Self.packet(block: [0xF0, 0x40, 1, 0x40])
        #expect(try header(of: packet).extensions == RTPExtensions())
    }

    @Test func `a capture time with a clock offset is read without it`() throws {
        let block: [UInt8] = [0x3F, 0, 0, 0, 1, 0, 0, 0, 2] + [UInt8](repeating: 9, count: 8) + [0, 0, 0]
        #expect(try header(of: Self.packet(block: block)).extensions.absoluteCaptureTime == 0x1_0000_0002)
    }
}

@Suite struct DatagramKindTests {
    @Test(
        arguments: [
            ([0x80, 96], DatagramKind.rtp), ([0xBF, 0xE0], .rtp), ([0x80, 200], .rtcp), ([0x81, 206], .rtcp),
            ([0x80, 223], .rtcp), ([0x80, 224], .rtp), ([0x80, 191], .rtp), ([0x52, 0x76], .control),
            ([0x52], .unknown),
            ([], .unknown), ([0x7F, 0], .unknown), ([0xC0, 0], .unknown),
        ] as [([UInt8], DatagramKind)])
    func `the first two bytes tell what a datagram is`(bytes: [UInt8], kind: DatagramKind) {
        #expect(bytes.withUnsafeBytes { DatagramKind.of($0) } == kind)
    }

    @Test func `our payload types are never taken for RTCP`() {
        for payload in MediaPayload.allCases {
            for marker in [UInt8(0), 0x80] {
                let bytes: [UInt8] = [0x80, payload.rawValue | marker]
                #expect(bytes.withUnsafeBytes { DatagramKind.of($0) } == .rtp)
            }
        }
    }
}
