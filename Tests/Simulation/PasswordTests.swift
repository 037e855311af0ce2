// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueCore
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

/// The save file and its password, through whole instances.
@Suite @MainActor struct PasswordTests {
    private let world = World()
    private let disk = InMemoryDisk()

    private func makeRevue(cipher: (any SavedataCipher)? = FakeSavedataCipher()) -> Revue {
        let transport = world.network.makeTransport("alice")
        return Revue(
            adapters: Adapters(
                scheduler: world.scheduler, makeTransport: { transport }, videoCodecs: [],
                audioCodecs: FakeAudioCodecFactory(), pixelConverter: PassthroughPixelConverter(),
                identityStore: InMemoryIdentityStore(disk: disk), licenseVerifier: FakeLicenseVerifier(),
                savedataCipher: cipher))
    }

    private func configuration(_ password: String?) -> Revue.Configuration {
        Revue.Configuration(
            savedataPassword: password, bootstrapNodes: [], licenseData: Data(FakeLicenseVerifier.valid))
    }

    /// Starts, lets the saves happen and ends; the identity that it ran with.
    private func run(_ password: String?) async throws -> String {
        let revue = makeRevue()
        try revue.initialize(configuration(password))
        let id = revue.revueId
        try await world.scheduler.advance(by: .seconds(1))
        var isDestroyed = false
        Task {
            await revue.destroy()
            isDestroyed = true
        }
        try await world.scheduler.run { isDestroyed }
        return id
    }

    private func stored() throws -> [UInt8]? { try InMemoryIdentityStore(disk: disk).load("revue.bin") }

    @Test func `what a password sealed opens with it, and is not plain in between`() async throws {
        let id = try await run("correct horse")
        let file = try #require(try stored())
        #expect(FakeSavedataCipher().isSealed(file))
        #expect(try await run("correct horse") == id)
    }

    @Test(arguments: [("wrong", -40), (nil, -41)] as [(String?, Int32)])
    func `another password or none starts nothing and changes nothing`(password: String?, code: Int32) async throws {
        let id = try await run("correct horse")
        let before = try stored()
        let revue = makeRevue()
        #expect(throws: RevueInitError.initFailed(code: code)) { try revue.initialize(configuration(password)) }
        #expect(revue.revueId.isEmpty)
        #expect(try stored() == before)
        // The refusal gave the file back.
        #expect(try await run("correct horse") == id)
    }

    @Test func `a plain file is taken over, and neither generation stays plain`() async throws {
        let id = try await run(nil)
        #expect(try await run(nil) == id)
        let plain = try #require(try stored())
        #expect(!FakeSavedataCipher().isSealed(plain))
        #expect(try await run("new password") == id)
        // The newest generation damaged, the one before it counts: it is sealed, too.
        disk.damage("revue.bin")
        let before = try #require(try stored())
        #expect(FakeSavedataCipher().isSealed(before))
        #expect(try await run("new password") == id)
    }

    @Test func `an empty password and one without a cipher are refused before anything is read`() throws {
        #expect(throws: RevueInitError.invalidConfiguration) { try makeRevue().initialize(configuration("")) }
        #expect(throws: RevueInitError.invalidConfiguration) {
            try makeRevue(cipher: nil).initialize(configuration("password"))
        }
        #expect(try stored() == nil)
    }

    @Test func `a sealed file that is damaged is left alone`() async throws {
        _ = try await run("correct horse")
        let store = InMemoryIdentityStore(disk: disk)
        var file = try #require(try stored())
        file[file.count - 1] ^= 1
        try store.delete("revue.bin")
        try store.save(file, as: "revue.bin")
        #expect(throws: RevueInitError.initFailed(code: -40)) {
            try makeRevue().initialize(configuration("correct horse"))
        }
        #expect(try stored() == file)
    }
}
