// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain
import RevuePorts
import RevueTime
import Testing

@testable import RevueUDP

/// Real sockets on loopback.
struct UDPWireTests {
    /// An RTP packet as a media tool would send it: version 2, payload type 96.
    private static func rtp(_ size: Int, sequence: UInt8 = 1) -> [UInt8] {
        [0x80, 0x60, 0, sequence, 0, 0, 0, 1, 0xCA, 0xFE, 0, 1]
            + (12..<max(12, size)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    }

    private static func receive(_ socket: DatagramSocket, where isWanted: ([UInt8]) -> Bool) async throws -> [UInt8] {
        let deadline = LabClock.now + .seconds(5)
        var buffer = [UInt8](repeating: 0, count: 2_048)
        while true {
            if case .datagram(let length, _) = buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
                let bytes = Array(buffer.prefix(length))
                if isWanted(bytes) { return bytes }
                continue
            }
            try #require(LabClock.now < deadline, "nothing arrives")
            try await Task.sleep(nanoseconds: 2_000_000)
        }
    }

    private static func pair(timing: LabTiming = LabTiming()) async throws -> (alice: LabPeer, bob: LabPeer) {
        let bob = try LabPeer(timing: timing)
        let port = try #require(bob.transport.localPort)
        let alice = try LabPeer(peers: [.init(id: bob.id, host: bob.host, port: port)], timing: timing)
        alice.transport.perform(.addFriend(bob.state.address, message: "hello"))
        try await eventually("the request arrives", within: 5) {
            bob.ear.events.contains(.friendRequest(alice.id, message: "hello"))
        }
        bob.transport.perform(.acceptFriend(alice.id))
        try await eventually("both see a path", within: 5) {
            alice.ear.paths(of: bob.id) == .udpDirect && bob.ear.paths(of: alice.id) == .udpDirect
        }
        return (alice, bob)
    }

