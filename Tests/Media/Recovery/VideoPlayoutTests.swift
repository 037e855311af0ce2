// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

/// How late frames go out so that repaired ones are not seen to be late.
@Suite struct VideoPlayoutTests {
    private static func path(lossPercent: Double, seed: UInt64 = 1) -> LossyPath {
        LossyPath(
            LossyPath.Conditions(lossPercent: lossPercent),
            LossyPath.Stream(framesPerSecond: 30, keyframeInterval: 60, frameBytes: 8_333), seed: seed)
    }

    private static func delay(_ path: LossyPath) -> Double { path.receiver.statistics.playoutDelay.milliseconds }

    @Test func `on a path that loses nothing frames go out as they come`() {
        let path = Self.path(lossPercent: 0)
        path.run(.seconds(20 as Int64))
        #expect(Self.delay(path) == 0)
        let start = path.frames[0].at
        for (index, frame) in path.frames.enumerated() {
            let due = start + Interval(nanoseconds: 1_000_000_000 / 30) * Int64(index)
            #expect(abs((frame.at - due).milliseconds) <= 3)
        }
    }

    @Test func `under loss the delay grows to a round trip and 10 ms, by at most 100 ms a second`() {
        let path = Self.path(lossPercent: 5)
        var previous = 0.0
        for _ in 0..<50 {
            path.run(.milliseconds(100))
            #expect(Self.delay(path) - previous < 17)
            previous = Self.delay(path)
        }
        #expect(previous == 70)
    }

    @Test func `after 10 s without loss it goes away, by 20 ms a second`() {
        let path = Self.path(lossPercent: 5)
        path.run(.seconds(10 as Int64))
        path.conditions.lossPercent = 0
        path.run(.seconds(9 as Int64))
        #expect(Self.delay(path) == 70)
        path.run(.seconds(3 as Int64))
        #expect((20...60).contains(Self.delay(path)))
        path.run(.seconds(4 as Int64))
        #expect(Self.delay(path) == 0)
    }

    @Test(arguments: UInt64(1)...4)
    func `once it has grown no loss of 5 percent is seen as a freeze`(seed: UInt64) {
        let path = Self.path(lossPercent: 5, seed: seed)
        path.run(.seconds(62 as Int64))
        #expect(path.freezes == 0)
        #expect(path.share >= 0.99)
    }

    @Test func `a long round trip delays by no more than 250 ms`() {
        let path = LossyPath(
            LossyPath.Conditions(lossPercent: 5, delay: .milliseconds(400)),
            LossyPath.Stream(framesPerSecond: 30, keyframeInterval: 60, frameBytes: 8_333), seed: 1)
        path.run(.seconds(20 as Int64))
        #expect(Self.delay(path) == 250)
    }

    @Test func `no frame waits longer than the delay, whatever its timestamp says`() {
        let call = VideoCall(recovers: true)
        call.measured(roundTrip: .milliseconds(50))
        call.receive(call.frame(key: true))
        for _ in 0..<60 {
            let packets = call.frame(key: true, bytes: 3_000)
            call.receive([packets[0], packets[2]])
            call.pass(.milliseconds(33))
            call.receive(packets[1])
        }
        call.pass(.milliseconds(200))
        let before = call.frames.count
        // The sender's clock leaps an hour ahead; the receiver's does not.
        let (here, leap) = (call.now, Interval.seconds(3_600 as Int64))
        call.now = here + leap
        let packets = call.frame(key: true)
        call.now = here
        call.receive(packets)
        call.pass(.milliseconds(60))
        #expect(call.frames.count == before + 1)
    }
}
