// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime
import Testing

/// Queue, collapse, acknowledgements, fragments: one rule a test.
@Suite struct ControlLinkRuleTests {
    private static let soon = Instant.zero + .milliseconds(50)

    @Test func `at most 256 messages wait, and each that arrives makes room`() throws {
        let pair = LinkPair()
        for number in 0..<256 { try pair.send(.declared(number), from: .left) }
        #expect(throws: ControlSendError.queueFull) { try pair.send(.declared(256), from: .left) }
        try pair.send(.text(1), from: .left)
        pair.connect()
        #expect(pair.run())
        try pair.send(.declared(256), from: .left)
        #expect(pair.run())
        #expect(pair.delivered(to: .right).count == 258)
    }

    @Test func `at most 256 KiB of a stream wait`() throws {
        var link = ControlLink(nonce: 1, hello: .ours)
        let large = ControlMessage.text(1, size: 1_368)
        let size = try large.encodedFields().count
        let fitting = 256 * 1_024 / size
        #expect(fitting < 256)
        for _ in 0..<fitting { _ = try link.send(large, at: .zero) }
        #expect(throws: ControlSendError.queueFull) { try link.send(large, at: .zero) }
    }

    @Test func `a want or mute that waits gives way to the next of the same publication`() throws {
        let pair = LinkPair()
        var receipts: [ControlLink.Receipt] = []
        for message: ControlMessage in [
            .want(1, width: 10), .mute(1, true), .want(2, width: 20), .declared(5), .want(1, width: 30),
            .mute(1, false), .mute(2, true),
        ] { receipts.append(try pair.send(message, from: .left)) }
        #expect(receipts[0] == receipts[4])
        #expect(receipts[1] == receipts[5])
        pair.connect()
        #expect(pair.run())
        #expect(
            pair.delivered(to: .right)
                == [.want(2, width: 20), .declared(5), .want(1, width: 30), .mute(1, false), .mute(2, true)])
        #expect(Set(pair.acknowledged(to: .left)) == Set(receipts))
    }

    @Test func `toggling without a path fills no queue`() throws {
        var link = ControlLink(nonce: 1, hello: .ours)
        for round in 0..<10_000 { _ = try link.send(.mute(1, round % 2 == 0), at: .zero) }
        for number in 0..<255 { _ = try link.send(.declared(number), at: .zero) }
        #expect(throws: ControlSendError.queueFull) { try link.send(.goodbye, at: .zero) }
    }

    @Test func `a lone frame is acknowledged after 5 ms`() throws {
        var link = try Datagrams.establishedLink()
        let actions = link.receive(try Datagrams.frame(.declared(1), sequence: 0).bytes, at: Self.soon)
        #expect(actions == [.heard, .deliver(.declared(1))])
        #expect(link.nextDeadline == Self.soon + .milliseconds(5))
        let frame = try #require(try Datagrams.frames(link.timerFired(at: Self.soon + .milliseconds(5))).first)
        #expect(frame.type == ControlType.acknowledgement.rawValue)
        #expect(frame.acknowledgement == Acknowledgement(next: 1, bitmap: 0))
        #expect(link.nextDeadline == nil)
    }

    @Test func `an acknowledgement rides on a frame that goes anyway`() throws {
        var link = try Datagrams.establishedLink()
        _ = link.receive(try Datagrams.frame(.declared(1), sequence: 0).bytes, at: Self.soon)
        let frames = try Datagrams.frames(try link.send(.declared(2), at: Self.soon).1)
        #expect(frames.map(\.acknowledgement.next) == [1])
        #expect(link.timerFired(at: Self.soon + .milliseconds(6)).isEmpty)
    }

    @Test func `a gap is told at once, and what follows it waits`() throws {
        var link = try Datagrams.establishedLink()
        let actions = link.receive(try Datagrams.frame(.declared(3), sequence: 2).bytes, at: Self.soon)
        #expect(actions.first == .heard && actions.count == 2)
        #expect(try Datagrams.frames(actions).map(\.acknowledgement) == [Acknowledgement(next: 0, bitmap: 2)])
        _ = link.receive(try Datagrams.frame(.declared(2), sequence: 1).bytes, at: Self.soon)
        let rest = link.receive(try Datagrams.frame(.declared(1), sequence: 0).bytes, at: Self.soon)
        #expect(rest == [.heard, .deliver(.declared(1)), .deliver(.declared(2)), .deliver(.declared(3))])
    }

    @Test func `a duplicate is dropped, acknowledged at once, and proves nothing`() throws {
        var link = try Datagrams.establishedLink()
        let bytes = try Datagrams.frame(.declared(1), sequence: 0).bytes
        _ = link.receive(bytes, at: Self.soon)
        let actions = link.receive(bytes, at: Self.soon)
        #expect(actions.first == .dropped(.duplicate))
        #expect(!actions.contains(.heard))
        #expect(try Datagrams.frames(actions).map(\.type) == [ControlType.acknowledgement.rawValue])
        #expect(link.drops[.duplicate] == 1)
        #expect(link.drops.total == 1)
    }

    @Test func `a frame beyond the window is dropped`() throws {
        var link = try Datagrams.establishedLink()
        let last = try Datagrams.frame(.declared(1), sequence: 31).bytes
        #expect(link.receive(last, at: Self.soon).first == .heard)
        let beyond = try Datagrams.frame(.declared(1), sequence: 32).bytes
        #expect(link.receive(beyond, at: Self.soon).first == .dropped(.outsideWindow))
    }

    @Test func `an acknowledgement of what was never sent is counted and changes nothing`() throws {
        var link = try Datagrams.establishedLink()
        _ = try link.send(.declared(1), at: Self.soon)
        var frame = Frame(session: SessionPair(sender: 9, answered: 1), stream: .call, type: .acknowledgement)
        frame.acknowledgement = Acknowledgement(next: 2, bitmap: 0)
        #expect(link.receive(frame.bytes, at: Self.soon) == [.dropped(.impossibleAcknowledgement)])
        frame.acknowledgement = Acknowledgement(next: 0, bitmap: .max)
        #expect(link.receive(frame.bytes, at: Self.soon).isEmpty)
        #expect(link.nextDeadline != nil)
    }

    @Test func `an old acknowledgement changes nothing`() throws {
        var link = try Datagrams.establishedLink()
        for number in 0..<3 { _ = try link.send(.declared(number), at: Self.soon) }
        var frame = Frame(session: SessionPair(sender: 9, answered: 1), stream: .call, type: .acknowledgement)
        frame.acknowledgement = Acknowledgement(next: 2, bitmap: 0)
        #expect(link.receive(frame.bytes, at: Self.soon).count == 3)
        frame.acknowledgement = Acknowledgement(next: 1, bitmap: 0)
        #expect(link.receive(frame.bytes, at: Self.soon).isEmpty)
    }

    @Test func `a frame that arrived behind a gap is not sent again`() throws {
        var link = try Datagrams.establishedLink()
        for number in 0..<3 { _ = try link.send(.declared(number), at: Self.soon) }
        var frame = Frame(session: SessionPair(sender: 9, answered: 1), stream: .call, type: .acknowledgement)
        frame.acknowledgement = Acknowledgement(next: 0, bitmap: 0b10)
        _ = link.receive(frame.bytes, at: Self.soon)
        let due = try #require(link.nextDeadline)
        #expect(try Datagrams.frames(link.timerFired(at: due)).map(\.sequence) == [0, 1])
    }

    @Test func `a message of an unknown type is acknowledged and ignored`() throws {
        var link = try Datagrams.establishedLink()
        var frame = try Datagrams.frame(.declared(1), sequence: 0)
        frame.type = 250
        #expect(link.receive(frame.bytes, at: Self.soon) == [.heard, .dropped(.unknownType)])
        let next = try Datagrams.frame(.declared(2), sequence: 1).bytes
        #expect(link.receive(next, at: Self.soon) == [.heard, .deliver(.declared(2))])
        #expect(link.drops[.unknownType] == 1)
    }

    @Test func `a malformed message is acknowledged and dropped with its reason`() throws {
        var link = try Datagrams.establishedLink()
        var frame = try Datagrams.frame(.declared(1), sequence: 0)
        frame.fields.removeLast()
        #expect(link.receive(frame.bytes, at: Self.soon) == [.heard, .dropped(.truncatedField)])
        let due = try #require(link.nextDeadline)
        #expect(try Datagrams.frames(link.timerFired(at: due)).map(\.acknowledgement.next) == [1])
    }

    @Test func `fragments that do not continue their message are dropped, and the stream goes on`() throws {
        var link = try Datagrams.establishedLink()
        var frame = try Datagrams.frame(.text(1, size: 100), sequence: 0)
        let fields = frame.fields
        let steps: [(Fragment, ControlLink.Action?)] = [
            (Fragment(index: 1, count: 2), .dropped(.brokenMessage)),
            (Fragment(index: 0, count: 2), nil),
            (Fragment(index: 1, count: 3), .dropped(.brokenMessage)),
            (Fragment(index: 0, count: 3), nil),
            (Fragment(index: 0, count: 1), .dropped(.brokenMessage)),
        ]
        for (number, step) in steps.enumerated() {
            frame.sequence = UInt32(number)
            frame.fragment = step.0
            frame.fields = step.0.count == 1 ? fields : [1]
            let actions = link.receive(frame.bytes, at: Self.soon)
            #expect(actions.prefix(2) == [.heard] + [step.1].compactMap { $0 })
        }
        #expect(link.drops[.brokenMessage] == 3)
        frame.sequence = 5
        frame.fragment = Fragment()
        #expect(link.receive(frame.bytes, at: Self.soon).contains(.deliver(.text(1, size: 100))))
    }

    @Test func `a message of more than 4 KiB is dropped`() throws {
        var link = try Datagrams.establishedLink()
        var frame = try Datagrams.frame(.text(1), sequence: 0)
        frame.fields = Array(repeating: 0, count: Frame.payloadBytes)
        for index in 0..<4 as Range<UInt8> {
            frame.sequence = UInt32(index)
            frame.fragment = Fragment(index: index, count: 4)
            let actions = link.receive(frame.bytes, at: Self.soon)
            #expect(actions.contains(.dropped(.oversizedMessage)) == (index == 3))
        }
    }
}
