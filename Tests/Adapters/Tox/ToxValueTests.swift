// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CToxcore
import RevueDomain
import RevuePorts
import RevueTime
import Testing

@testable import RevueTox

struct PeerTextTests {
    private func repaired(_ bytes: [UInt8], limit: Int = .max) -> String {
        bytes.withUnsafeBufferPointer { PeerText.repaired($0, limit: limit) }
    }

    @Test func `text from a peer is valid, ends at a NUL and keeps to its limit`() {
        #expect(repaired(Array("plain".utf8)) == "plain")
        #expect(repaired([]) == "")
        #expect(repaired([0]) == "")
        #expect(repaired([0x61, 0, 0xFF, 0xFE]) == "a")
        #expect(repaired([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
        #expect(repaired([UInt8](repeating: 0xFF, count: 128), limit: 128).utf8.count == 126)
        #expect(repaired(Array("ééé".utf8), limit: 5) == "éé")
    }
}

struct DatagramQueueTests {
    private func queue() throws -> (DatagramQueue, PeerID) {
        let queue = DatagramQueue()
        let friend = try #require(PeerID(bytes: [UInt8](repeating: 1, count: 32)))
        queue.setFriends([friend])
        return (queue, friend)
    }

    private func offer(_ bytes: [UInt8], _ queue: DatagramQueue, _ peer: PeerID) -> DatagramQueue.Answer {
        bytes.withUnsafeBytes { queue.offer($0, to: peer) }
    }

    @Test func `one wake-up serves a batch`() throws {
        let (queue, friend) = try queue()
        #expect(offer([1], queue, friend) == .taken(wake: true))
        #expect(offer([2], queue, friend) == .taken(wake: false))
        queue.beginTaking()
        #expect(offer([3], queue, friend) == .taken(wake: true))
    }

    @Test func `packets leave in order with our id in front, also around the ring's end`() throws {
        let (queue, friend) = try queue()
        for round in 0..<5 {
            for index in 0..<400 { _ = offer([UInt8(round), UInt8(index % 256)], queue, friend) }
            for index in 0..<400 {
                let first = try #require(queue.first())
                #expect(Array(first.packet) == [218, UInt8(round), UInt8(index % 256)])
                queue.removeFirst()
            }
        }
        #expect(queue.first() == nil)
    }

    @Test func `a full ring refuses and keeps what it has`() throws {
        let (queue, friend) = try queue()
        for _ in 0..<DatagramQueue.capacity { _ = offer([7], queue, friend) }
        #expect(offer([8], queue, friend) == .full)
        queue.removeFirst()
        #expect(offer([8], queue, friend) == .taken(wake: false))
    }

    @Test func `sizes and strangers are refused`() throws {
        let (queue, friend) = try queue()
        let stranger = try #require(PeerID(bytes: [UInt8](repeating: 2, count: 32)))
        #expect(offer([], queue, friend) == .refused)
        #expect(offer([UInt8](repeating: 0, count: 1_189), queue, friend) == .refused)
        #expect(offer([1], queue, stranger) == .refused)
        #expect(offer([UInt8](repeating: 5, count: 1_188), queue, friend) == .taken(wake: true))
        #expect(queue.first()?.packet.count == 1_189)
    }
}

struct BootstrapPlanTests {
    private let timing = ToxTiming()
    private let named: TransportConfiguration.Node
    private let numeric: TransportConfiguration.Node

    init() throws {
        let key = try #require(PeerID(bytes: [UInt8](repeating: 1, count: 32)))
        named = TransportConfiguration.Node(host: "node.example", port: 1, publicKey: key)
        numeric = TransportConfiguration.Node(host: "192.0.2.1", port: 1, publicKey: key)
    }

    private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    @Test func `an address needs no look-up and a name is looked up once`() {
        var plan = BootstrapPlan(nodes: [numeric, named])
        #expect(plan.entries[0].addresses == ["192.0.2.1"])
        #expect(plan.startLookups(at: at(0)) == [1])
        #expect(plan.startLookups(at: at(9)) == [])
        #expect(plan.lookedUp(1, addresses: ["192.0.2.7"], at: at(9), timing: timing) == true)
        #expect(plan.startLookups(at: at(99)) == [])
    }

    @Test func `a failed look-up is tried again ever later, at most a minute apart`() {
        var plan = BootstrapPlan(nodes: [named])
        var now = at(0)
        for wait in [1, 2, 4, 8, 16, 32, 60, 60] as [Int64] {
            #expect(plan.startLookups(at: now) == [0])
            #expect(plan.lookedUp(0, addresses: [], at: now, timing: timing) == false)
            #expect(plan.startLookups(at: now + .seconds(wait) - .milliseconds(1)) == [])
            now = now + .seconds(wait)
        }
    }

