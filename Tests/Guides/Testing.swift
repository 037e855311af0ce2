// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueContracts
import RevueInMemory
import RevuePorts
import RevueSDK
import RevueTime
import Testing

@MainActor struct TwoFriends {
    let scheduler = VirtualScheduler(seed: 7)
    let network: SimulatedNetwork
    let alice: Revue
    let bob: Revue

    init() {
        network = SimulatedNetwork(scheduler: scheduler, seed: 7)
        alice = Self.makeInstance("alice", network, scheduler)
        bob = Self.makeInstance("bob", network, scheduler)
    }

    private static func makeInstance(
        _ name: String, _ network: SimulatedNetwork, _ scheduler: VirtualScheduler
    ) -> Revue {
        let transport = network.makeTransport(name)
        return Revue(
            adapters: Adapters(
                scheduler: scheduler, makeTransport: { transport }, videoCodecs: [FakeVideoCodecFactory()],
                audioCodecs: FakeAudioCodecFactory(), pixelConverter: PassthroughPixelConverter(),
                identityStore: InMemoryIdentityStore(), licenseVerifier: FakeLicenseVerifier()))
    }
}

extension TwoFriends {
    func call() async throws {
        let configuration = Revue.Configuration(bootstrapNodes: [], licenseData: Data(FakeLicenseVerifier.valid))
        try alice.initialize(configuration)
        try bob.initialize(configuration)
        let contacts = Contacts()
        bob.delegates.add(delegate: contacts)
        try alice.friends.addFriend(address: bob.revueAddress)
        try await scheduler.run { alice.friends.getFriendPaths(friendId: bob.revueId).isOnline }
        let ringing = Ringing()
        bob.delegates.add(delegate: ringing)
        try alice.friends.sendInvitation(friendId: bob.revueId)
        try await scheduler.run { !ringing.callers.isEmpty }
        ringing.answer(bob, alice.revueId)
        try await scheduler.run { alice.room.participantCount == 2 && bob.room.participantCount == 2 }
    }
}

@MainActor struct GuideTests {
    @Test func `a friend who loses the network leaves the room after 45 seconds without a path`() async throws {
        let friends = TwoFriends()
        try await friends.call()
        let farewell = Farewell()
        friends.alice.room.delegates.add(delegate: farewell)
        friends.network.setPlugged(false, "bob")
        try await friends.scheduler.run(within: .seconds(60)) { !farewell.lines.isEmpty }
        #expect(farewell.lines == ["\(friends.bob.revueId) could not be reached any more"])
    }

    @Test func `what the guide publishes is seen, muted and taken back`() async throws {
        let friends = TwoFriends()
        try await friends.call()
        let (alice, bob) = (friends.alice, friends.bob)
        let remote = try #require(alice.room.remoteParticipants[bob.revueId])
        let track = try await makeVideo()
        let publication = try await friends.scheduler.drive {
            try await alice.room.localParticipant.publish(videoTrack: track, to: remote)
        }
        let seen = try #require(bob.room.remoteParticipants[alice.revueId])
        try await friends.scheduler.run { !seen.videoTracks.isEmpty }
        try await publication.mute()
        try await friends.scheduler.run { seen.videoTracks.first?.isMuted == true }
        alice.room.localParticipant.unpublish(publication: publication)
        try await friends.scheduler.run { seen.videoTracks.isEmpty }
    }

    @Test func `a message of the guide arrives`() async throws {
        let friends = TwoFriends()
        try await friends.call()
        let inbox = Inbox()
        friends.bob.delegates.add(delegate: inbox)
        friends.bob.room.delegates.add(delegate: inbox)
        let remote = try #require(friends.alice.room.remoteParticipants[friends.bob.revueId])
        try await friends.scheduler.drive { try await say(friends.alice.room.localParticipant, to: remote) }
        try await friends.scheduler.drive { await write(friends.alice, friends.bob.revueId) }
        try await friends.scheduler.run { inbox.lines.count == 2 }
        #expect(inbox.lines.first?.hasSuffix("in the call: Look at the second slide") == true)
    }

    @Test func `the buffers of the guide have the size that it says`() throws {
        let picture = try #require(makePicture())
        #expect(CVPixelBufferGetWidth(picture) == 640)
        #expect(try #require(makeSilence()).frameLength == 960)
    }
}

struct StoreTests {
    static let contract = IdentityStoreContract {
        let disk = InMemoryDisk()
        return { InMemoryIdentityStore(disk: disk) }
    }

    @Test(arguments: contract.promises)
    func `my store keeps its promises`(promise: Promise) async throws { try await promise.check() }
}
