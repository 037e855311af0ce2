// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

extension TransportContract {
    var trafficPromises: [Promise] {
        [
            promise(friends: "texts arrive in order, each with one receipt that names it") { pair in
                for number in 0..<20 {
                    pair.alice.transport.perform(
                        .sendText(pair.bob.id, "text \(number) ✓", token: UInt64(100 + number)))
                }
                try await pair.wait(for: "20 receipts") { receipts(pair.alice).count == 20 }
                let texts = pair.bob.ear.events.all.compactMap { event -> String? in
                    if case .text(pair.alice.id, let text) = event { text } else { nil }
                }
                try expect(texts == (0..<20).map { "text \($0) ✓" }, "\(texts)")
                try expect(receipts(pair.alice).sorted() == (100..<120).map(UInt64.init), "\(receipts(pair.alice))")
            },
            promise(friends: "the longest text arrives whole, and a longer one fails") { pair in
                let longest = String(repeating: "t", count: pair.alice.transport.limits.textBytes)
                pair.alice.transport.perform(.sendText(pair.bob.id, longest + "t", token: 1))
                pair.alice.transport.perform(.sendText(pair.bob.id, longest, token: 2))
                try await pair.wait(for: "receipt") { receipts(pair.alice) == [2] }
                try expect(pair.alice.has(.textFailed(token: 1, .tooLong)), "no failure of the longer one")
                try expect(pair.bob.has(.text(pair.alice.id, longest)), "not the same text")
            },
            promise("a text to a stranger, or to a friend without a path, fails") { lab in
                let pair = try ContractPair(lab)
                defer { pair.stop() }
                pair.alice.transport.perform(.sendText(pair.bob.id, "who?", token: 1))
                pair.alice.transport.perform(.acceptFriend(pair.bob.id))
                pair.alice.transport.perform(.sendText(pair.bob.id, "there?", token: 2))
                try await pair.wait(for: "two failures") {
                    pair.alice.has(.textFailed(token: 1, .unknownFriend))
                        && pair.alice.has(.textFailed(token: 2, .notReachable))
                }
            },
            promise(friends: "datagrams of 1 byte and of the limit arrive unchanged") { pair in
                let rest = (1..<pair.alice.transport.limits.datagramBytes).map { UInt8(truncatingIfNeeded: $0 &* 7) }
                // A transport may drop what begins neither as a control frame (82) nor as RTP and RTCP (128…191).
                for bytes in [[82], [82] + rest, [128] + rest, [191] + rest] {
                    // Datagrams may be lost: try again.
                    try await pair.wait(for: "datagram of \(bytes.count) bytes") {
                        _ = pair.alice.send(bytes, to: pair.bob.id)
                        return pair.bob.ear.datagrams.all.contains(bytes)
                    }
                }
            },
            promise(friends: "a datagram of no byte, of too many, or to a stranger is not taken") { pair in
                let limit = pair.alice.transport.limits.datagramBytes
                try expect(!pair.alice.send([], to: pair.bob.id), "an empty one was taken")
                let tooLarge = [UInt8](repeating: 0x52, count: limit + 1)
                try expect(!pair.alice.send(tooLarge, to: pair.bob.id), "\(limit + 1) bytes were taken")
                try expect(!pair.alice.send([1], to: pair.alice.id), "one to ourselves was taken")
            },
            promise(friends: "events come one at a time, in both directions at once") { pair in
                for number in 0..<100 {
                    let bytes = [128, UInt8(number)] + [UInt8](repeating: 7, count: 500)
                    _ = pair.alice.send(bytes, to: pair.bob.id)
                    _ = pair.bob.send(bytes, to: pair.alice.id)
                    if number % 20 == 0 { try await pair.lab.time.pass(.milliseconds(10)) }
                }
                try await pair.wait(for: "datagrams on both sides") {
                    pair.alice.ear.datagrams.count >= 50 && pair.bob.ear.datagrams.count >= 50
                }
                let most = max(pair.alice.ear.mostAtOnce, pair.bob.ear.mostAtOnce)
                try expect(most == 1, "\(most) at once")
            },
        ]
    }
}

private func receipts(_ peer: ContractPeer) -> [UInt64] {
    peer.ear.events.all.compactMap { if case .textDelivered(let token) = $0 { token } else { nil } }
}
