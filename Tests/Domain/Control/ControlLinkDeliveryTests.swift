// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime
import Testing

/// Reliable and in order, whatever the channel does.
@Suite struct ControlLinkDeliveryTests {
    private static let channels: [LinkPair.Channel] = [
        .init(),
        .init(jitter: .milliseconds(40)),
        .init(duplication: 0.5),
        .init(loss: 0.2),
        .init(loss: 0.2, duplication: 0.2, jitter: .milliseconds(60)),
        .init(loss: 0.5),
        .init(loss: 0.5, duplication: 0.3, delay: .milliseconds(100), jitter: .milliseconds(100)),
    ]

    @Test(arguments: Self.channels.indices, [1, 2, 3] as [UInt64])
    func `every message arrives once and in the order of its stream`(_ channel: Int, seed: UInt64) throws {
        let pair = LinkPair(Self.channels[channel], seed: seed)
        pair.connect()
        let calls = (0..<100).map { ControlMessage.declared($0) }
        let texts = (0..<60).map { ControlMessage.text($0, size: $0 * 20) }
        var receipts: [ControlLink.Receipt] = []
        for (index, message) in (calls + texts).enumerated() {
            receipts.append(try pair.send(message, from: .left))
            if index % 10 == 0 { try pair.send(.ringing(WireID(high: 0, low: UInt64(index))), from: .right) }
        }
        #expect(pair.run(for: .seconds(600 as Int64)))
        let delivered = pair.delivered(to: .right)
        #expect(delivered.filter { !$0.isText } == calls)
        #expect(delivered.filter { $0.isText } == texts)
        #expect(pair.delivered(to: .left).count == 16)
        #expect(pair.acknowledged(to: .left).count == receipts.count)
        #expect(Set(pair.acknowledged(to: .left)) == Set(receipts))
    }

    @Test func `who can take nothing more still learns what the peer has, and gets the rest later, once`() throws {
        let pair = LinkPair()
        pair.connect()
        pair.run(for: .seconds(1 as Int64))
        pair.full = .right
        let (texts, receipts) = (
            (0..<60).map { ControlMessage.text($0, size: 40) }, (0..<60).map(ControlMessage.declared)
        )
        for text in texts { try pair.send(text, from: .left) }
        for receipt in receipts { try pair.send(receipt, from: .right) }
        pair.run(for: .seconds(20 as Int64))
        #expect(pair.delivered(to: .left) == receipts && pair.acknowledged(to: .right).count == 60)
        #expect(pair.delivered(to: .right).isEmpty && pair.acknowledged(to: .left).isEmpty)
        pair.full = nil
        #expect(pair.run(for: .seconds(60 as Int64)))
        #expect(pair.delivered(to: .right) == texts && pair.acknowledged(to: .left).count == 60)
    }

    @Test func `numbers wrap around without anyone noticing`() throws {
        let pair = LinkPair(.init(loss: 0.2, jitter: .milliseconds(30)), firstSequence: .max - 20)
        pair.connect()
        let messages = (0..<100).map { ControlMessage.declared($0) }
        for message in messages { try pair.send(message, from: .left) }
        #expect(pair.run(for: .seconds(600 as Int64)))
        #expect(pair.delivered(to: .right) == messages)
    }

    @Test func `a message larger than a datagram travels in fragments`() throws {
        let pair = LinkPair()
        pair.connect()
        let large = ControlMessage.text(1, size: 1_370)
        try pair.send(large, from: .left)
        #expect(pair.run())
        #expect(pair.delivered(to: .right) == [large])
        #expect(pair.acknowledged(to: .left).count == 1)
    }

    @Test func `messages sent before the hello wait for it`() throws {
        let pair = LinkPair()
        try pair.send(.declared(1), from: .left)
        #expect(pair.sent == [0, 0])
        #expect(pair[.left].nextDeadline == nil)
        pair.connect()
        #expect(pair.run())
        #expect(pair.delivered(to: .right) == [.declared(1)])
    }

    @Test func `without a path nothing is repeated and nothing is lost`() throws {
        let pair = LinkPair()
        pair.connect()
        pair.run()
        pair.isCut = true
        try pair.send(.declared(1), from: .left)
        pair.run(for: .milliseconds(200))
        pair.disconnect()
        let sent = pair.sent
        try pair.send(.declared(2), from: .left)
        #expect(pair.run(for: .seconds(60 as Int64)))
        #expect(pair.sent == sent)
        pair.isCut = false
        pair.forgetTold()
        pair.connect()
        #expect(pair.run())
        #expect(pair.delivered(to: .right) == [.declared(1), .declared(2)])
        #expect(pair.told[0].contains(.established(.ours)))
        #expect(!pair.told[0].contains(.peerRestarted))
    }

    @Test func `the stream of the call goes before texts that were queued earlier`() throws {
        let pair = LinkPair()
        try pair.send(.text(1), from: .left)
        try pair.send(.declared(1), from: .left)
        pair.connect()
        #expect(pair.run())
        #expect(pair.delivered(to: .right) == [.declared(1), .text(1)])
    }

    @Test func `a full text stream does not hold the call up`() throws {
        let pair = LinkPair()
        pair.connect()
        pair.run()
        for number in 0..<100 { try pair.send(.text(number, size: 1_000), from: .left) }
        try pair.send(.hangup(ControlMessage.call), from: .left)
        pair.run(for: .milliseconds(15))
        #expect(pair.delivered(to: .right).contains(.hangup(ControlMessage.call)))
        #expect(pair.delivered(to: .right).count == 33)
    }

    @Test func `the window bounds what is under way`() throws {
        let pair = LinkPair()
        pair.connect()
        pair.run()
        pair.isCut = true
        let before = pair.sent[0]
        for number in 0..<200 { try pair.send(.declared(number), from: .left) }
        #expect(pair.sent[0] - before == 32)
    }

    @Test func `an unacknowledged frame is first repeated after one and a half round trips, then ever more slowly`()
        throws
    {
        let pair = LinkPair(.init(delay: .milliseconds(50)))
        pair.connect([.left])
        pair.run()
        #expect(pair[.left].roundTripTime == .milliseconds(100))
        pair.isCut = true
        let start = pair.now
        try pair.send(.declared(1), from: .left)
        var pauses: [Double] = []
        var last = start
        for _ in 0..<6 {
            let due = try #require(pair[.left].nextDeadline)
            pauses.append((due - last).milliseconds)
            last = due
            pair.run(for: due - pair.now)
        }
        #expect(pauses == [150, 300, 600, 1_000, 1_000, 1_000])
    }

    @Test func `on a short way the first repetition comes after 20 ms`() throws {
        let pair = LinkPair(.init(delay: .milliseconds(1)))
        pair.connect([.left])
        pair.run()
        pair.isCut = true
        let start = pair.now
        try pair.send(.declared(1), from: .left)
        #expect(try #require(pair[.left].nextDeadline) - start == .milliseconds(20))
    }

    @Test(arguments: [1, 5, 9, 12, 20, 50, 200] as [Int64])
    func `without loss nothing is sent twice`(_ delay: Int64) throws {
        let pair = LinkPair(.init(delay: .milliseconds(delay)))
        pair.connect([.left])
        pair.run()
        for number in 0..<20 {
            try pair.send(.declared(number), from: .left)
            pair.run(for: .milliseconds(7))
        }
        #expect(pair.run())
        #expect(pair[.right].drops[.duplicate] == 0)
    }
}

extension ControlMessage {
    var isText: Bool { if case .message = self { true } else { false } }
}
