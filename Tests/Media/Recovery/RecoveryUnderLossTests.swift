// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

/// A minute of frames of 25 KB (22 packets) at 15 fps, 60 ms there and back, with and without retransmission.
@Suite struct RecoveryUnderLossTests {
    struct Case: CustomTestStringConvertible {
        var keyframeInterval: Int
        var lossPercent: Double
        /// What at most goes out without retransmission, and at least with it.
        var without: Double
        var with: Double

        var testDescription: String { "a keyframe each \(keyframeInterval), \(lossPercent) %" }
    }

    private static let cases = [
        Case(keyframeInterval: 1, lossPercent: 2, without: 0.70, with: 0.99),
        Case(keyframeInterval: 1, lossPercent: 5, without: 0.36, with: 0.985),
        Case(keyframeInterval: 1, lossPercent: 10, without: 0.13, with: 0.95),
        Case(keyframeInterval: 1, lossPercent: 20, without: 0.02, with: 0.90),
        Case(keyframeInterval: 15, lossPercent: 2, without: 0.30, with: 0.99),
        Case(keyframeInterval: 15, lossPercent: 5, without: 0.10, with: 0.985),
        Case(keyframeInterval: 15, lossPercent: 10, without: 0.02, with: 0.98),
        Case(keyframeInterval: 15, lossPercent: 20, without: 0.01, with: 0.97),
    ]

    private static func path(_ this: Case, recovers: Bool, seed: UInt64) -> LossyPath {
        let conditions = LossyPath.Conditions(
            lossPercent: this.lossPercent, reorderingPercent: 1, recovers: recovers)
        let path = LossyPath(
            conditions, LossyPath.Stream(keyframeInterval: this.keyframeInterval), seed: seed)
        path.run(.seconds(60 as Int64))
        return path
    }

    @Test(arguments: cases, UInt64(1)...2)
    func `frames survive loss that destroys most of them`(this: Case, seed: UInt64) {
        let (with, without) = (
            Self.path(this, recovers: true, seed: seed), Self.path(this, recovers: false, seed: seed)
        )
        #expect(without.share <= this.without)
        #expect(with.share >= this.with)
        #expect(with.longestGap < .milliseconds(500))
        // Fewer bytes for retransmissions than two for each that is lost.
        let resent = Double(with.sender.resendStatistics.bytes)
        #expect(resent < Double(with.sentBytes) * this.lossPercent / 100 * 2.2 + 20_000)
    }
}
