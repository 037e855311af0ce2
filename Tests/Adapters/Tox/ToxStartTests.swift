// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Glibc
import RevueDomain
import RevuePorts
import RevueTime
import Testing

@testable import RevueTox

/// What needs a toxcore instance but no network.
struct ToxStartTests {
    private static func alone(_ first: UInt16 = 0, _ last: UInt16 = 0) -> TransportConfiguration {
        TransportConfiguration(
            ipv6Enabled: false, localDiscoveryEnabled: false, startPort: first, endPort: last)
    }

    private func start(
        _ transport: ToxTransport, _ configuration: TransportConfiguration = alone(), savedata: [UInt8]? = nil
    ) throws(TransportError) -> TransportState {
        try transport.start(configuration, savedata: savedata, delegate: ToxRecorder())
    }

    private static func peer(_ byte: UInt8) throws -> PeerID {
        try #require(PeerID(bytes: [UInt8](repeating: byte, count: 32)))
    }

    /// Waits for the commands before: savedata is answered in their order.
    private func settled(_ transport: ToxTransport) -> [UInt8] { transport.savedata() }

    @Test func `a restart with the savedata keeps identity, profile and friends`() throws {
        let first = ToxTransport()
        let state = try start(first)
        let friends = try (1...5).map(Self.peer)
        for friend in friends { first.perform(.acceptFriend(friend)) }
        first.perform(.deleteFriend(friends[1]))
        first.perform(.setName("Zoë"))
        first.perform(.setStatusMessage("here"))
        first.perform(.setAvailability(.away))
        let savedata = settled(first)
        first.stop()

        let second = ToxTransport()
        let again = try start(second, savedata: savedata)
        second.stop()
        #expect(again.address == state.address)
        #expect(again.profile == Profile(name: "Zoë", statusMessage: "here", availability: .away))
        #expect(again.friends.map(\.peer) == [friends[0], friends[2], friends[3], friends[4]])
    }

    @Test func `two new identities differ`() throws {
        let (first, second) = (ToxTransport(), ToxTransport())
        #expect(try start(first).address != start(second).address)
        first.stop()
        second.stop()
    }

