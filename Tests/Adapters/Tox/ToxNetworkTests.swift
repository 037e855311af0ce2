// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime
import Testing

@testable import RevueTox

/// Coming online in different ways. Each has peers of its own, and they wait in parallel.
struct ToxNetworkTests {
    @Test func `over a TCP relay alone, texts and datagrams arrive without waiting for the loop`() async throws {
        let pair = try await ToxPair.befriended(relay: true, udp: false)
        defer { pair.stop() }
        #expect(pair.alice.paths(of: pair.bob.id) == .tcpRelay)
        #expect(pair.bob.paths(of: pair.alice.id) == .tcpRelay)
        pair.alice.transport.perform(.sendText(pair.bob.id, "by relay", token: 1))
        try await eventually("the text's receipt", within: 10) {
            pair.alice.recorder.events.contains(.textDelivered(token: 1))
        }
        #expect(pair.bob.recorder.events.contains(.text(pair.alice.id, "by relay")))
        var sent: [Instant] = []
        for index in 0..<100 {
            sent.append(ToxClock.now)
            pair.alice.send([0x80, UInt8(index)] + [UInt8](repeating: 1, count: 1_186), to: pair.bob.id)
            try await Task.sleep(nanoseconds: 5_000_000)
        }
        try await eventually("all arrive", within: 5) { pair.bob.recorder.datagrams.count == 100 }
        let delays = zip(pair.bob.recorder.datagrams, sent).map { ($0.time - $1).milliseconds }.sorted()
        print("one-way datagram delay over the relay: p50 \(delays[50]) ms, p95 \(delays[95]) ms, max \(delays[99]) ms")
        #expect(delays[50] < 20)
    }

    @Test func `a pair whose both sides restart meets again through node and relay`() async throws {
        let pair = try await ToxPair.befriended(relay: true)
        let again = try pair.restarted()
        defer { again.stop() }
        #expect(again.alice.id == pair.alice.id && again.alice.state.friends.map(\.peer) == [pair.bob.id])
        #expect(again.bob.id == pair.bob.id && again.bob.state.friends.map(\.peer) == [pair.alice.id])
        try await again.isConnected(within: 40)
        again.alice.send([0x52, 1], to: again.bob.id)
        try await eventually("a datagram", within: 5) { again.bob.recorder.datagrams.map(\.bytes) == [[0x52, 1]] }
    }

    @Test func `a pair whose both sides restart meets again over UDP alone`() async throws {
        let pair = try await ToxPair.befriended()
        let again = try pair.restarted()
        defer { again.stop() }
        try await again.isConnected(within: 40)
        #expect(again.alice.paths(of: again.bob.id) == .udpDirect)
    }

    @Test func `a pair on the ports of its last run meets again once its instances are made anew`() async throws {
        var timing = ToxTiming()
        timing.firstPatience = .seconds(12)
        let pair = try await ToxPair.befriended(timing: timing, ports: 34_100...34_120)
        let again = try pair.restarted(timing: timing)
        defer { again.stop() }
        try await again.isConnected(within: 50)
    }

    @Test func `idle, two friends take next to no processor time`() async throws {
        let pair = try await ToxPair.befriended()
        defer { pair.stop() }
        try await Task.sleep(nanoseconds: 2_000_000_000)
        let before = try #require(pair.alice.transport.processorTime)
        let iterations = pair.alice.transport.counters.iterations
        try await Task.sleep(nanoseconds: 10_000_000_000)
        let spent = try #require(pair.alice.transport.processorTime) - before
        let turns = pair.alice.transport.counters.iterations - iterations
        print("idle with a friend online: \(spent.seconds * 10) % of a core, \(turns / 10) iterations a second")
        #expect(spent < .milliseconds(50))
        #expect(turns < 400)
    }

    @Test func `a friend who leaves is gone at once, and texts to them fail`() async throws {
        let pair = try await ToxPair.befriended()
        defer { pair.stop() }
        pair.bob.transport.stop()
        try await eventually("the path is gone", within: 5) { pair.alice.paths(of: pair.bob.id).isEmpty }
        pair.alice.transport.perform(.sendText(pair.bob.id, "still there?", token: 5))
        try await eventually("the failure", within: 5) {
            pair.alice.recorder.events.contains(.textFailed(token: 5, .notReachable))
        }
        let events = pair.bob.recorder.events.count
        try await Task.sleep(nanoseconds: 200_000_000)
        #expect(pair.bob.recorder.events.count == events)
    }

    @Test func `a host name is looked up and leads to the node`() async throws {
        let node = try ToxNode()
        defer { node.stop() }
        let peer = try ToxPeer(ToxPeer.lab(node, host: "localhost"))
        defer { peer.transport.stop() }
        try await eventually("online", within: 40) { peer.isOnline }
        let lost = try ToxPeer(ToxPeer.lab(node, host: "no-such-host.invalid"))
        try await eventually("the failure is counted", within: 30) { lost.transport.counters.failedLookups > 0 }
        lost.transport.stop()
    }

    @Test func `an instance whose friends stay away is made anew and stays the same`() async throws {
        let node = try ToxNode()
        defer { node.stop() }
        var timing = ToxTiming()
        timing.firstPatience = .seconds(1)
        let peer = try ToxPeer(ToxPeer.lab(node), timing: timing)
        defer { peer.transport.stop() }
        let absent = try #require(PeerID(bytes: [UInt8](repeating: 5, count: 32)))
        peer.transport.perform(.setName("patient"))
        peer.transport.perform(.acceptFriend(absent))
        try await eventually("a rebuild", within: 20) { peer.transport.counters.rebuilds >= 2 }
        let envelope = try SavedataEnvelope(parsing: peer.transport.savedata())
        #expect(envelope.publicKey == peer.id && envelope.friendCount == 1)
        let saved = try ToxHandle(ToxHandle.Settings(), savedata: envelope.payload)
        #expect(saved.ownProfile.name == "patient" && saved.friends.map(\.peer) == [absent])
        #expect(peer.send([0x80], to: absent))
    }

    @Test func `a request that was forgotten is shown again`() async throws {
        let node = try ToxNode()
        defer { node.stop() }
        let (asker, asked) = (try ToxPeer(ToxPeer.lab(node)), try ToxPeer(ToxPeer.lab(node)))
        defer {
            asker.transport.stop()
            asked.transport.stop()
        }
        let request = TransportEvent.friendRequest(asker.id, message: "please")
        asker.transport.perform(.addFriend(asked.state.address, message: "please"))
        try await eventually("the request", within: 40) { asked.recorder.events.contains(request) }
        asked.transport.perform(.deleteFriend(asker.id))
        try await eventually("the repeated request", within: 60) {
            asked.recorder.events.filter { $0 == request }.count == 2
        }
    }
}
