// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime
import Testing

@Suite struct IdentityTextTests {
    /// Base58 computed by big-integer arithmetic outside of this package.
    private static let peers: [(bytes: [UInt8], base58: String)] = [
        (Array(1...32), "4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw"),
        ([0, 0] + Array(200...229), "11hEVJ5SEjZgCmDbY5X4G3T2Y5x7ox44rDyDLXqQLPe"),
        (Array(repeating: 0xFF, count: 32), "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG"),
        (Array(repeating: 0, count: 32), String(repeating: "1", count: 32)),
    ]

    /// An address that another Tox client published.
    private static let published = "76518406F6A9F2217E8DC487CC783C25CC16A15EB36FF32E335A235342C48A39218F515C39A6"
    private static let publishedBase58 = "JW9runr4mGN8wdS7SWPQNb9ac7MVRMEwXQhxFU3oFwZR7gWqVWZK"

    @Test(arguments: Self.peers.indices)
    func `a peer has the Base58 form that others compute`(_ index: Int) throws {
        let (bytes, base58) = Self.peers[index]
        let peer = try #require(PeerID(bytes: bytes))
        #expect(peer.base58 == base58)
        #expect(try PeerID(parsing: base58) == peer)
    }

    @Test func `hexadecimal is written in capitals and read in either case`() throws {
        let peer = try #require(PeerID(bytes: Array(0xE0...0xFF)))
        #expect(peer.hexadecimal == "E0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF")
        #expect(try PeerID(parsing: peer.hexadecimal) == peer)
        #expect(try PeerID(parsing: peer.hexadecimal.lowercased()) == peer)
    }

    @Test func `an address that another client shows is read and written in both forms`() throws {
        let address = try FriendAddress(parsing: Self.published)
        #expect(address.nospam == 0x218F_515C)
        #expect(address.hexadecimal == Self.published)
        #expect(address.base58 == Self.publishedBase58)
        #expect(try FriendAddress(parsing: Self.publishedBase58) == address)
        #expect(try FriendAddress(bytes: address.bytes) == address)
    }

    @Test func `random identities survive all forms`() throws {
        var generator = SeededGenerator(seed: 4)
        for round in 0..<200 {
            var bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
            for index in 0..<(round % 4) { bytes[index] = 0 }
            let peer = try #require(PeerID(bytes: bytes))
            let address = FriendAddress(peer: peer, nospam: .random(in: 0 ... .max, using: &generator))
            #expect(try PeerID(parsing: peer.base58) == peer)
            #expect(try PeerID(parsing: peer.hexadecimal) == peer)
            #expect(try FriendAddress(parsing: address.base58) == address)
            #expect(try FriendAddress(parsing: address.hexadecimal) == address)
        }
    }

    @Test(
        arguments: [
            ("", .empty),
            (" 4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw", .whitespace(at: 0)),
            ("4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw\n", .whitespace(at: 43)),
            ("4wBqp\tM9", .whitespace(at: 5)),
            ("4wBqpé9", .notASCII(at: 5)),
            ("４wBq", .notASCII(at: 0)),
            ("4wB0pZM9", .badCharacter(at: 3)),
            ("4wBOpZM9", .badCharacter(at: 3)),
            ("4wBIpZM9", .badCharacter(at: 3)),
            ("4wBlpZM9", .badCharacter(at: 3)),
            ("4wB\0pZM9", .badCharacter(at: 3)),
            ("tox:4wBq", .badCharacter(at: 3)),
            ("2NEpo7TZRRrLZSi2U", .wrongLength(count: 12, expected: 32)),
            (String(repeating: "1", count: 31), .wrongLength(count: 31, expected: 32)),
            (String(repeating: "1", count: 33), .wrongLength(count: 33, expected: 32)),
            (String(repeating: "A", count: 63), .wrongLength(count: 46, expected: 32)),
            (String(repeating: "A", count: 63) + "G", .badCharacter(at: 63)),
            (String(repeating: "A", count: 77), .tooLong(count: 77, limit: 76)),
            (Self.published, .isFriendAddress),
            (Self.publishedBase58, .isFriendAddress),
        ] as [(String, IdentityTextError)])
    func `a malformed peer is refused with its reason`(_ text: String, reason: IdentityTextError) {
        #expect(throws: reason) { try PeerID(parsing: text) }
    }

    @Test(
        arguments: [
            ("", .empty),
            (Self.published + " ", .tooLong(count: 77, limit: 76)),
            (String(Self.published.dropLast()) + " ", .whitespace(at: 75)),
            (String(Self.published.dropLast()) + "Z", .badCharacter(at: 75)),
            (String(Self.published.dropLast()) + "7", .badChecksum),
            ("8" + String(Self.published.dropFirst()), .badChecksum),
            (String(Self.publishedBase58.dropLast()) + "L", .badChecksum),
            (String(Self.publishedBase58.dropLast(2)), .wrongLength(count: 37, expected: 38)),
            (String(Self.published.dropLast(12)), .isPeerID),
            ("4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw", .isPeerID),
        ] as [(String, IdentityTextError)])
    func `a malformed address is refused with its reason`(_ text: String, reason: IdentityTextError) {
        #expect(throws: reason) { try FriendAddress(parsing: text) }
    }

    @Test func `each wrong digit of an address is noticed`() {
        let digits = Array(Self.published)
        for position in digits.indices {
            var changed = digits
            changed[position] = digits[position] == "0" ? "1" : "0"
            #expect(throws: IdentityTextError.badChecksum) { try FriendAddress(parsing: String(changed)) }
        }
    }

    @Test func `a huge text is refused without being read`() {
        let text = String(repeating: "z", count: 5_000_000)
        #expect(throws: IdentityTextError.tooLong(count: 5_000_000, limit: 76)) { try PeerID(parsing: text) }
        #expect(throws: IdentityTextError.tooLong(count: 5_000_000, limit: 76)) { try FriendAddress(parsing: text) }
    }

    @Test(arguments: [0, 37, 39, 1_000])
    func `address bytes of another length are refused`(_ count: Int) {
        #expect(throws: IdentityTextError.wrongLength(count: count, expected: 38)) {
            try FriendAddress(bytes: [UInt8](repeating: 0, count: count))
        }
    }

    @Test func `address bytes with a wrong checksum are refused`() throws {
        var bytes = try FriendAddress(parsing: Self.published).bytes
        bytes[37] ^= 1
        #expect(throws: IdentityTextError.badChecksum) { try FriendAddress(bytes: bytes) }
    }
}
