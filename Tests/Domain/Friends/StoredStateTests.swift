// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime
import Testing

@testable import RevueDomain

@Suite struct `Stored state` {
    private static var sample: StoredState {
        var ledger = FriendRequestLedger(StoredState())
        _ = ledger.received("hi", from: .numbered(1), at: .zero)
        _ = ledger.received("", from: .numbered(2), at: .zero)
        _ = ledger.received("", from: .numbered(2), at: .zero)
        ledger.sent(SentFriendRequest(address: FriendAddress(peer: .numbered(3), nospam: 0xDEAD_BEEF), message: "é"))
        return ledger.stored
    }

    @Test func `what is stored comes back`() {
        #expect(StoredState(decoding: Self.sample.encoded()) == Self.sample)
        #expect(StoredState(decoding: StoredState().encoded()) == StoredState())
    }

    @Test func `every shortened or lengthened form is refused`() {
        let bytes = Self.sample.encoded()
        for count in bytes.indices { #expect(StoredState(decoding: Array(bytes[..<count])) == nil) }
        #expect(StoredState(decoding: bytes + [0]) == nil)
    }

    @Test func `another magic or version is refused`() {
        for index in 0..<5 {
            var bytes = Self.sample.encoded()
            bytes[index] ^= 1
            #expect(StoredState(decoding: bytes) == nil)
        }
    }

    @Test func `no flipped byte traps, and what is taken is within bounds`() {
        let bytes = Self.sample.encoded()
        for index in bytes.indices {
            for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
                var changed = bytes
                changed[index] = value
                guard let state = StoredState(decoding: changed) else { continue }
                #expect(state.received.count <= 256 && state.sent.count <= StoredState.sentCapacity)
                #expect(StoredState(decoding: state.encoded()) == state)
            }
        }
    }

    @Test func `counts above the bounds, peers twice, bad text and orders from nowhere are refused`() {
        func edited(_ edit: (inout StoredState) -> Void) -> StoredState? {
            var state = Self.sample
            edit(&state)
            return StoredState(decoding: state.encoded())
        }
        #expect(edited { $0.received += $0.received } == nil)
        #expect(edited { $0.sent += $0.sent } == nil)
        #expect(edited { $0.received.swapAt(0, 1) } == nil)
        #expect(edited { $0.nextOrder = 2 } == nil)
        #expect(edited { $0.received[0].message = "a\0" } == nil)
        #expect(edited { $0.received[0].message = String(repeating: "a", count: 1_017) } == nil)
        #expect(
            edited { state in
                for number in 0..<300 {
                    state.received.append(
                        FriendRequest(peer: .numbered(UInt64(100 + number)), message: "", order: UInt64(10 + number)))
                }
                state.nextOrder = 1_000
            } == nil)
        #expect(
            edited { state in
                for number in 0..<1_024 {
                    let peer = PeerID.numbered(UInt64(100 + number))
                    state.sent.append(SentFriendRequest(address: FriendAddress(peer: peer, nospam: 0), message: ""))
                }
            } == nil)
    }
}