    @Test func `damaged savedata never becomes a new identity`() throws {
        let transport = ToxTransport()
        _ = try start(transport)
        transport.perform(.acceptFriend(try Self.peer(9)))
        let savedata = settled(transport)
        transport.stop()

        let whole = try SavedataEnvelope(parsing: savedata)
        var lengths = [0, 1, 53, 54, 55, savedata.count - 1]
        lengths += [62, 138, 158].map { min($0, savedata.count - 1) }
        for length in lengths {
            #expect(throws: TransportError.self, "\(length) bytes") {
                _ = try start(transport, savedata: Array(savedata.prefix(length)))
            }
        }
        // A payload that toxcore itself takes for fine, in an envelope that is whole: what it lacks is noticed.
        for length in [0, 4, 8, 84, 104, whole.payload.count / 2] {
            var cut = whole
            cut.payload = Array(whole.payload.prefix(length))
            #expect(throws: TransportError.self, "payload of \(length) bytes") {
                _ = try start(transport, savedata: cut.bytes)
            }
        }
        var stranger = whole
        stranger.publicKey = try Self.peer(1)
        #expect(throws: TransportError.damagedSavedata(reason: "toxcore loaded another identity")) {
            _ = try start(transport, savedata: stranger.bytes)
        }
        #expect(transport.savedata().isEmpty)
        #expect(try start(transport, savedata: savedata).friends.count == 1)
        transport.stop()
    }

    @Test func `instances on overlapping port ranges each find a port and their own socket`() throws {
        let transports = (0..<3).map { _ in ToxTransport() }
        for transport in transports { _ = try start(transport, Self.alone(33_500, 33_520)) }
        for transport in transports { #expect(!transport.savedata().isEmpty) }
        for transport in transports { transport.stop() }
        let handles = try (0..<3).map { _ in try ToxHandle(ToxHandle.Settings(), savedata: nil) }
        defer { withExtendedLifetime(handles) {} }  // their sockets close with them
        let ports = handles.compactMap(\.udpPort)
        let sockets = ports.compactMap { OwnSockets.datagram(port: $0, ipv6: false) }
        #expect(Set(ports).count == 3 && Set(sockets).count == 3)
    }

    @Test func `a taken port is an error`() throws {
        let holder = try ToxNode()
        defer { holder.stop() }
        #expect(throws: TransportError.noFreePort(first: holder.port, last: holder.port)) {
            _ = try start(ToxTransport(), Self.alone(holder.port, holder.port))
        }
        #expect(throws: TransportError.noFreePort(first: holder.port, last: holder.port)) {
            _ = try ToxNode(port: holder.port)
        }
    }

    @Test func `a configuration that cannot work is refused`() throws {
        var nothing = Self.alone()
        (nothing.udpEnabled, nothing.tcpRelayEnabled) = (false, false)
        #expect(throws: TransportError.invalidConfiguration(reason: "neither UDP nor TCP relays are enabled")) {
            _ = try start(ToxTransport(), nothing)
        }
        #expect(throws: TransportError.invalidConfiguration(reason: "ports 40000…39999 are no range")) {
            _ = try start(ToxTransport(), Self.alone(40_000, 39_999))
        }
    }

    @Test func `a second start is refused and a start after stop works`() throws {
        let transport = ToxTransport()
        _ = try start(transport)
        #expect(throws: TransportError.alreadyStarted) { _ = try start(transport) }
        transport.stop()
        transport.stop()
        _ = try start(transport)
        transport.stop()
    }

    @Test func `before start and after stop nothing is saved, sent or carried out`() throws {
        let transport = ToxTransport()
        let friend = try Self.peer(4)
        #expect(transport.savedata().isEmpty)
        transport.perform(.acceptFriend(friend))
        #expect(try start(transport).friends.isEmpty)
        transport.perform(.acceptFriend(friend))
        _ = settled(transport)
        #expect([0x80].withUnsafeBytes { transport.send($0, to: friend) })
        transport.stop()
        #expect(transport.savedata().isEmpty)
        #expect(![0x80].withUnsafeBytes { transport.send($0, to: friend) })
        transport.stop()
    }

    @Test func `stop from the delegate's own callback ends the thread without a further event`() async throws {
        let transport = ToxTransport()
        let recorder = ToxRecorder()
        _ = try transport.start(Self.alone(), savedata: nil, delegate: recorder)
        let stopped = Locked(false)
        recorder.onEvent.withLock {
            $0 = { _ in
                transport.stop()
                stopped.withLock { $0 = true }
            }
        }
        let tooLong = TransportCommand.setName(String(repeating: "n", count: 129))
        transport.perform(tooLong)
        transport.perform(tooLong)
        try await eventually("the callback returned", within: 5) { stopped.withLock { $0 } }
        transport.stop()
        recorder.onEvent.withLock { $0 = nil }
        #expect(recorder.events == [.commandFailed(tooLong, reason: "too long")])
        #expect(transport.savedata().isEmpty)
    }

    @Test func `a transport that nobody keeps ends its thread`() throws {
        let recorder = ToxRecorder()
        weak var gone: ToxTransport?
        do {
            let transport = ToxTransport()
            _ = try transport.start(Self.alone(), savedata: nil, delegate: recorder)
            gone = transport
        }
        #expect(gone == nil)
    }

    @Test func `after a gap between iterations, as sleep makes it, the nodes are asked again`() async throws {
        var timing = ToxTiming()
        timing.sleepGap = .milliseconds(200)
        let peer = try ToxPeer(Self.alone(), timing: timing)
        defer { peer.transport.stop() }
        try await eventually("the first round", within: 5) { peer.transport.counters.bootstraps == 1 }
        peer.recorder.onEvent.withLock { $0 = { _ in usleep(400_000) } }
        peer.transport.perform(.setName(String(repeating: "n", count: 129)))
        try await eventually("another round", within: 5) { peer.transport.counters.bootstraps == 2 }
    }

    @Test func `a new identity is worth saving, a loaded one is saved already`() async throws {
        let new = try ToxPeer(Self.alone())
        try await eventually("the report", within: 5) { new.recorder.saves == 1 }
        let savedata = new.transport.savedata()
        new.transport.stop()
        let loaded = try ToxPeer(Self.alone(), savedata: savedata)
        try await eventually("some turns", within: 5) { loaded.transport.counters.iterations > 3 }
        loaded.transport.stop()
        #expect(loaded.recorder.saves == 0)
    }

    @Test(.enabled(if: OwnSockets.isIPv6Available)) func `an IPv6 socket is found among the process's own too`() throws
    {
        var settings = ToxHandle.Settings()
        settings.ipv6Enabled = true
        let handle = try ToxHandle(settings, savedata: nil)
        let port = try #require(handle.udpPort)
        #expect(OwnSockets.datagram(port: port, ipv6: true) != nil)
        #expect(OwnSockets.datagram(port: port, ipv6: false) == nil)
    }

    @Test func `commands that cannot be carried out say why`() async throws {
        let transport = ToxTransport()
        let recorder = ToxRecorder()
        let state = try transport.start(Self.alone(), savedata: nil, delegate: recorder)
        let other = FriendAddress(peer: try Self.peer(7), nospam: 1)
        let refused: [(TransportCommand, String)] = [
            (.addFriend(state.address, message: "me"), "that is our own address"),
            (.addFriend(other, message: ""), "the request is empty"),
            (.addFriend(other, message: String(repeating: "r", count: 922)), "the request is too long"),
            (.acceptFriend(state.address.peer), "that is our own address"),
            (.setStatusMessage(String(repeating: "s", count: 1_008)), "too long"),
        ]
        for (command, _) in refused { transport.perform(command) }
        transport.perform(.addFriend(other, message: String(repeating: "r", count: 921)))
        transport.perform(.addFriend(other, message: "twice"))
        _ = settled(transport)
        transport.stop()
        #expect(
            recorder.events == refused.map { .commandFailed($0, reason: $1) } + [
                .commandFailed(.addFriend(other, message: "twice"), reason: "already a friend")
            ])
    }

    @Test func `a text to a friend who is not there fails at once`() throws {
        let transport = ToxTransport()
        let recorder = ToxRecorder()
        _ = try transport.start(Self.alone(), savedata: nil, delegate: recorder)
        let friend = try Self.peer(7)
        transport.perform(.acceptFriend(friend))
        transport.perform(.sendText(friend, "hello?", token: 1))
        _ = settled(transport)
        transport.stop()
        #expect(recorder.events == [.textFailed(token: 1, .notReachable)])
    }
}
