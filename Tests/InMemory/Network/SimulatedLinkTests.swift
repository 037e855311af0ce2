// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

@Suite struct SimulatedLinkTests {
    /// Numbered datagrams of `size` bytes from Alice to Bob, one every `interval`.
    private func send(_ count: Int, size: Int = 100, every interval: Interval = .milliseconds(1), on duo: Duo) throws {
        for number in 0..<count {
            var bytes = [UInt8](repeating: 0, count: size)
            bytes[0] = UInt8(truncatingIfNeeded: number >> 8)
            bytes[1] = UInt8(truncatingIfNeeded: number)
            #expect(duo.alice.send(bytes, to: duo.bob))
            try duo.pass(interval)
        }
        try duo.pass(.seconds(2))
    }

    private func numbers(_ node: Node) -> [Int] { node.ear.datagrams.map { Int($0.bytes[0]) << 8 | Int($0.bytes[1]) } }

    @Test func `a clean link carries every datagram in order after its delay`() throws {
        let duo = try Duo.acquainted(conditions: LinkConditions(delay: .milliseconds(40)))
        let start = duo.scheduler.now
        try send(50, on: duo)
        #expect(numbers(duo.bob) == Array(0..<50))
        #expect(duo.bob.ear.datagrams.first?.time == start + .milliseconds(40))
        #expect(duo.bob.ear.datagrams.allSatisfy { $0.peer == duo.alice.peer && $0.bytes.count == 100 })
    }

    @Test(arguments: [5.0, 20.0, 50.0])
    func `about as many datagrams are lost as were asked for`(percent: Double) throws {
        let duo = try Duo.acquainted(conditions: LinkConditions(lossPercent: percent))
        try send(4_000, on: duo)
        let lost = 4_000 - duo.bob.ear.datagrams.count
        #expect(abs(Double(lost) / 40 - percent) < 2.5)
        #expect(duo.network.statistics(from: "alice", to: "bob").lost == lost)
    }

    @Test func `jitter spreads the delay but keeps the order`() throws {
        let duo = try Duo.acquainted(conditions: LinkConditions(delay: .milliseconds(10), jitter: .milliseconds(30)))
        let start = duo.scheduler.now
        try send(500, every: .milliseconds(10), on: duo)
        #expect(numbers(duo.bob) == Array(0..<500))
        let delays = duo.bob.ear.datagrams.enumerated().map { $1.time - (start + .milliseconds(10) * Int64($0)) }
        #expect(delays.allSatisfy { (.milliseconds(10)...Interval.milliseconds(40)).contains($0) })
        #expect((delays.max() ?? .zero) - (delays.min() ?? .zero) > .milliseconds(25))
    }

    @Test func `reordered datagrams arrive behind later ones`() throws {
        let duo = try Duo.acquainted(conditions: LinkConditions(reorderingPercent: 10))
        try send(1_000, on: duo)
        let order = numbers(duo.bob)
        #expect(order.sorted() == Array(0..<1_000))
        let overtaken = zip(order, order.dropFirst()).count { $0 > $1 }
        #expect((50...150).contains(overtaken))
    }

    @Test func `duplicated datagrams arrive twice`() throws {
        let duo = try Duo.acquainted(conditions: LinkConditions(duplicationPercent: 10))
        try send(1_000, on: duo)
        #expect((1_050...1_150).contains(duo.bob.ear.datagrams.count))
        #expect(Set(numbers(duo.bob)).count == 1_000)
    }

    @Test func `bandwidth spaces datagrams, and what its queue cannot hold is lost`() throws {
        // 128 bytes with headers take 10.24 ms at 100 kbit/s; ten of them fit into the queue.
        let conditions = LinkConditions(delay: .zero, bandwidth: 100_000, queueBytes: 1_280)
        let duo = try Duo.acquainted(conditions: conditions)
        let start = duo.scheduler.now
        try send(20, every: .zero, on: duo)
        #expect(numbers(duo.bob) == Array(0..<10))
        #expect(duo.bob.ear.datagrams.last?.time == start + .microseconds(102_400))
        #expect(duo.network.statistics(from: "alice", to: "bob").overflowed == 10)
    }

    @Test(arguments: [0, 1_189])
    func `a datagram of a size that no transport carries is not taken`(size: Int) throws {
        let duo = try Duo.acquainted()
        #expect(!duo.alice.send([UInt8](repeating: 1, count: size), to: duo.bob))
        #expect(duo.alice.send([UInt8](repeating: 1, count: 1_188), to: duo.bob))
    }

    @Test func `texts arrive whole and in order at 30 % loss, each with a receipt`() throws {
        let duo = try Duo.acquainted(conditions: LinkConditions(jitter: .milliseconds(20), lossPercent: 30))
        for number in 0..<50 {
            duo.alice.transport.perform(.sendText(duo.bob.peer, "text \(number)", token: UInt64(number)))
        }
        try duo.pass(.seconds(4))
        #expect(duo.bob.ear.events == (0..<50).map { .text(duo.alice.peer, "text \($0)") })
        #expect(duo.alice.ear.events == (0..<50).map { .textDelivered(token: UInt64($0)) })
    }

    @Test func `the same seed gives the same arrivals, another seed others`() throws {
        func arrivals(seed: UInt64) throws -> [Ear.Datagram] {
            let conditions = LinkConditions(
                jitter: .milliseconds(5), lossPercent: 10, reorderingPercent: 5, duplicationPercent: 5)
            let duo = try Duo.acquainted(seed: seed, conditions: conditions)
            try send(300, on: duo)
            return duo.bob.ear.datagrams
        }
        #expect(try arrivals(seed: 3) == arrivals(seed: 3))
        #expect(try arrivals(seed: 3) != arrivals(seed: 4))
    }

    @Test func `conditions can change while datagrams fly, in one direction alone`() throws {
        let duo = try Duo.acquainted()
        var cut = LinkConditions.clean
        cut.lossPercent = 100
        duo.network.setConditions(cut, from: "alice", to: "bob")
        try send(10, on: duo)
        #expect(duo.bob.ear.datagrams.isEmpty)
        #expect(duo.bob.send([7], to: duo.alice))
        duo.network.setConditions(.clean, from: "alice", to: "bob")
        try send(10, on: duo)
        #expect(duo.bob.ear.datagrams.count == 10)
        #expect(duo.alice.ear.datagrams.map(\.bytes) == [[7]])
    }
}
