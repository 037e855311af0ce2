// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import Glibc
import Testing

@testable import revue

/// What happens when a process is killed in the middle of a call.
@Suite(.serialized) @MainActor struct KilledProcessTests {
    /// Both peers in a call that shows pictures.
    private func call(in lab: Lab) async throws -> (alice: PeerProcess, bob: PeerProcess) {
        let bob = try lab.peer(.bob, ["--role", "answer", "--seconds", "600", "--wait-after-loss"])
        let address = try #require(try await bob.event("started", within: 20) { $0.isReady }.event.address)
        let alice = try lab.peer(.alice, ["--role", "call", "--friend", address, "--seconds", "600"])
        _ = try await alice.event("saw pictures", within: 70) { $0.showsPictures }
        _ = try await bob.event("saw pictures", within: 10) { $0.showsPictures }
        return (alice, bob)
    }

    private var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    @Test(.timeLimit(.minutes(4)))
    func `the other side sees no path within 4 s, then the loss, and a new call works after a restart`() async throws {
        try await Lab.run { lab in
            let (alice, bob) = try await call(in: lab)
            let identity = try #require(alice.lines.first?.event.identity)

            let killed = now
            alice.child.endNow()
            let offline = try await bob.event("saw the paths empty", after: killed, within: 6) { $0.isOffline }
            #expect(Double(offline.time - killed) / 1e9 <= 4)
            let lost = try await bob.event("saw the loss", after: killed, within: 60) {
                if case .disconnected = $0 { true } else { false }
            }
            #expect(lost.event == .disconnected(reason: "networkLost"))
            #expect(bob.child.isRunning)

            let again = try lab.peer(.alice, ["--role", "call", "--seconds", "4"])
            let ready = try await again.event("started", within: 20) { $0.isReady }.event
            #expect(ready.identity == identity)
            #expect(ready.friendCount == 1)
            _ = try await again.event("saw pictures", within: 90) { $0.showsPictures }
            _ = try await bob.event("saw pictures", after: lost.time, within: 20) { $0.showsPictures }
            #expect(try await again.status(within: 30) == 0, "\(again.child.complaints)")
        }
    }

    @Test(.timeLimit(.minutes(4)))
    func `a restarted peer ends the old call at once, and both restarted call again`() async throws {
        try await Lab.run { lab in
            let (alice, bob) = try await call(in: lab)
            let killed = now
            alice.child.endNow()
            let again = try lab.peer(.alice, ["--role", "call", "--seconds", "600"])
            let lost = try await bob.event("saw the loss", after: killed, within: 40) {
                if case .disconnected = $0 { true } else { false }
            }
            #expect(lost.event == .disconnected(reason: "networkLost"))
            _ = try await again.event("saw pictures", within: 90) { $0.showsPictures }

            again.child.endNow()
            bob.child.endNow()
            let newBob = try lab.peer(.bob, ["--role", "answer"])
            #expect(try await newBob.event("started", within: 20) { $0.isReady }.event.friendCount == 1)
            let newAlice = try lab.peer(.alice, ["--role", "call", "--seconds", "3"])
            _ = try await newAlice.event("saw pictures", within: 100) { $0.showsPictures }
            #expect(try await newAlice.status(within: 30) == 0, "\(newAlice.child.complaints)")
            #expect(try await newBob.status(within: 30) == 0, "\(newBob.child.complaints)")
        }
    }
}
