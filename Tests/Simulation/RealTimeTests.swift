// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Dispatch
import Foundation
import RevueCore
import RevueDispatch
import RevueInMemory
import RevuePorts
import RevueTime
import Testing

/// Two instances in real time, on real threads: what only those can show.
@MainActor struct RealTimeTests {
    /// Counts on the main queue what two loops on other threads hear as well.
    @MainActor private final class MuteJournal: RoomDelegate {
        private(set) var values: [Bool] = []
        private(set) var disagreements = 0

        func room(
            _ room: Room, participant: Participant, trackPublication: TrackPublication, didUpdateIsMuted isMuted: Bool
        ) {
            dispatchPrecondition(condition: .onQueue(.main))
            values.append(isMuted)
            if trackPublication.isMuted != isMuted { disagreements += 1 }
        }
    }

    private struct Call {
        var a: Revue
        var b: Revue
        var bob: RemoteParticipant
    }

    private func makeRevue(_ name: String, _ network: SimulatedNetwork, _ scheduler: any Scheduler) throws -> Revue {
        let transport = network.makeTransport(name)
        let revue = Revue(
            adapters: Adapters(
                scheduler: scheduler, makeTransport: { transport }, videoCodecs: [FakeVideoCodecFactory()],
                audioCodecs: FakeAudioCodecFactory(), pixelConverter: PassthroughPixelConverter(),
                identityStore: InMemoryIdentityStore(), licenseVerifier: FakeLicenseVerifier()))
        try revue.initialize(Revue.Configuration(bootstrapNodes: [], licenseData: Data(FakeLicenseVerifier.valid)))
        return revue
    }

    /// From strangers to a call, told by events alone.
    private func makeCall() async throws -> Call {
        let scheduler = DispatchScheduler()
        let timing = SimulatedNetwork.Timing(join: .milliseconds(1), contact: .milliseconds(1))
        let network = SimulatedNetwork(scheduler: scheduler, timing: timing)
        let (a, b) = (try makeRevue("alice", network, scheduler), try makeRevue("bob", network, scheduler))
        let (atA, atB, room) = (a.events, b.events, a.room.events)
        try a.friends.addFriend(address: b.revueAddress)
        for await event in atB {
            if case .friendRequestReceived(let friend, _) = event {
                try b.friends.addFriendNorequest(friendId: friend)
                break
            }
        }
        for await event in atA { if case .pathsChanged(_, let paths) = event, paths.isOnline { break } }
        let invitations = b.events
        try a.friends.sendInvitation(friendId: b.revueId)
        for await event in invitations {
            if case .invitationReceived(let friend, _) = event {
                try b.friends.acceptInvitation(friendId: friend)
                break
            }
        }
        for await event in room {
            if case .participantConnected(let bob) = event { return Call(a: a, b: b, bob: bob) }
        }
        throw CancellationError()
    }

    /// What a loop hears of mutes, until the local name becomes “end”.
    private nonisolated static func mutes(_ events: EventStream<RoomEvent>) async -> [Bool] {
        var values: [Bool] = []
        for await event in events {
            switch event {
            case .muteChanged(_, _, let isMuted): values.append(isMuted)
            case .nameChanged(is LocalParticipant, "end"): return values
            default: break
            }
        }
        return values
    }

    @Test(.timeLimit(.minutes(1)))
    func `commands of many threads reach main in one order, every loop alike, and the last one stands`() async throws {
        let call = try await makeCall()
        let local = try #require(call.a.room.localParticipant)
        let track = LocalVideoTrack.createBufferTrack(name: "canvas")
        let publication = try await local.publish(videoTrack: track, to: call.bob)
        let journal = MuteJournal()
        call.a.room.delegates.add(delegate: journal)
        let streams = (0..<2).map { _ in call.a.room.events }
        let loops = streams.map { stream in Task.detached { await Self.mutes(stream) } }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for toggle in 0..<40 {
                        try? await (toggle + worker).isMultiple(of: 2) ? publication.mute() : publication.unmute()
                    }
                }
            }
        }
        try await publication.mute()
        #expect(call.a.setSelfName("end"))
        #expect(publication.isMuted && journal.values.last == true && journal.disagreements == 0)
        // Each event is a flip: none is told twice, and none is left out.
        #expect(journal.values.first == true)
        #expect(zip(journal.values, journal.values.dropFirst()).allSatisfy { $0 != $1 })
        for loop in loops { #expect(await loop.value == journal.values) }
        await call.a.destroy()
        await call.b.destroy()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a message that is sent off main has its receipt, and is heard on main`() async throws {
        let call = try await makeCall()
        let local = try #require(call.a.room.localParticipant)
        let events = call.b.room.events
        let bob = call.bob
        let ids = try await Task.detached {
            try await withThrowingTaskGroup(of: UInt32.self) { group in
                for number in 0..<50 { group.addTask { try await local.publish(message: "\(number)", to: bob) } }
                return try await group.reduce(into: Set<UInt32>()) { $0.insert($1) }
            }
        }.value
        #expect(ids.count == 50)
        await call.b.destroy()
        var heard: Set<String> = []
        for await event in events { if case .messageReceived(_, let text) = event { heard.insert(text) } }
        #expect(heard == Set((0..<50).map { "\($0)" }))
        await call.a.destroy()
    }
}
