// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import Testing

@Suite struct FrameTests {
    private static var sample: Frame {
        var frame = Frame(
            session: SessionPair(sender: 0x0102_0304_0506_0708, answered: 0x1112_1314_1516_1718), stream: .text,
            type: .message)
        frame.sequence = 0x2122_2324
        frame.fragment = Fragment(index: 1, count: 3)
        frame.acknowledgement = Acknowledgement(next: 0x3132_3334, bitmap: 0x4142_4344)
        frame.fields = [0xF0, 0xF1]
        return frame
    }

    @Test func `the layout is the documented one`() throws {
        let expected: [UInt8] = [
            0x52, 0x76, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 2, 0x21, 0x22,
            0x23, 0x24, 1, 3, 0x31, 0x32, 0x33, 0x34, 0x41, 0x42, 0x43, 0x44, 14, 0xF0, 0xF1,
        ]
        #expect(Self.sample.bytes == expected)
        #expect(try Frame(parsing: expected, versions: 1...1) == Self.sample)
    }

    @Test(arguments: 0..<Frame.headerBytes)
    func `a frame cut off in its header is refused`(_ length: Int) {
        let bytes = Array(Self.sample.bytes.prefix(length))
        #expect(throws: ControlDrop.truncatedFrame) { try Frame(parsing: bytes, versions: 1...1) }
    }

    @Test func `a datagram of 1,188 bytes is read and a longer one is not`() throws {
        var bytes = Self.sample.bytes
        bytes += Array(repeating: 0, count: 1_188 - bytes.count)
        #expect(try Frame(parsing: bytes, versions: 1...1).fields.count == Frame.payloadBytes)
        bytes.append(0)
        #expect(throws: ControlDrop.oversizedFrame) { try Frame(parsing: bytes, versions: 1...1) }
    }

    @Test(
        arguments: [
            (0, 0x53, .notControl), (1, 0x77, .notControl),
            (2, 0, .unsupportedVersion), (2, 2, .unsupportedVersion),
            (20, 0, .unknownStream), (20, 3, .unknownStream), (35, 1, .unknownStream),
            (25, 3, .badFragment), (26, 0, .badFragment), (26, 9, .badFragment), (35, 0, .badFragment),
        ] as [(Int, UInt8, ControlDrop)])
    func `a byte that cannot be is refused with its reason`(_ offset: Int, byte: UInt8, reason: ControlDrop) {
        var bytes = Self.sample.bytes
        bytes[offset] = byte
        #expect(throws: reason) { try Frame(parsing: bytes, versions: 1...1) }
    }

    @Test func `a sender without a nonce is refused`() {
        var frame = Self.sample
        frame.session.sender = 0
        #expect(throws: ControlDrop.zeroNonce) { try Frame(parsing: frame.bytes, versions: 1...1) }
    }

    @Test func `another version is refused before anything else of it is read`() {
        #expect(throws: ControlDrop.unsupportedVersion) {
            try Frame(parsing: [0x52, 0x76, 9], versions: 1...8)
        }
    }

    @Test func `a hello is read as version 1 whatever is spoken, and in no other version`() throws {
        var hello = Frame(session: SessionPair(sender: 1, answered: 0), stream: .link, type: .hello)
        #expect(try Frame(parsing: hello.bytes, versions: 5...6) == hello)
        hello.version = 5
        #expect(throws: ControlDrop.unsupportedVersion) { try Frame(parsing: hello.bytes, versions: 5...6) }
    }

    @Test func `reserved flags are ignored`() throws {
        var bytes = Self.sample.bytes
        bytes[3] = 0xFE
        #expect(try Frame(parsing: bytes, versions: 1...1) == Self.sample)
    }
}
