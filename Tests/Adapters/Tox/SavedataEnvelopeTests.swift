// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import Testing

@testable import RevueTox

struct SavedataEnvelopeTests {
    private let envelope: SavedataEnvelope

    init() throws {
        let key = try #require(PeerID(bytes: 0..<32))
        envelope = SavedataEnvelope(publicKey: key, friendCount: 3, payload: (0..<600).map { UInt8($0 % 251) })
    }

    @Test func `an envelope reads back as it was written`() throws {
        #expect(try SavedataEnvelope(parsing: envelope.bytes) == envelope)
        var empty = envelope
        empty.payload = []
        #expect(try SavedataEnvelope(parsing: empty.bytes) == empty)
    }

    @Test func `the checksum is CRC-64 XZ`() {
        var checksum = CRC64()
        checksum.add(Array("123456789".utf8)[...])
        #expect(checksum.value == 0x995D_C9BB_DF19_39FA)
    }

    @Test func `an envelope cut at any length is refused`() {
        let bytes = envelope.bytes
        for length in 0..<bytes.count {
            #expect(throws: SavedataEnvelope.Damage.self, "length \(length)") {
                try SavedataEnvelope(parsing: Array(bytes.prefix(length)))
            }
        }
    }

    @Test func `an envelope with anything appended is refused`() {
        let count = envelope.payload.count
        #expect(throws: SavedataEnvelope.Damage.wrongLength(expected: count, found: count + 1)) {
            try SavedataEnvelope(parsing: envelope.bytes + [0])
        }
    }

    @Test func `any flipped bit is refused`() {
        let bytes = envelope.bytes
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: SavedataEnvelope.Damage.self, "bit \(bit)") { try SavedataEnvelope(parsing: damaged) }
        }
    }

    @Test func `a format of the future is named as such`() {
        var bytes = envelope.bytes
        bytes[5] = 2
        #expect(throws: SavedataEnvelope.Damage.newerVersion(2)) { try SavedataEnvelope(parsing: bytes) }
    }
}
