// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime
import Testing

/// Whatever a peer sends: no trap, bounded answers, and the link still works.
@Suite struct HostileInputTests {
    /// Valid datagrams of a busy pair, as a peer of nonce 9 sends them to one of nonce 1.
    private static func corpus() throws -> [[UInt8]] {
        var datagrams = [
            try Datagrams.hello(from: 9), try Datagrams.hello(from: 9, answering: 1, echo: 1),
            try Datagrams.hello(from: 10), try Datagrams.hello(from: 10, answering: 1, number: 4, echo: 2),
        ]
        for (index, message) in ControlMessage.samples.enumerated() {
            if case .hello = message { continue }
            var frame = try Datagrams.frame(message, sequence: UInt32(index))
            guard frame.fields.count > Frame.payloadBytes else {
                datagrams.append(frame.bytes)
                continue
            }
            let fields = frame.fields
            frame.fragment = Fragment(index: 0, count: 2)
            frame.fields = Array(fields.prefix(Frame.payloadBytes))
            datagrams.append(frame.bytes)
            frame.fragment.index = 1
            frame.sequence += 1
            frame.fields = Array(fields.dropFirst(Frame.payloadBytes))
            datagrams.append(frame.bytes)
        }
        return datagrams
    }

    private static func works(_ link: inout ControlLink, at now: Instant) throws -> Bool {
        let actions = link.receive(try Datagrams.hello(from: 0xFEED, number: 1), at: now)
        let answer = try Datagrams.frames(actions).last { $0.session.answered == 0xFEED }
        guard let answer else { return false }
        let confirmation = try Datagrams.hello(
            from: 0xFEED, answering: 1, number: 2, echo: answer.sequence, wantsAnswer: false)
        guard link.receive(confirmation, at: now).contains(.established(.ours)) else { return false }
        let frame = try Datagrams.frame(.declared(4_711), sequence: 0, from: 0xFEED)
        return link.receive(frame.bytes, at: now).contains(.deliver(.declared(4_711)))
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `changed datagrams never trap, and the link works afterwards`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let corpus = try Self.corpus()
        var link = try Datagrams.establishedLink()
        var now = Instant.zero + .milliseconds(20)
        for round in 0..<2_500 {
            var bytes = corpus[Int.random(in: corpus.indices, using: &generator)]
            for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
                Self.mutate(&bytes, using: &generator)
            }
            if round % 50 == 0 { _ = try? link.send(.text(round, size: 1_300), at: now) }
            let actions = link.receive(bytes, at: now)
            #expect(actions.count <= 170)
            now = now + .milliseconds(Int64.random(in: 0...3, using: &generator))
            if let due = link.nextDeadline, due <= now { _ = link.timerFired(at: now) }
        }
        #expect(link.drops.total > 500)
        #expect(try Self.works(&link, at: now))
    }

    private static func mutate(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        let position = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[position] = .random(in: 0...255, using: &generator)
        case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes.removeSubrange(position...)
        case 3: bytes.insert(.random(in: 0...255, using: &generator), at: position)
        case 4: bytes[position] = [0, 0x7F, 0x80, 0xFF][Int.random(in: 0..<4, using: &generator)]
        default: bytes.append(contentsOf: bytes.prefix(position))
        }
    }

    @Test(arguments: [11, 12, 13, 14] as [UInt64])
    func `random bytes never trap`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var link = try Datagrams.establishedLink()
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...1_300, using: &generator) % 97
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if count > 3, Bool.random(using: &generator) { bytes.replaceSubrange(0..<3, with: [0x52, 0x76, 1]) }
            #expect(link.receive(bytes, at: .zero).count <= 3)
        }
        #expect(link.drops.total == 5_000)
        #expect(try Self.works(&link, at: .zero))
    }

    @Test func `every datagram cut off anywhere is safe`() throws {
        for bytes in try Self.corpus() {
            var link = try Datagrams.establishedLink()
            for length in 0...bytes.count { _ = link.receive(Array(bytes.prefix(length)), at: .zero) }
            #expect(link.drops[.truncatedFrame] == Frame.headerBytes.asCount)
        }
    }

    @Test func `a flood of new sessions is answered one by one and keeps the present one`() throws {
        var link = try Datagrams.establishedLink()
        for nonce in 100..<5_100 as Range<UInt64> {
            #expect(link.receive(try Datagrams.hello(from: nonce), at: .zero).count <= 2)
        }
        let frame = try Datagrams.frame(.declared(1), sequence: 0).bytes
        #expect(link.receive(frame, at: .zero).contains(.deliver(.declared(1))))
        #expect(try Self.works(&link, at: .zero))
    }

    @Test func `a peer that restarts without end is followed`() throws {
        var link = try Datagrams.establishedLink()
        for nonce in 100..<400 as Range<UInt64> {
            let answer = try #require(
                try Datagrams.frames(link.receive(try Datagrams.hello(from: nonce), at: .zero)).first)
            let confirmation = try Datagrams.hello(from: nonce, answering: 1, number: 2, echo: answer.sequence)
            #expect(link.receive(confirmation, at: .zero).first == .peerRestarted)
        }
        let retired = link.receive(try Datagrams.hello(from: 398), at: .zero)
        #expect(retired.first == .dropped(.retiredSession))
    }

    @Test func `an answer to a hello that was never sent counts for nothing`() throws {
        var link = ControlLink(nonce: 1, hello: .ours)
        _ = link.connect(at: .zero)
        for echo in [2, 3, 1 << 31, .max] as [UInt32] {
            let forged = try Datagrams.hello(from: 9, answering: 1, echo: echo, wantsAnswer: false)
            #expect(!link.receive(forged, at: .zero).contains(.heard))
        }
        #expect(!link.isEstablished)
    }
}

extension Int {
    fileprivate var asCount: UInt64 { UInt64(self) }
}
