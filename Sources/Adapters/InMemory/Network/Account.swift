// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime

/// What a transport in the simulated network saves: identity, profile and friends.
struct Account: Equatable {
    struct Friend: Equatable {
        /// A request that has not led to a contact yet.
        struct Request: Equatable {
            var nospam: UInt32
            var message: String
        }
        var peer: PeerID
        var profile = Profile()
        var request: Request?
    }

    var peer: PeerID
    var nospam: UInt32
    var profile = Profile()
    var friends: [Friend] = []

    func position(of peer: PeerID) -> Int? { friends.firstIndex { $0.peer == peer } }

    /// A new identity.
    init(using generator: inout SeededGenerator) {
        var bytes: [UInt8] = []
        for _ in 0..<PeerID.byteCount { bytes.append(UInt8.random(in: 0...255, using: &generator)) }
        guard let peer = PeerID(bytes: bytes) else { preconditionFailure("32 bytes are a key") }
        self.peer = peer
        nospam = UInt32.random(in: 1...UInt32.max, using: &generator)
    }
}

/// Account ↔ bytes: `RVIM`, format, body length, body, FNV-1a of all before it. Big-endian.
///
/// Each step of FNV-1a is a bijection of its state, so a change within one byte never goes unseen.
extension Account {
    private static let magic: [UInt8] = Array("RVIM".utf8)
    private static let format: UInt8 = 1
    private static let headerBytes = 9
    private static let checksumBytes = 8

    var savedata: [UInt8] {
        var body = SavedataWriter()
        body.append(peer.bytes)
        body.append(UInt64(nospam), bytes: 4)
        body.append(profile)
        body.append(UInt64(friends.count), bytes: 4)
        for friend in friends {
            body.append(friend.peer.bytes)
            body.append(friend.profile)
            body.append(friend.request == nil ? 0 : 1, bytes: 1)
            guard let request = friend.request else { continue }
            body.append(UInt64(request.nospam), bytes: 4)
            body.append(request.message)
        }
        var file = SavedataWriter()
        file.append(Account.magic)
        file.append(UInt64(Account.format), bytes: 1)
        file.append(UInt64(body.bytes.count), bytes: 4)
        file.append(body.bytes)
        file.append(fnv1a(file.bytes), bytes: Account.checksumBytes)
        return file.bytes
    }

    /// The account that these bytes hold, or nil unless they are whole.
    init?(savedata: [UInt8]) {
        let end = savedata.count - Account.checksumBytes
        guard end >= Account.headerBytes, savedata.starts(with: Account.magic) else { return nil }
        var trailer = SavedataReader(savedata[end...])
        guard trailer.number(bytes: Account.checksumBytes) == fnv1a(savedata[..<end]) else { return nil }
        var reader = SavedataReader(savedata[Account.magic.count..<end])
        guard reader.number(bytes: 1) == UInt64(Account.format), let length = reader.number(bytes: 4),
            length == UInt64(end - Account.headerBytes), let peer = reader.peer(), let nospam = reader.number(bytes: 4),
            let profile = reader.profile(), let count = reader.number(bytes: 4)
        else { return nil }
        self.peer = peer
        self.nospam = UInt32(truncatingIfNeeded: nospam)
        self.profile = profile
        for _ in 0..<count {
            guard let friend = reader.friend() else { return nil }
            friends.append(friend)
        }
        guard reader.isAtEnd else { return nil }
    }
}

func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
}

private struct SavedataWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ more: [UInt8]) { bytes += more }
    mutating func append(_ number: UInt64, bytes count: Int) {
        for index in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
    }
    mutating func append(_ text: String) {
        let utf8 = Array(text.utf8)
        append(UInt64(utf8.count), bytes: 4)
        append(utf8)
    }
    mutating func append(_ profile: Profile) {
        append(profile.name)
        append(profile.statusMessage)
        append(UInt64(profile.availability.rawValue), bytes: 1)
    }
}

private struct SavedataReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func bytes(_ count: UInt64) -> ArraySlice<UInt8>? {
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
    mutating func number(bytes count: Int) -> UInt64? {
        bytes(UInt64(count))?.reduce(0) { $0 << 8 | UInt64($1) }
    }
    mutating func peer() -> PeerID? { bytes(UInt64(PeerID.byteCount)).flatMap { PeerID(bytes: $0) } }
    mutating func text() -> String? {
        guard let count = number(bytes: 4), let utf8 = bytes(count) else { return nil }
        return String(validating: utf8, as: UTF8.self)
    }
    mutating func profile() -> Profile? {
        guard let name = text(), let statusMessage = text(), let raw = number(bytes: 1),
            let availability = Availability(rawValue: UInt8(truncatingIfNeeded: raw))
        else { return nil }
        return Profile(name: name, statusMessage: statusMessage, availability: availability)
    }
    mutating func friend() -> Account.Friend? {
        guard let peer = peer(), let profile = profile(), let hasRequest = number(bytes: 1) else { return nil }
        guard hasRequest != 0 else { return Account.Friend(peer: peer, profile: profile) }
        guard let nospam = number(bytes: 4), let message = text() else { return nil }
        let request = Account.Friend.Request(nospam: UInt32(truncatingIfNeeded: nospam), message: message)
        return Account.Friend(peer: peer, profile: profile, request: request)
    }
}
