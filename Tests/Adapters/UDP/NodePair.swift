// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime
import Testing

@testable import RevueUDP

/// Two nodes and the wire between them, in a time of their own.
struct NodePair {
    var nodes: [LabNode]
    let endpoints: [Endpoint]
    var now = Instant.zero
    var events: [[TransportEvent]] = [[], []]
    /// Decides by direction (from 0 or 1) and packet whether the wire carries it.
    var carries: (Int, LabPacket) -> Bool = { _, _ in true }
    /// Everything that either node sent, carried or not.
    var sent: [(from: Int, packet: LabPacket)] = []

    init() throws {
        let endpoints = [
            try #require(Endpoint(literal: "10.0.0.1", port: 1)), try #require(Endpoint(literal: "10.0.0.2", port: 2)),
        ]
        let accounts = [LabAccount(), LabAccount()]
        nodes = [0, 1].map { index in
            LabNode(
                account: accounts[index], contacts: [LabContact(peer: nil, endpoint: endpoints[1 - index])],
                at: Instant.zero)
        }
        self.endpoints = endpoints
    }

    func id(_ index: Int) -> PeerID { nodes[index].identity.peer }

    mutating func perform(_ command: TransportCommand, on index: Int) {
        nodes[index].perform(command, at: now)
        settle()
    }

    /// Carries what waits, and what that leads to, without letting time pass.
    mutating func settle() {
        for _ in 0..<1_000 {
            var isQuiet = true
            for index in [0, 1] {
                let effects = nodes[index].effects
                nodes[index].effects = []
                for effect in effects {
                    switch effect {
                    case .report(let event): events[index].append(event)
                    case .transmit(let packet, let target):
                        isQuiet = false
                        sent.append((index, packet))
                        guard target == endpoints[1 - index], carries(index, packet) else { continue }
                        _ = nodes[1 - index].received(packet.bytes, from: endpoints[index], at: now)
                    case .save, .reroute: break
                    }
                }
            }
            if isQuiet { return }
        }
        Issue.record("the nodes never come to rest")
    }

    mutating func pass(_ interval: Interval) {
        let end = now + interval
        while let due = nodes.compactMap(\.nextDeadline).min(), due <= end {
            now = max(now, due)
            for index in [0, 1] { nodes[index].timerFired(at: now) }
            settle()
        }
        now = end
    }

    mutating func befriend() {
        perform(.acceptFriend(id(1)), on: 0)
        perform(.acceptFriend(id(0)), on: 1)
        pass(.seconds(2))
    }

    func sees(_ index: Int) -> Bool { nodes[index].friends.first?.connection != nil }
    func count(_ event: TransportEvent, _ index: Int) -> Int { events[index].filter { $0 == event }.count }
}
