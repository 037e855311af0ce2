// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime
import Testing

/// Hello, versions, restarts: whose session a frame belongs to.
@Suite struct ControlLinkSessionTests {
    private static let soon = Instant.zero + .milliseconds(50)

    @Test func `both sides are established after one round trip`() {
        let pair = LinkPair(.init(delay: .milliseconds(5)))
        pair.connect()
        #expect(!pair[.left].isEstablished)
        pair.run(for: .milliseconds(10))
        for side in LinkPair.Side.allCases {
            #expect(pair.told[side.rawValue] == [.established(.ours), .heard])
            #expect(pair[side].peerHello == .ours)
            #expect(pair[side].roundTripTime == .milliseconds(10))
        }
    }

    @Test func `one side's hello is enough`() {
        let pair = LinkPair()
        pair.connect([.left])
        #expect(pair.run())
        #expect(pair[.left].isEstablished && pair[.right].isEstablished)
    }

    @Test func `a lost hello is repeated after 20 ms, then ever more slowly, and given up after 20 tries`() {
        let pair = LinkPair()
        pair.isCut = true
        pair.connect([.left])
        pair.run(for: .milliseconds(19))
        #expect(pair.sent[0] == 1)
        pair.run(for: .milliseconds(1))
        #expect(pair.sent[0] == 2)
        pair.run(for: .milliseconds(40 + 80))
        #expect(pair.sent[0] == 4)
        let isQuiet = pair.run(for: .seconds(300 as Int64))
        #expect(isQuiet)
        #expect(pair.sent[0] == 20)
        #expect(pair[.left].nextDeadline == nil)
    }

    @Test func `a hello that was given up begins again with a message to send`() throws {
        let pair = LinkPair()
        pair.isCut = true
        pair.connect([.left])
        pair.run(for: .seconds(300 as Int64))
        pair.isCut = false
        try pair.send(.declared(1), from: .left)
        #expect(pair.run())
        #expect(pair.delivered(to: .right) == [.declared(1)])
    }

    @Test func `a hello that was given up begins again with a hello of the peer`() {
        let pair = LinkPair()
        pair.isCut = true
        pair.connect([.left])
        pair.run(for: .seconds(300 as Int64))
        pair.isCut = false
        pair.connect([.right])
        #expect(pair.run())
        #expect(pair[.left].isEstablished && pair[.right].isEstablished)
    }

    @Test func `an idle link has no deadline and sends nothing`() throws {
        let pair = LinkPair()
        pair.connect()
        try pair.send(.declared(1), from: .left)
        #expect(pair.run())
        let sent = pair.sent
        let isQuiet = pair.run(for: .seconds(3_600 as Int64))
        #expect(isQuiet)
        #expect(pair.sent == sent)
    }

    @Test(arguments: [0.0, 0.2, 0.5], [1, 2, 3, 4] as [UInt64])
    func `a peer that restarts in mid-stream gets what is sent from then on`(_ loss: Double, seed: UInt64) throws {
        let pair = LinkPair(.init(loss: loss, duplication: 0.1, jitter: .milliseconds(30)), seed: seed)
        pair.connect()
        pair.run()
        #expect(pair[.left].isEstablished && pair[.right].isEstablished)
        for number in 0..<80 { try pair.send(.declared(number), from: .left) }
        pair.run(for: .milliseconds(35))
        pair.forgetTold()
        pair.restart(.right, nonce: 99)
        #expect(pair.run(for: .seconds(600 as Int64)))
        let told = pair.told[0].filter { if case .dropped = $0 { false } else { true } }
        let restarted = try #require(told.firstIndex(of: .peerRestarted))
        #expect(told[told.index(after: restarted)] == .established(.ours))
        #expect(told.count { $0 == .peerRestarted } == 1)
        try pair.send(.declared(1_000), from: .left)
        try pair.send(.declared(1_001), from: .right)
        #expect(pair.run(for: .seconds(600 as Int64)))
        #expect(pair.delivered(to: .right) == [.declared(1_000)])
        #expect(pair.delivered(to: .left).last == .declared(1_001))
    }

    @Test func `a new session counts only once it has answered a hello that was meant for it`() throws {
        var link = try Datagrams.establishedLink()
        let actions = link.receive(try Datagrams.hello(from: 10), at: Self.soon)
        let answer = try #require(try Datagrams.frames(actions).first)
        #expect(answer.session == SessionPair(sender: 1, answered: 10))
        #expect(answer.wantsAnswer)
        #expect(!actions.contains(.peerRestarted) && link.peerHello == .ours)
        let stale = try Datagrams.hello(
            from: 10, answering: 1, number: 2, echo: answer.sequence &- 1, wantsAnswer: false)
        #expect(!link.receive(stale, at: Self.soon).contains(.peerRestarted))
        let fresh = try Datagrams.hello(from: 10, answering: 1, number: 3, echo: answer.sequence, wantsAnswer: false)
        #expect(link.receive(fresh, at: Self.soon) == [.peerRestarted, .established(.ours), .heard])
    }

    @Test func `a late frame of an old session is no restart`() throws {
        let pair = LinkPair()
        pair.connect()
        pair.run()
        let late = try Datagrams.hello(from: 2, answering: 1, number: 50, echo: 1)
        let lateFrame = try Datagrams.frame(.declared(1), sequence: 0, from: 2, to: 1).bytes
        pair.restart(.right, nonce: 99)
        #expect(pair.run())
        pair.forgetTold()
        pair.inject(late, to: .left)
        pair.inject(lateFrame, to: .left)
        #expect(pair.run())
        #expect(pair.told[0] == [.dropped(.retiredSession), .dropped(.retiredSession)])
        #expect(pair[.left].drops[.retiredSession] == 2)
    }

