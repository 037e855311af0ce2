// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain
import RevuePorts
import RevueTime
import Testing

@testable import RevueTox

/// Records what a transport reports.
final class ToxRecorder: TransportDelegate {
    struct Datagram: Sendable, Equatable {
        var peer: PeerID
        var bytes: [UInt8]
        var time: Instant
    }
    struct State: Sendable {
        var events: [TransportEvent] = []
        var datagrams: [Datagram] = []
        var saves = 0
    }

    let state = Locked(State())
    /// Runs on the transport's thread before an event or a datagram is recorded.
    let onEvent = Locked<(@Sendable (TransportEvent) -> Void)?>(nil)
    let onDatagram = Locked<(@Sendable ([UInt8], PeerID) -> Void)?>(nil)

    func transport(didReport event: TransportEvent) {
        onEvent.withLock { $0 }?(event)
        state.withLock { $0.events.append(event) }
    }

    func transport(didReceive datagram: UnsafeRawBufferPointer, from peer: PeerID) {
        let bytes = Array(datagram)
        let time = ToxClock.now
        onDatagram.withLock { $0 }?(bytes, peer)
        state.withLock { $0.datagrams.append(Datagram(peer: peer, bytes: bytes, time: time)) }
    }

    func transportDidChangeSavedata() { state.withLock { $0.saves += 1 } }

    var events: [TransportEvent] { state.withLock { $0.events } }
    var datagrams: [Datagram] { state.withLock { $0.datagrams } }
    var saves: Int { state.withLock { $0.saves } }
    func clear() { state.withLock { $0 = State() } }
}

/// Waits until `condition` holds, at most `seconds` times `patience`.
func eventually(
    _ what: Comment, within seconds: Double, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () -> Bool
) async throws {
    let deadline = ToxClock.now + .seconds(seconds * patience)
    while !condition() {
        try #require(ToxClock.now < deadline, what, sourceLocation: sourceLocation)
        try await Task.sleep(nanoseconds: 5_000_000)
    }
}

/// One real toxcore peer on loopback.
final class ToxPeer: Sendable {
    let transport: ToxTransport
    let recorder = ToxRecorder()
    let configuration: TransportConfiguration
    let state: TransportState

    init(_ configuration: TransportConfiguration, savedata: [UInt8]? = nil, timing: ToxTiming = ToxTiming()) throws {
        self.configuration = configuration
        transport = ToxTransport(timing: timing)
        state = try transport.start(configuration, savedata: savedata, delegate: recorder)
    }

    var id: PeerID { state.address.peer }

    var isOnline: Bool {
        recorder.events.contains { if case .selfReachability(let now) = $0 { now != .offline } else { false } }
    }

    /// The last paths reported for a friend.
    func paths(of peer: PeerID) -> Paths {
        recorder.events.reduce([]) { last, event in
            if case .paths(peer, let paths) = event { paths } else { last }
        }
    }

    @discardableResult
    func send(_ bytes: [UInt8], to peer: PeerID) -> Bool {
        bytes.withUnsafeBytes { transport.send($0, to: peer) }
    }

    /// A lab's configuration: loopback and this node alone.
    static func lab(
        _ node: ToxNode, relay: Bool = false, udp: Bool = true, host: String = "127.0.0.1"
    ) -> TransportConfiguration {
        var entry = node.node(host: host)
        if !relay { entry.tcpRelayPort = nil }
        return TransportConfiguration(
            nodes: [entry], udpEnabled: udp, tcpRelayEnabled: relay, ipv6Enabled: false, localDiscoveryEnabled: false)
    }
}

/// Two friends who are online for each other.
struct ToxPair: Sendable {
    let node: ToxNode
    let alice: ToxPeer
    let bob: ToxPeer

    /// Who became friends as people do: a request, and its acceptance.
    static func befriended(
        relay: Bool = false, udp: Bool = true, timing: ToxTiming = ToxTiming(), ports: ClosedRange<UInt16> = 0...0
    ) async throws -> ToxPair {
        let node = try ToxNode(tcpRelayPort: relay ? 0 : nil)
        var configuration = ToxPeer.lab(node, relay: relay, udp: udp)
        (configuration.startPort, configuration.endPort) = (ports.lowerBound, ports.upperBound)
        let pair = ToxPair(
            node: node, alice: try ToxPeer(configuration, timing: timing),
            bob: try ToxPeer(configuration, timing: timing))
        pair.alice.transport.perform(.addFriend(pair.bob.state.address, message: "hello, Bob"))
        try await eventually("the request arrives", within: 40) {
            pair.bob.recorder.events.contains(.friendRequest(pair.alice.id, message: "hello, Bob"))
        }
        pair.bob.transport.perform(.acceptFriend(pair.alice.id))
        try await pair.isConnected(within: 40)
        return pair
    }

    /// Both stop, then come back from their savedata; the node runs on.
    func restarted(timing: ToxTiming = ToxTiming()) throws -> ToxPair {
        let savedata = (alice.transport.savedata(), bob.transport.savedata())
        alice.transport.stop()
        bob.transport.stop()
        return ToxPair(
            node: node, alice: try ToxPeer(alice.configuration, savedata: savedata.0, timing: timing),
            bob: try ToxPeer(bob.configuration, savedata: savedata.1, timing: timing))
    }

    func isConnected(within seconds: Double, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await eventually("both see a path", within: seconds, sourceLocation: sourceLocation) {
            !alice.paths(of: bob.id).isEmpty && !bob.paths(of: alice.id).isEmpty
        }
    }

    func stop() {
        alice.transport.stop()
        bob.transport.stop()
        node.stop()
    }
}
