// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain
import RevuePorts
import RevueTime
import Testing

@testable import RevueUDP

struct UDPStartTests {
    private static func start(
        _ configuration: UDPTransport.Configuration, _ network: TransportConfiguration = TransportConfiguration(),
        savedata: [UInt8]? = nil
    ) throws(TransportError) {
        let transport = UDPTransport(configuration: configuration)
        _ = try transport.start(network, savedata: savedata, delegate: LabEar())
        transport.stop()
    }

    @Test func `a taken port is named, and a range is searched`() throws {
        let host = LabHost.next()
        let taken = try DatagramSocket(bind: host, port: 21_900)
        #expect(throws: TransportError.noFreePort(first: 21_900, last: 21_900)) {
            try Self.start(.init(bind: host, port: taken.port))
        }
        let network = TransportConfiguration(startPort: 21_900, endPort: 21_903)
        let peer = try LabPeer(host: host, network: network)
        defer { peer.transport.stop() }
        #expect(peer.transport.localPort == 21_901)
    }

    @Test(arguments: ["", "localhost", "300.1.1.1", "127.0.0.1:5"])
    func `what is no address to listen at is refused`(bind: String) {
        #expect(throws: TransportError.self) { try Self.start(.init(bind: bind)) }
    }

    @Test func `UDP switched off leaves nothing to start`() {
        #expect(throws: TransportError.self) { try Self.start(.init(), TransportConfiguration(udpEnabled: false)) }
    }

    @Test func `a peer that this socket cannot reach is refused by name`() {
        let peers = [UDPTransport.Peer(host: "::1", port: 5)]
        #expect(
            throws: TransportError.invalidConfiguration(reason: "::1:5 cannot be reached from this socket")
        ) {
            try Self.start(.init(bind: LabHost.next(), peers: peers))
        }
    }

    @Test func `a peers file gives addresses, and a broken one its line`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("revue-udp-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("peers.txt")

        let bob = try LabPeer()
        defer { bob.transport.stop() }
        let port = try #require(bob.transport.localPort)
        try Data("# the lab\n\(bob.state.address.base58) \(bob.host):\(port)\n".utf8).write(to: file)
        let alice = try LabPeer(peersFile: file.path)
        defer { alice.transport.stop() }
        alice.transport.perform(.acceptFriend(bob.id))
        bob.transport.perform(.acceptFriend(alice.id))
        try await eventually("both see a path", within: 5) {
            alice.ear.paths(of: bob.id) == .udpDirect && bob.ear.paths(of: alice.id) == .udpDirect
        }

        try Data("* 127.0.0.1:5\nnonsense\n".utf8).write(to: file)
        let reason = "\(file.path), line 2: expected an identifier (or *) and host:port"
        #expect(throws: TransportError.invalidConfiguration(reason: reason)) {
            try Self.start(.init(peersFile: file.path))
        }
        #expect(throws: TransportError.self) { try Self.start(.init(peersFile: folder.path + "/missing")) }
    }

    @Test func `a host name is looked up beside the transport's thread`() async throws {
        let bob = try LabPeer(host: "127.0.0.1")
        defer { bob.transport.stop() }
        let port = try #require(bob.transport.localPort)
        let alice = try LabPeer(host: "127.0.0.1", peers: [.init(id: bob.id, host: "localhost", port: port)])
        defer { alice.transport.stop() }
        alice.transport.perform(.acceptFriend(bob.id))
        bob.transport.perform(.acceptFriend(alice.id))
        try await eventually("both see a path", within: 8) {
            alice.ear.paths(of: bob.id) == .udpDirect && bob.ear.paths(of: alice.id) == .udpDirect
        }
    }

    @Test func `IPv6 carries the same`() async throws {
        let bob = try LabPeer(host: "::1")
        defer { bob.transport.stop() }
        let port = try #require(bob.transport.localPort)
        let node = TransportConfiguration.Node(host: "::1", port: port, publicKey: bob.id)
        let alice = try LabPeer(host: "::1", network: TransportConfiguration(nodes: [node]))
        defer { alice.transport.stop() }
        alice.transport.perform(.addFriend(bob.state.address, message: "six"))
        try await eventually("the request arrives", within: 5) {
            bob.ear.events.contains(.friendRequest(alice.id, message: "six"))
        }
    }

    @Test func `starting and stopping leaves no descriptor behind`() throws {
        func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        // Other tests open and close theirs meanwhile: ours would add up to hundreds.
        let before = try descriptors()
        for _ in 0..<300 { try Self.start(.init(bind: "127.0.0.1")) }
        #expect(try descriptors() < before + 200)
    }
}

struct PeerListTests {
    private let id: PeerID

    init() throws { id = try #require(PeerID(bytes: 0..<32)) }

    @Test func `every form of a line is read`() throws {
        let text = """
            # comment

            \(id.base58) 10.0.0.1:5000   # the left one
            \(id.hexadecimal)\tlab-pc:5001
            \(FriendAddress(peer: id, nospam: 7).base58) [fe80::1]:5002
            * 10.0.0.9:1
            """
        #expect(
            try UDPTransport.Peer.list(from: text) == [
                .init(id: id, host: "10.0.0.1", port: 5_000), .init(id: id, host: "lab-pc", port: 5_001),
                .init(id: id, host: "fe80::1", port: 5_002), .init(host: "10.0.0.9", port: 1),
            ])
        #expect(try UDPTransport.Peer.list(from: "").isEmpty)
        #expect(try UDPTransport.Peer.list(from: "* a:1\r\n* b:2\r\n").count == 2)
    }

    @Test(arguments: ["x", "* a", "* a:0", "* a:65536", "* a:-1", "* :5", "* ::1:5", "* []:5", "* a:1 b", "0OIl a:1"])
    func `a malformed line is refused with its number`(line: String) {
        #expect {
            try UDPTransport.Peer.list(from: "\n" + line)
        } throws: { error in
            (error as? UDPTransport.Peer.ListError)?.line == 2
        }
    }

    @Test func `a list has an end`() {
        let text = String(repeating: "* a:1\n", count: UDPTransport.maximumPeers + 1)
        #expect(throws: UDPTransport.Peer.ListError.self) { try UDPTransport.Peer.list(from: text) }
    }
}