    @Test func `offline, the nodes are asked ever more seldom; online, not at all`() {
        var plan = BootstrapPlan(nodes: [numeric])
        var now = at(0)
        for wait in [5, 10, 20, 40, 60, 60] as [Int64] {
            #expect(plan.isRoundDue(at: now, timing: timing) == true)
            #expect(plan.isRoundDue(at: now + .seconds(wait) - .milliseconds(1), timing: timing) == false)
            now = now + .seconds(wait)
        }
        plan.reachabilityChanged(isOnline: true, at: now, timing: timing)
        #expect(plan.isRoundDue(at: now + .seconds(3_600), timing: timing) == false)
        plan.reachabilityChanged(isOnline: false, at: now, timing: timing)
        #expect(plan.isRoundDue(at: now, timing: timing) == true)
    }

    @Test func `a restart asks once, also online`() {
        var plan = BootstrapPlan(nodes: [numeric])
        plan.reachabilityChanged(isOnline: true, at: at(0), timing: timing)
        plan.restart()
        #expect(plan.isRoundDue(at: at(1), timing: timing) == true)
        #expect(plan.isRoundDue(at: at(3_600), timing: timing) == false)
    }

    @Test func `a name is looked up again while its node does not help`() {
        var plan = BootstrapPlan(nodes: [named])
        _ = plan.startLookups(at: at(0))
        _ = plan.lookedUp(0, addresses: ["192.0.2.7"], at: at(0), timing: timing)
        for second in [0, 5, 15] as [Int64] { _ = plan.isRoundDue(at: at(second), timing: timing) }
        #expect(plan.startLookups(at: at(15)) == [0])
        #expect(plan.entries[0].addresses == ["192.0.2.7"])
    }
}

struct SavingPlanTests {
    private let timing = ToxTiming()
    private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    @Test func `our own changes are saved at once, friends' profiles once they settle`() {
        var plan = SavingPlan()
        #expect(!plan.isDue(at: at(0)))
        plan.profileChanged(at: at(1), timing: timing)
        plan.profileChanged(at: at(2), timing: timing)
        #expect(!plan.isDue(at: at(2)))
        #expect(plan.isDue(at: at(3)))
        plan.reported(at: at(3), timing: timing, isOnline: true)
        #expect(!plan.isDue(at: at(100)))
        plan.request(at: at(100))
        #expect(plan.isDue(at: at(100)))
    }

    @Test func `known nodes are saved after coming online and every ten minutes`() {
        var plan = SavingPlan()
        plan.nodesKnown(at: at(0), timing: timing)
        #expect(!plan.isDue(at: at(29)) && plan.isDue(at: at(30)))
        plan.reported(at: at(30), timing: timing, isOnline: true)
        #expect(!plan.isDue(at: at(629)) && plan.isDue(at: at(630)))
        plan.reported(at: at(630), timing: timing, isOnline: false)
        #expect(!plan.isDue(at: at(9_999)))
    }
}

struct ToxErrorMappingTests {
    @Test func `every code that a caller can cause has an error of its own`() {
        #expect(ErrorMapping.creation(TOX_ERR_NEW_OK, first: 1, last: 2) == nil)
        #expect(ErrorMapping.creation(TOX_ERR_NEW_PORT_ALLOC, first: 1, last: 2) == .noFreePort(first: 1, last: 2))
        for code in [TOX_ERR_NEW_LOAD_ENCRYPTED, TOX_ERR_NEW_LOAD_BAD_FORMAT] {
            guard case .damagedSavedata = ErrorMapping.creation(code, first: 1, last: 2) else {
                Issue.record("\(code.rawValue)")
                continue
            }
        }
        #expect(ErrorMapping.text(TOX_ERR_FRIEND_SEND_MESSAGE_SENDQ) == .queueFull)
        #expect(ErrorMapping.text(TOX_ERR_FRIEND_SEND_MESSAGE_FRIEND_NOT_CONNECTED) == .notReachable)
        #expect(ErrorMapping.paths(TOX_CONNECTION_TCP) == .tcpRelay)
        #expect(ErrorMapping.paths(TOX_CONNECTION_NONE) == [])
        #expect(ErrorMapping.reachability(TOX_CONNECTION_UDP) == .udp)
        for availability in Availability.allCases {
            #expect(ErrorMapping.availability(ErrorMapping.status(availability)) == availability)
        }
    }
}
