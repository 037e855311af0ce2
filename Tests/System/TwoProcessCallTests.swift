// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import Testing

@testable import revue

/// Calls between processes with identities of their own, over real toxcore on loopback.
@Suite(.serialized) @MainActor struct TwoProcessCallTests {
    @Test(.timeLimit(.minutes(2)))
    func `two strangers become friends, call, mute, hang up, and see and hear what was sent`() async throws {
        try await Lab.run { lab in
            let bob = try lab.peer(.bob, ["--role", "answer", "--preset", "low-latency"] + pictures(of: .bob, in: lab))
            let ready = try await bob.event("started", within: 20) { $0.isReady }
            let address = try #require(ready.event.address)
            let alice = try lab.peer(
                .alice,
                ["--role", "call", "--friend", address, "--seconds", "9", "--mute-at", "4", "--mute-for", "2"]
                    + pictures(of: .alice, in: lab))
            #expect(try await alice.status(within: 75) == 0, "\(alice.child.complaints)")
            #expect(try await bob.status(within: 15) == 0, "\(bob.child.complaints)")

            var timeline = DemoTimeline(start: ready.time)
            for line in alice.lines { timeline.append(line, of: .alice) }
            for line in bob.lines { timeline.append(line, of: .bob) }
            for step in timeline.requiredSteps() { #expect(step.passed, "\(step.name)") }
            for receiver in DemoPerson.allCases { try check(receiver, timeline, lab) }
        }
    }

    /// What a side received, judged on decoded pixels and samples.
    private func check(_ receiver: DemoPerson, _ timeline: DemoTimeline, _ lab: Lab) throws {
        let sent = try #require(timeline.sent(by: receiver.other))
        let received = try #require(timeline.received(by: receiver))
        #expect(received.unreadable == 0, "every picture shows which one it is")
        #expect(received.outOfOrder == 0)
        #expect(sent.encoded > 60, "\(receiver.other) sent \(sent.encoded)")
        #expect(received.shown * 10 >= sent.encoded * 9, "\(received.shown) of \(sent.encoded) were shown")
        #expect((received.width, received.height) == (320, 180))

        let compared = try PictureStore.compare(
            lab.pictures(of: receiver).appendingPathComponent("received"),
            with: lab.pictures(of: receiver.other).appendingPathComponent("sent"))
        #expect(compared.count >= 6)
        for (number, quality) in compared {
            #expect(quality.psnr > 28, "picture \(number): \(quality.psnr) dB")
            #expect(quality.ssim > 0.88, "picture \(number): \(quality.ssim)")
        }

        #expect(received.audioDelay.count >= 6, "marks heard: \(received.audioDelay.count)")
        #expect(try #require(received.audioDelay.median) < 900)
        #expect(received.soundSeconds > 4)
    }

    private func pictures(of person: DemoPerson, in lab: Lab) -> [String] {
        ["--pictures", lab.pictures(of: person).path]
    }
}