    @Test(arguments: [12, 200, 1_188])
    func `an RTP packet is on the wire exactly as it was given`(size: Int) async throws {
        let tool = try DatagramSocket(bind: LabHost.next(), port: 0)
        let host = LabHost.next()
        let wire = try DatagramSocket(bind: host, port: 0)
        let id = try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32)))
        let alice = try LabPeer(peers: [.init(id: id, host: host, port: wire.port)])
        defer { alice.transport.stop() }
        alice.transport.perform(.acceptFriend(id))
        let packet = Self.rtp(size)
        try await eventually("the friend is known", within: 5) { alice.send(packet, to: id) }
        let seen = try await Self.receive(wire) { bytes in !bytes.withUnsafeBytes { LabPacket.isOwn($0) } }
        #expect(seen == packet)
        _ = tool
    }

    @Test func `a media tool at a friend's address is a path while it sends, and what it sends is the friend's`()
        async throws
    {
        let tool = try DatagramSocket(bind: LabHost.next(), port: 0)
        let toolHost = LabHost.next()
        let sender = try DatagramSocket(bind: toolHost, port: 0)
        let id = try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32)))
        var timing = LabTiming()
        timing.silence = .milliseconds(300)
        let alice = try LabPeer(peers: [.init(id: id, host: toolHost, port: sender.port)], timing: timing)
        defer { alice.transport.stop() }
        alice.transport.perform(.acceptFriend(id))
        let target = try #require(alice.endpoint)
        let packet = Self.rtp(800)
        try await eventually("the packet arrives", within: 5) {
            _ = packet.withUnsafeBytes { sender.send($0, to: target) }
            return alice.ear.datagrams.contains(packet)
        }
        #expect(alice.ear.paths(of: id) == .udpDirect)
        try await eventually("silence ends the path", within: 5) { alice.ear.paths(of: id).isEmpty }
        // A stranger's packet changes nothing.
        let before = alice.ear.datagrams.count
        _ = packet.withUnsafeBytes { tool.send($0, to: target) }
        try await eventually("it is counted", within: 5) { alice.transport.counters.fromStrangers > 0 }
        #expect(alice.ear.datagrams.count == before)
        #expect(alice.ear.paths(of: id).isEmpty)
    }

    @Test func `a killed friend is missed, and one that restarts elsewhere is found again`() async throws {
        var timing = LabTiming()
        timing.silence = .milliseconds(600)
        timing.heartbeat = .milliseconds(100)
        let (alice, bob) = try await Self.pair(timing: timing)
        defer { alice.transport.stop() }
        let savedata = bob.transport.savedata()
        bob.transport.stop()
        try await eventually("alice sees it", within: 5) { alice.ear.paths(of: bob.id).isEmpty }
        // A new port: bob remembers where alice is, and alice believes whoever answers her nonce.
        let again = try LabPeer(host: bob.host, savedata: savedata, timing: timing)
        defer { again.transport.stop() }
        #expect(again.id == bob.id)
        #expect(again.state.friends.map(\.peer) == [alice.id])
        try await eventually("both are back", within: 5) {
            alice.ear.paths(of: bob.id) == .udpDirect && again.ear.paths(of: alice.id) == .udpDirect
        }
        again.send(Self.rtp(50, sequence: 9), to: alice.id)
        try await eventually("datagrams flow", within: 5) { alice.ear.datagrams.last?[3] == 9 }
    }

    @Test func `a waking socket carries a datagram in a fraction of a millisecond`() async throws {
        let (alice, bob) = try await Self.pair()
        defer {
            alice.transport.stop()
            bob.transport.stop()
        }
        let arrivals = Locked<[Instant]>([])
        bob.ear.onDatagram.withLock { $0 = { arrivals.withLock { $0.append(LabClock.now) } } }
        var sent: [Instant] = []
        for index in 0..<100 {
            sent.append(LabClock.now)
            alice.send(Self.rtp(1_000, sequence: UInt8(index)), to: bob.id)
            try await Task.sleep(nanoseconds: 2_000_000)
        }
        try await eventually("all arrive", within: 5) { arrivals.withLock { $0.count } == 100 }
        let delays = zip(arrivals.withLock { $0 }, sent).map { ($0 - $1).milliseconds }.sorted()
        print("one-way datagram delay: p50 \(delays[50]) ms, p95 \(delays[95]) ms")
        #expect(delays[50] < 2)
    }

    @Test func `stop and savedata may be called from a delegate's callback`() async throws {
        let (alice, bob) = try await Self.pair()
        defer { alice.transport.stop() }
        let size = Locked(0)
        let transport = bob.transport
        bob.ear.onDatagram.withLock { handler in
            handler = {
                size.withLock { $0 = transport.savedata().count }
                transport.stop()
            }
        }
        alice.send(Self.rtp(20), to: bob.id)
        try await eventually("bob has gone", within: 5) { alice.ear.paths(of: bob.id).isEmpty }
        #expect(size.withLock { $0 } > LabAccount.headerBytes)
        #expect(bob.transport.savedata().isEmpty)
        #expect(!bob.send(Self.rtp(20), to: alice.id))
    }

    @Test func `noise at the socket is counted and harms nothing`() async throws {
        let (alice, bob) = try await Self.pair()
        defer {
            alice.transport.stop()
            bob.transport.stop()
        }
        let noise = try DatagramSocket(bind: LabHost.next(), port: 0)
        let target = try #require(bob.endpoint)
        var generator = SeededGenerator(seed: 1)
        for round in 0..<2_000 {
            let length = Int.random(in: 0...1_500, using: &generator)
            var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if round % 2 == 0 {
                bytes.replaceSubrange(0..<min(5, length), with: (LabPacket.magic + [UInt8(round % 8)]).prefix(length))
            }
            _ = bytes.withUnsafeBytes { noise.send($0, to: target) }
        }
        alice.transport.perform(.sendText(bob.id, "still here", token: 1))
        try await eventually("the text arrives", within: 5) { alice.ear.events.contains(.textDelivered(token: 1)) }
        #expect(bob.ear.events.contains(.text(alice.id, "still here")))
        #expect(bob.transport.counters.malformed > 0)
        #expect(bob.ear.datagrams.isEmpty)
    }

    @Test func `a datagram that looks like the transport's own packet is not taken`() async throws {
        let (alice, bob) = try await Self.pair()
        defer {
            alice.transport.stop()
            bob.transport.stop()
        }
        #expect(!alice.send(LabPacket.magic + [1, 2, 3], to: bob.id))
        #expect(alice.send([0x55, 1, 2], to: bob.id))
        try await eventually("the other one arrives", within: 5) { bob.ear.datagrams == [[0x55, 1, 2]] }
    }
}
