// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain

/// What the transport saves: identity, profile, friends and where they were.
///
/// As bytes: `"RVUD" · version (2) · length of the content (4) · FNV-1a of all else (8) · content`, integers big-endian.
/// A single changed byte never goes unseen, because each step of FNV-1a is a bijection.
struct LabAccount: Equatable {
    /// Who we are: 32 random bytes and a nospam. Nothing proves that they are ours.
    struct Identity: Equatable {
        var peer: PeerID
        var nospam: UInt32
        var address: FriendAddress { FriendAddress(peer: peer, nospam: nospam) }
    }

    struct Friend: Equatable {
        struct Request: Equatable {
            var nospam: UInt32
            var message: String
        }
        var peer: PeerID
        var profile = Profile()
        var endpoint: Endpoint?
        var request: Request?
    }

    var identity: Identity
    var profile = Profile()
    var friends: [Friend] = []

    static let version: UInt16 = 1
    static let headerBytes = 18
    private static let magic = Array("RVUD".utf8)

    init(identity: Identity, profile: Profile = Profile(), friends: [Friend] = []) {
        self.identity = identity
        self.profile = profile
        self.friends = friends
    }

    /// A new identity.
    init() {
        let bytes = (0..<PeerID.byteCount).map { _ in UInt8.random(in: 0...255) }
        guard let peer = PeerID(bytes: bytes) else { preconditionFailure("32 bytes are a peer") }
        self.init(identity: Identity(peer: peer, nospam: .random(in: 1...UInt32.max)))
    }

    /// Why bytes are no account; the words of an error message.
    struct Damage: Error, Equatable {
        var reason: String
    }

    /// The account in bytes that are whole.
    init(savedata: [UInt8]) throws(Damage) {
        guard savedata.count >= Self.headerBytes else { throw Damage(reason: "shorter than its header") }
        guard savedata.starts(with: Self.magic) else { throw Damage(reason: "not written by this transport") }
        let version = integer(savedata[4..<6])
        guard version == UInt64(Self.version) else {
            throw Damage(reason: "format version \(version), this program knows \(Self.version)")
        }
        let content = savedata[Self.headerBytes...]
        let length = integer(savedata[6..<10])
        guard length == UInt64(content.count) else {
            throw Damage(reason: "\(content.count) bytes of content instead of \(length)")
        }
        guard integer(savedata[10..<18]) == Self.checksum(savedata[0..<10], content) else {
            throw Damage(reason: "checksum does not match")
        }
        guard let account = Self.parse(content) else { throw Damage(reason: "content that makes no sense") }
        self = account
    }

    /// The account as bytes.
    var savedata: [UInt8] {
        var content = identity.peer.bytes + bigEndian(UInt64(identity.nospam), 4)
        Self.append(profile, to: &content)
        content += bigEndian(UInt64(friends.count), 4)
        for friend in friends {
            content += friend.peer.bytes
            Self.append(friend.profile, to: &content)
            content.append(friend.endpoint == nil ? 0 : 1)
            content += friend.endpoint?.bytes ?? []
            content.append(friend.request == nil ? 0 : 1)
            guard let request = friend.request else { continue }
            content += bigEndian(UInt64(request.nospam), 4)
            Self.append(request.message, to: &content)
        }
        return Self.framed(content)
    }

    /// Content with its header before it.
    static func framed(_ content: [UInt8]) -> [UInt8] {
        let header = magic + bigEndian(UInt64(version), 2) + bigEndian(UInt64(content.count), 4)
        return header + bigEndian(checksum(header[...], content[...]), 8) + content
    }

    private static func parse(_ content: ArraySlice<UInt8>) -> LabAccount? {
        var reader = ContentReader(rest: content)
        guard let peer = reader.peer(), let nospam = reader.number(4), let profile = reader.profile(),
            let count = reader.number(4)
        else { return nil }
        var account = LabAccount(identity: Identity(peer: peer, nospam: UInt32(truncatingIfNeeded: nospam)))
        account.profile = profile
        // A count too high ends at the content's end, long before memory does.
        for _ in 0..<count {
            guard let friend = reader.friend() else { return nil }
            account.friends.append(friend)
        }
        return reader.rest.isEmpty ? account : nil
    }

    private static func append(_ profile: Profile, to content: inout [UInt8]) {
        append(profile.name, to: &content)
        append(profile.statusMessage, to: &content)
        content.append(profile.availability.rawValue)
    }

    private static func append(_ text: String, to content: inout [UInt8]) {
        content += bigEndian(UInt64(text.utf8.count), 2) + Array(text.utf8)
    }

    private static func checksum(_ header: ArraySlice<UInt8>, _ content: ArraySlice<UInt8>) -> UInt64 {
        func add(_ start: UInt64, _ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
        return add(add(0xCBF2_9CE4_8422_2325, header), content)
    }
}

/// Reads an account's content from the front; nil instead of reading past the end.
private struct ContentReader {
    var rest: ArraySlice<UInt8>

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number(_ count: Int) -> UInt64? { take(count).map { integer($0) } }
    mutating func peer() -> PeerID? { take(PeerID.byteCount).flatMap { PeerID(bytes: $0) } }

    mutating func text() -> String? {
        guard let count = number(2), let bytes = take(Int(count)) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    mutating func profile() -> Profile? {
        guard let name = text(), let message = text(), let raw = number(1),
            let availability = Availability(rawValue: UInt8(truncatingIfNeeded: raw))
        else { return nil }
        return Profile(name: name, statusMessage: message, availability: availability)
    }

    mutating func friend() -> LabAccount.Friend? {
        guard let peer = peer(), let profile = profile(), let hasEndpoint = number(1) else { return nil }
        var friend = LabAccount.Friend(peer: peer, profile: profile)
        if hasEndpoint != 0 {
            guard let endpoint = take(Endpoint.byteCount).flatMap({ Endpoint(bytes: $0) }) else { return nil }
            friend.endpoint = endpoint
        }
        guard let hasRequest = number(1) else { return nil }
        if hasRequest != 0 {
            guard let nospam = number(4), let message = text() else { return nil }
            friend.request = .init(nospam: UInt32(truncatingIfNeeded: nospam), message: message)
        }
        return friend
    }
}
