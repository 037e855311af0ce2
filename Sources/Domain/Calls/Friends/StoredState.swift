// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What a session keeps from one start to the next: the friend requests that wait, both ways.
public struct StoredState: Hashable, Sendable {
    /// The most own requests that are remembered.
    public static let sentCapacity = 1_024

    /// Requests that others made, oldest first; at most 256.
    public internal(set) var received: [FriendRequest] = []
    /// Requests that we made, oldest first.
    public internal(set) var sent: [SentFriendRequest] = []
    /// The order number of the next request that arrives.
    var nextOrder: UInt64 = 1

    /// Nothing waits.
    public init() {}

    private static let magic: [UInt8] = [0x52, 0x76, 0x73, 0x73]  // "Rvss"
    private static let version: UInt8 = 1

    /// The state as bytes: magic, version, next order, then both lists, each with its count; integers big-endian.
    public func encoded() -> [UInt8] {
        var bytes = Self.magic + [Self.version]
        append(nextOrder, to: &bytes)
        append(UInt16(truncatingIfNeeded: received.count), to: &bytes)
        for request in received {
            bytes += request.peer.bytes
            append(request.order, to: &bytes)
            append(request.attempts, to: &bytes)
            append(text: request.message, to: &bytes)
        }
        append(UInt16(truncatingIfNeeded: sent.count), to: &bytes)
        for request in sent {
            bytes += request.address.peer.bytes
            append(request.address.nospam, to: &bytes)
            append(text: request.message, to: &bytes)
        }
        return bytes
    }

    /// The state that these bytes hold; nil unless they are whole, of a known version and within every bound.
    public init?(decoding bytes: [UInt8]) {
        var reader = StoredReader(bytes)
        guard reader.take(Self.magic.count).map(Array.init) == Self.magic, reader.integer(UInt8.self) == Self.version,
            let nextOrder = reader.integer(UInt64.self),
            let receivedCount = reader.integer(UInt16.self), receivedCount <= FriendRequestLedger.capacity
        else { return nil }
        self.nextOrder = nextOrder
        for _ in 0..<receivedCount {
            guard let peer = reader.take(PeerID.byteCount).flatMap(PeerID.init(bytes:)),
                let order = reader.integer(UInt64.self), order < nextOrder,
                let attempts = reader.integer(UInt32.self), let message = reader.text(),
                order > received.last?.order ?? 0, !received.contains(where: { $0.peer == peer })
            else { return nil }
            received.append(FriendRequest(peer: peer, message: message, order: order, attempts: attempts))
        }
        guard let sentCount = reader.integer(UInt16.self), sentCount <= Self.sentCapacity else { return nil }
        for _ in 0..<sentCount {
            guard let peer = reader.take(PeerID.byteCount).flatMap(PeerID.init(bytes:)),
                let nospam = reader.integer(UInt32.self), let message = reader.text(),
                !sent.contains(where: { $0.address.peer == peer })
            else { return nil }
            sent.append(SentFriendRequest(address: FriendAddress(peer: peer, nospam: nospam), message: message))
        }
        guard reader.isAtEnd else { return nil }
    }
}

private func append<Integer: FixedWidthInteger>(_ value: Integer, to bytes: inout [UInt8]) {
    for shift in stride(from: Integer.bitWidth - 8, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
}

private func append(text: String, to bytes: inout [UInt8]) {
    append(UInt16(truncatingIfNeeded: text.utf8.count), to: &bytes)
    bytes += text.utf8
}

/// Reads bytes from the front; nil instead of reading past the end.
private struct StoredReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= bytes.count - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
        take(Value.bitWidth / 8)?.reduce(into: Value.zero) { value, byte in
            value = value << 8 | Value(truncatingIfNeeded: byte)
        }
    }

    /// A text with its length before it: valid UTF-8, no longer than a request, without NUL.
    mutating func text() -> String? {
        guard let count = integer(UInt16.self), count <= FriendRequestLedger.textBytes,
            let slice = take(Int(count)), let text = String(validating: slice, as: UTF8.self), text == text.withoutNUL
        else { return nil }
        return text
    }
}