    @Test func `a restart of which one side alone knows is mended by the first frame that shows it`() throws {
        let pair = LinkPair()
        pair.connect()
        pair.run()
        pair.restart(.right, nonce: 99)
        pair.run(for: .milliseconds(15))
        // From here on the answer to the left side's hello is lost, for as long as it tries.
        pair.isCut = true
        pair.run(for: .seconds(300 as Int64))
        pair.isCut = false
        pair.forgetTold()
        #expect(pair[.right].isEstablished && pair[.left].nextDeadline == nil)
        try pair.send(.declared(1), from: .right)
        #expect(pair.run())
        #expect(pair.told[0].contains(.peerRestarted))
        #expect(pair.delivered(to: .left) == [.declared(1)])
        #expect(pair[.left].drops[.beforeHello] > 0)
    }

    @Test func `what was queued for the old session is dropped at a restart`() throws {
        let pair = LinkPair()
        pair.connect()
        pair.run()
        pair.isCut = true
        for number in 0..<256 { try pair.send(.declared(number), from: .left) }
        #expect(throws: ControlSendError.queueFull) { try pair.send(.declared(0), from: .left) }
        pair.isCut = false
        pair.restart(.right, nonce: 99)
        pair.run()
        try pair.send(.declared(300), from: .left)
        pair.run()
        #expect(pair.delivered(to: .right) == [.declared(300)])
    }

    @Test func `a frame that answers another session is dropped before its acknowledgement is looked at`() throws {
        var link = try Datagrams.establishedLink()
        _ = try link.send(.declared(1), at: Self.soon)
        var frame = try Datagrams.frame(.declared(2), sequence: 0, to: 3)
        frame.acknowledgement.next = 1
        #expect(link.receive(frame.bytes, at: Self.soon) == [.dropped(.otherSession)])
        frame.session.answered = 0
        #expect(link.receive(frame.bytes, at: Self.soon) == [.dropped(.otherSession)])
        frame.session.answered = 1
        #expect(link.receive(frame.bytes, at: Self.soon).prefix(2).last == .acknowledged(try receipt()))
        let hello = try Datagrams.hello(from: 9, answering: 3)
        #expect(link.receive(hello, at: Self.soon).first == .dropped(.otherSession))
    }

    /// The receipt of a link's first message.
    private func receipt() throws -> ControlLink.Receipt {
        var link = ControlLink(nonce: 1, hello: .ours)
        return try link.send(.goodbye, at: .zero).0
    }

    @Test func `a frame of a session whose hello is not finished is dropped`() throws {
        var link = ControlLink(nonce: 1, hello: .ours)
        _ = link.connect(at: .zero)
        let frame = try Datagrams.frame(.declared(2), sequence: 0)
        #expect(link.receive(frame.bytes, at: .zero) == [.dropped(.beforeHello)])
    }

    @Test func `the highest version that both speak is used`() throws {
        var link = ControlLink(nonce: 1, hello: Hello(lowestVersion: 1, highestVersion: 3, capabilities: []))
        _ = link.connect(at: .zero)
        let theirs = Hello(lowestVersion: 2, highestVersion: 7, capabilities: [])
        _ = link.receive(
            try Datagrams.hello(from: 9, answering: 1, echo: 1, wantsAnswer: false, hello: theirs), at: Self.soon)
        let frames = try Datagrams.frames(try link.send(.goodbye, at: Self.soon).1)
        #expect(frames.map(\.version) == [3])
        let wrong = try Datagrams.frame(.goodbye, sequence: 0, version: 2).bytes
        #expect(link.receive(wrong, at: Self.soon) == [.dropped(.unsupportedVersion)])
        let right = try Datagrams.frame(.goodbye, sequence: 0, version: 3).bytes
        #expect(link.receive(right, at: Self.soon).contains(.deliver(.goodbye)))
    }

    @Test func `without a common version both sides say so once and stay apart`() throws {
        var old = ControlLink(nonce: 1, hello: Hello(lowestVersion: 1, highestVersion: 1, capabilities: []))
        let newHello = Hello(lowestVersion: 2, highestVersion: 3, capabilities: [])
        var new = ControlLink(nonce: 9, hello: newHello)
        var toNew = old.connect(at: .zero)
        var seen: [[ControlLink.Action]] = [[], []]
        for _ in 0..<4 {
            var toOld: [ControlLink.Action] = []
            for case .send(let bytes) in toNew { toOld += new.receive(bytes, at: Self.soon) }
            toNew = []
            for case .send(let bytes) in toOld { toNew += old.receive(bytes, at: Self.soon) }
            seen[0] += toNew.filter { if case .send = $0 { false } else { true } }
            seen[1] += toOld.filter { if case .send = $0 { false } else { true } }
        }
        #expect(seen[0] == [.incompatible(newHello)])
        #expect(seen[1] == [.incompatible(old.hello)])
        #expect(!old.isEstablished && !new.isEstablished)
        #expect(old.nextDeadline == nil && new.nextDeadline == nil)
    }

    @Test func `connecting again says hello again without a restart`() {
        let pair = LinkPair()
        pair.connect()
        pair.run()
        pair.forgetTold()
        pair.connect([.left])
        #expect(pair.run())
        #expect(pair.told[0] == [.established(.ours), .heard])
        #expect(pair.told[1].isEmpty)
    }

    @Test func `a hello that the application hands over is refused`() {
        var link = ControlLink(nonce: 1, hello: .ours)
        #expect(throws: ControlSendError.helloIsAutomatic) { try link.send(.hello(.ours), at: .zero) }
    }
}
