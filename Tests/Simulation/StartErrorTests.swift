// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

/// What stops an instance from starting. Nothing runs afterwards, and the same instance can start once it is put right.
@MainActor struct StartErrorTests {
    private let world = World()
    private let disk = InMemoryDisk()

    private func makePeer(_ name: String = "alice") -> Peer {
        world.makePeer(name) { $0.identityStore = InMemoryIdentityStore(disk: disk) }
    }

    private func configuration(_ license: [UInt8] = FakeLicenseVerifier.valid) -> Revue.Configuration {
        Revue.Configuration(bootstrapNodes: [], licenseData: Data(license))
    }

    @Test func `a licence that somebody changed is not genuine`() throws {
        let peer = makePeer()
        let license = FakeLicenseVerifier.issue(License(holder: "Eve", notBefore: 0, notAfter: 1))
        let text = String(decoding: license, as: UTF8.self).replacingOccurrences(of: "\n1\n", with: "\n9999999999\n")
        #expect(throws: RevueInitError.licenseInvalid) { try peer.revue.initialize(configuration(Array(text.utf8))) }
        #expect(peer.local == nil)
        try peer.start()
    }

    @Test func `an identity that another process uses is left to it`() async throws {
        let (first, second) = (makePeer(), makePeer("again"))
        try first.start()
        try await world.scheduler.advance(by: .seconds(1))
        let id = first.id
        #expect(throws: RevueInitError.initFailed(code: -5)) { try second.start() }
        _ = try await world.scheduler.drive { await first.revue.destroy() }
        try second.start()
        #expect(second.id == id)
    }

    @Test func `a damaged identity stops the start and is not replaced by a new one`() async throws {
        let peer = makePeer()
        try peer.start()
        _ = try await world.scheduler.drive { await peer.revue.destroy() }
        disk.damage("revue.bin", generations: 10)
        for _ in 0..<2 { #expect(throws: RevueInitError.initFailed(code: -5)) { try peer.start() } }
        #expect(throws: IdentityStoreError.self) { try InMemoryIdentityStore(disk: disk).load("revue.bin") }
    }

    @Test func `a network that cannot be started stops the start, and lets go of the identity`() async throws {
        let busy = makePeer()
        try busy.start()
        let transport = busy.transport
        let peer = world.makePeer("other") { adapters in
            adapters.identityStore = InMemoryIdentityStore(disk: InMemoryDisk())
            adapters.makeTransport = { transport }
        }
        #expect(throws: RevueInitError.initFailed(code: -6)) { try peer.start() }
        #expect(peer.id.isEmpty && peer.local == nil)
        _ = try await world.scheduler.drive { await busy.revue.destroy() }
        try peer.start()
    }
}
