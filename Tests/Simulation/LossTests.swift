// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import RevueTime
import Testing

@MainActor struct LossTests {
    @Test(arguments: [(0.0, 265, 950), (5.0, 260, 900), (20.0, 245, 800)])
    func `a call lives at this loss, with pictures and sound`(
        lossPercent: Double, pictures: Int, sounds: Int
    ) async throws {
        let outcome = try await ScriptedCall(seed: 7, lossPercent: lossPercent).run()
        #expect(outcome.pictures >= pictures)
        #expect(outcome.soundFrames >= sounds)
        for peer in ["a", "b"] {
            #expect(outcome.events.filter { $0.contains(" \(peer) connected") }.count == 1)
            #expect(outcome.events.filter { $0.contains(" \(peer) disconnected leave") }.count == 1)
        }
        #expect(outcome.events.filter { $0.contains(" b muted camera true") }.count == 1)
        #expect(outcome.events.filter { $0.contains(" b muted camera false") }.count == 1)
    }

    @Test func `the same seed gives the same call, bit for bit`() async throws {
        let first = try await ScriptedCall(seed: 11, lossPercent: 5).run()
        let second = try await ScriptedCall(seed: 11, lossPercent: 5).run()
        #expect(first == second)
    }

    @Test func `the same seed gives the same call in two processes`() async throws {
        var outputs: [String] = []
        for _ in 0..<2 {
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let outcome = try await ScriptedCall(seed: 11, lossPercent: 20).run()
                print("events \(outcome.events.count) pictures \(outcome.pictures) digest \(outcome.digest)")
            }
            let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
            outputs.append(output.split(separator: "\n").filter { $0.contains("digest") }.joined())
        }
        #expect(outputs[0].contains("digest"))
        #expect(outputs[0] == outputs[1])
    }

    @Test func `another seed gives another call`() async throws {
        let first = try await ScriptedCall(seed: 11, lossPercent: 5).run()
        let second = try await ScriptedCall(seed: 12, lossPercent: 5).run()
        #expect(first.digest != second.digest)
    }
}
