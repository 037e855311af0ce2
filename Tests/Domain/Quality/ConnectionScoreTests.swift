// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import Testing

struct ConnectionScoreTests {
    @Test(arguments: [
        (100.0, ConnectionScore.Level.excellent), (85.1, .excellent), (85, .good), (65.1, .good), (65, .fair),
        (45.1, .fair), (45, .poor), (25.1, .poor), (25, .bad), (0, .bad),
    ])
    func `a score stands for a level`(score: Double, level: ConnectionScore.Level) {
        #expect(ConnectionScore.level(of: score) == level)
    }

    @Test(arguments: [
        (20.0, 1.0, 0.0, 99.7), (320, 0, 0, 96), (400, 0, 0, 92), (400, 50, 0, 82), (100, 5, 4, 78.5), (0, 0, 30, 0),
    ])
    func `round trip, jitter and loss cost what the formula says`(
        roundTrip: Double, jitter: Double, loss: Double, score: Double
    ) {
        let sample = ConnectionScore.Sample(roundTrip: roundTrip, jitter: jitter, lossPercent: loss)
        #expect(abs(sample.score - score) < 0.001)
    }

    @Test func `it is unknown until something reliable is known, and again afterwards`() {
        var score = ConnectionScore()
        #expect(score.level == .unknown)
        score.update(.init(roundTrip: 10, jitter: 0, lossPercent: 0))
        #expect(score.level == .excellent)
        score.update(nil)
        #expect(score.level == .unknown)
    }

    @Test func `it falls fast and rises slowly`() throws {
        var score = ConnectionScore()
        score.update(.init(roundTrip: 0, jitter: 0, lossPercent: 0))
        score.update(.init(roundTrip: 0, jitter: 0, lossPercent: 20))
        #expect(try abs(#require(score.value) - 20) < 0.001)
        score.update(.init(roundTrip: 0, jitter: 0, lossPercent: 0))
        #expect(try abs(#require(score.value) - 52) < 0.001)
    }
}
