// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts

/// Datagrams on their way from any thread to the transport's thread: a ring of slots made once, nothing per packet.
///
/// Any number of threads offer, one thread takes. A slot is written under the lock while it is free and read without it
/// while it is taken, so the lock is never held across a system call.
final class DatagramQueue: @unchecked Sendable {
    // SAFETY: `state` decides who may touch a slot: producers a free one, under the lock; the consumer the first one.

    /// The lossy packet id that toxcore carries us under (200…254 are an application's own).
    static let packetID: UInt8 = 218
    /// The largest datagram: with the id, a UDP payload of 1,216 bytes, which no tunnel fragments.
    static let datagramBytes = 1_188
    /// How many datagrams may wait: several key frames of bursts, 1 Mbit.
    static let capacity = 512

    enum Answer: Equatable {
        case refused
        case full
        case taken(wake: Bool)
    }

    private struct State {
        var first = 0
        var count = 0
        var isWakePending = false
        var friends: Set<PeerID> = []
    }

    private static let slotBytes = 1_216

    private let state = Locked(State())
    private let bytes: UnsafeMutableRawBufferPointer
    private let headers: UnsafeMutableBufferPointer<(peer: PeerID, length: Int)?>

    init() {
        bytes = .allocate(byteCount: Self.capacity * Self.slotBytes, alignment: 64)
        headers = .allocate(capacity: Self.capacity)
        headers.initialize(repeating: nil)
    }

    deinit {
        bytes.deallocate()
        headers.deinitialize()
        headers.deallocate()
    }

    /// Copies a datagram in; any thread. `wake` says that the consumer sleeps or may be about to.
    func offer(_ datagram: UnsafeRawBufferPointer, to peer: PeerID) -> Answer {
        guard let source = datagram.baseAddress, 1...Self.datagramBytes ~= datagram.count else { return .refused }
        return state.withLock { state in
            guard state.friends.contains(peer) else { return .refused }
            guard state.count < Self.capacity else { return .full }
            let slot = (state.first + state.count) % Self.capacity
            bytes[slot * Self.slotBytes] = Self.packetID
            bytes.baseAddress?.advanced(by: slot * Self.slotBytes + 1)
                .copyMemory(from: source, byteCount: datagram.count)
            headers[slot] = (peer, datagram.count + 1)
            state.count += 1
            defer { state.isWakePending = true }
            return .taken(wake: !state.isWakePending)
        }
    }

    /// The consumer is about to look: whatever is offered from now on wakes it again.
    func beginTaking() { state.withLock { $0.isWakePending = false } }

    /// The first waiting packet, id included; valid until `removeFirst`. Consumer only.
    func first() -> (peer: PeerID, packet: UnsafeRawBufferPointer)? {
        let slot = state.withLock { $0.count > 0 ? $0.first : nil }
        guard let slot, let header = headers[slot] else { return nil }
        let start = slot * Self.slotBytes
        return (header.peer, UnsafeRawBufferPointer(rebasing: bytes[start..<start + header.length]))
    }

    /// Gives the first packet's slot back. Consumer only.
    func removeFirst() {
        state.withLock { state in
            state.first = (state.first + 1) % Self.capacity
            state.count -= 1
        }
    }

    /// Whom datagrams may be offered to.
    func setFriends(_ friends: Set<PeerID>) { state.withLock { $0.friends = friends } }
}
