// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain

/// The transport's own packet, told from every other datagram by its first four bytes. Integers big-endian:
///
/// `"Uvl1" · type (1) · sender (32) · sender's nonce (8) · receiver's nonce answered (8) · sequence (4)
/// · acknowledgement (4) · content`
///
/// 'U' (85) is no first byte of STUN, DTLS, TURN, RTP or RTCP (RFC 7983), nor of a control frame ('R').
struct LabPacket: Equatable {
    enum Content: Equatable {
        /// Looks for a friend, or answers one who looks.
        case hello(receiver: PeerID)
        /// Says that we are there, and what we have received.
        case heartbeat
        /// Carries one item, in order.
        case item(LabItem)
        /// Says that we go.
        case goodbye
        /// Asks for friendship.
        case request(FriendAddress, id: UInt64, message: String)
        /// Says that a request was received.
        case requestReceived(id: UInt64)
    }

    var sender: PeerID
    var nonce: UInt64 = 0
    var answered: UInt64 = 0
    var sequence: UInt32 = 0
    /// The next sequence number that the sender waits for.
    var acknowledgement: UInt32 = 0
    var content: Content

    static let magic: [UInt8] = [0x55, 0x76, 0x6C, 0x31]
    static let headerBytes = 61
    static let requestBytes = 921
    static let textBytes = 1_372
    /// The longest packet: a header, a kind and the longest text; below 1,472, what one Ethernet frame holds over IPv4.
    static let maximumBytes = headerBytes + 1 + textBytes

    /// Whether a datagram is one of ours by its first bytes.
    static func isOwn(_ datagram: UnsafeRawBufferPointer) -> Bool {
        datagram.count >= magic.count && datagram[0] == magic[0] && datagram[1] == magic[1]
            && datagram[2] == magic[2] && datagram[3] == magic[3]
    }

    init(sender: PeerID, content: Content) {
        self.sender = sender
        self.content = content
    }

    /// The packet in a datagram; nil when it is not one, to the last byte.
    init?(parsing datagram: [UInt8]) {
        guard (Self.headerBytes...Self.maximumBytes).contains(datagram.count), datagram.starts(with: Self.magic),
            let sender = PeerID(bytes: datagram[5..<37])
        else { return nil }
        self.sender = sender
        nonce = integer(datagram[37..<45])
        answered = integer(datagram[45..<53])
        sequence = UInt32(truncatingIfNeeded: integer(datagram[53..<57]))
        acknowledgement = UInt32(truncatingIfNeeded: integer(datagram[57..<61]))
        guard let content = Self.content(type: datagram[4], datagram[Self.headerBytes...]) else { return nil }
        self.content = content
    }

    private static func content(type: UInt8, _ rest: ArraySlice<UInt8>) -> Content? {
        switch type {
        case 1: return PeerID(bytes: rest).map { .hello(receiver: $0) }
        case 2: return rest.isEmpty ? .heartbeat : nil
        case 3: return LabItem(parsing: rest).map { .item($0) }
        case 4: return rest.isEmpty ? .goodbye : nil
        case 5:
            let text = rest.dropFirst(FriendAddress.byteCount + 8)
            guard (1...requestBytes).contains(text.count),
                let address = try? FriendAddress(bytes: rest.prefix(FriendAddress.byteCount)),
                let message = String(validating: text, as: UTF8.self)
            else { return nil }
            let id = integer(rest.dropFirst(FriendAddress.byteCount).prefix(8))
            return .request(address, id: id, message: message)
        case 6: return rest.count == 8 ? .requestReceived(id: integer(rest)) : nil
        default: return nil
        }
    }

    /// The packet as a datagram.
    var bytes: [UInt8] {
        var type: UInt8
        var rest: [UInt8] = []
        switch content {
        case .hello(let receiver): (type, rest) = (1, receiver.bytes)
        case .heartbeat: type = 2
        case .item(let item): (type, rest) = (3, item.bytes)
        case .goodbye: type = 4
        case .request(let address, let id, let message):
            (type, rest) = (5, address.bytes + bigEndian(id, 8) + Array(message.utf8))
        case .requestReceived(let id): (type, rest) = (6, bigEndian(id, 8))
        }
        return Self.magic + [type] + sender.bytes + bigEndian(nonce, 8) + bigEndian(answered, 8)
            + bigEndian(UInt64(sequence), 4) + bigEndian(UInt64(acknowledgement), 4) + rest
    }
}

/// What travels reliably and in order between two friends: a kind and its content.
enum LabItem: Equatable {
    case name(String)
    case statusMessage(String)
    case availability(Availability)
    case text(String)

    init?(parsing bytes: ArraySlice<UInt8>) {
        guard let kind = bytes.first else { return nil }
        let rest = bytes.dropFirst()
        if kind == 3 {
            guard rest.count == 1, let raw = rest.first, let availability = Availability(rawValue: raw) else {
                return nil
            }
            self = .availability(availability)
            return
        }
        guard let text = String(validating: rest, as: UTF8.self) else { return nil }
        switch kind {
        case 1 where rest.count <= Profile.nameBytes: self = .name(text)
        case 2 where rest.count <= Profile.statusMessageBytes: self = .statusMessage(text)
        case 4 where (1...LabPacket.textBytes).contains(rest.count): self = .text(text)
        default: return nil
        }
    }

    var kind: UInt8 {
        switch self {
        case .name: 1
        case .statusMessage: 2
        case .availability: 3
        case .text: 4
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .name(let text), .statusMessage(let text), .text(let text): [kind] + text.utf8
        case .availability(let availability): [kind, availability.rawValue]
        }
    }
}

func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
}
