// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

@Suite struct KeyframeRequestTests {
    @Test func `a stream that starts in the middle is asked for a keyframe at once, then each 200 ms`() {
        let call = VideoCall()
        _ = call.frame(key: true)
        call.receive(call.frame())
        let start = call.now
        #expect(call.requests == [start])
        for _ in 0..<100 {
            call.pass(.milliseconds(10))
            call.receive(call.frame())
        }
        #expect(call.requests.map { ($0 - start).nanoseconds / 1_000_000 } == [0, 200, 400, 600, 800, 1_000])
        #expect(call.receiver.statistics.keyframesRequested == 6)
    }

    @Test func `a lost packet of the first keyframe is asked for again on a timer, without further packets`() {
        let call = VideoCall()
        call.receive(Array(call.frame(key: true, bytes: 5_000).dropLast()))
        #expect(call.requests.isEmpty)
        let start = call.now
        while let deadline = call.receiver.nextDeadline, call.requests.count < 3 {
            call.pass(deadline - call.now)
        }
        #expect(call.requests == [start + .milliseconds(200), start + .milliseconds(400), start + .milliseconds(600)])
    }

    @Test func `a first keyframe whose packets are reordered is not asked for again`() {
        let call = VideoCall()
        for packet in call.frame(key: true, bytes: 5_000).reversed() {
            call.receive(packet)
            call.pass(.milliseconds(5))
        }
        call.pass(.milliseconds(1_000))
        #expect(call.numbers == [1] && call.requests.isEmpty)
    }

    @Test func `a gap is asked for after 40 ms, not before`() {
        let call = VideoCall()
        call.receive(call.frame(key: true))
        _ = call.frame()
        call.receive(call.frame())
        let gap = call.now
        #expect(call.receiver.nextDeadline == gap + .milliseconds(40))
        call.pass(.milliseconds(39))
        #expect(call.requests.isEmpty)
        call.pass(.milliseconds(1))
        #expect(call.requests == [gap + .milliseconds(40)])
    }

    @Test func `frames of which none becomes whole do not freeze the stream in silence`() {
        let call = VideoCall()
        call.receive(call.frame(key: true))
        for _ in 0..<10 {
            call.receive(Array(call.frame(bytes: 3_000).dropFirst()))
            call.pass(.milliseconds(33))
        }
        #expect(!call.requests.isEmpty)
    }

    @Test func `what comes late after all ends the asking`() {
        let call = VideoCall()
        call.receive(call.frame(key: true))
        let lost = call.frame()
        call.receive(call.frame())
        call.pass(.milliseconds(100))
        #expect(call.requests.count == 1)
        call.receive(lost)
        #expect(call.numbers == [1, 2, 3])
        #expect(call.receiver.nextDeadline == nil)
        call.pass(.milliseconds(2_000))
        #expect(call.requests.count == 1)
    }

    @Test func `the decoder's failure closes the stream until a keyframe, and asks at once`() {
        let call = VideoCall()
        call.receive(call.frame(key: true))
        call.pass(.milliseconds(33))
        call.receiver.decoderFailed(at: call.now)
        call.receive(call.frame())
        #expect(call.numbers == [1] && call.requests == [call.now])
        call.receive(call.frame(key: true))
        call.receive(call.frame())
        #expect(call.numbers == [1, 3, 4])
        #expect(call.receiver.nextDeadline == nil)
    }

    @Test func `no storm of failures asks more often than each 200 ms`() {
        let call = VideoCall()
        for _ in 0..<1_000 {
            call.receive(call.frame(key: true))
            call.receiver.decoderFailed(at: call.now)
            call.pass(.milliseconds(1))
        }
        #expect((1...6).contains(call.requests.count))
    }

    @Test func `a sender silent for 5 s is not asked any more`() {
        let call = VideoCall()
        _ = call.frame(key: true)
        call.receive(call.frame())
        for _ in 0..<2_000 { call.pass(.milliseconds(10)) }
        #expect(call.requests.count == 26)
        #expect(call.receiver.nextDeadline == nil)
    }

    @Test func `after a reset old packets are void and a keyframe opens the stream`() {
        let call = VideoCall()
        call.receive(call.frame(key: true))
        let partial = call.frame(key: true, bytes: 3_000)
        call.receive(Array(partial.prefix(2)))
        call.receiver.reset()
        call.receive(Array(partial.suffix(1)))
        call.pass(.milliseconds(10_000))
        #expect(call.numbers == [1])
        call.receive(call.frame())
        #expect(call.numbers == [1] && call.requests.count == 1)
        call.receive(call.frame(key: true))
        #expect(call.numbers == [1, 4])
        #expect(call.receiver.statistics.jitter < .milliseconds(1))
    }

    @Test func `a sender that starts anew under its old SSRC is followed from its keyframe on`() {
        let call = VideoCall(seed: 1)
        for number in 0..<10 { call.receive(call.frame(key: number == 0)) }
        let anew = VideoCall(seed: 99)
        anew.now = call.now + .milliseconds(500)
        call.now = anew.now
        call.receive(anew.frame(key: true))
        call.receive(anew.frame(key: true))
        call.receive(anew.frame())
        #expect(call.receiver.statistics.restarts == 1)
        #expect(call.numbers == Array(1...10) + [2, 3])
    }
}
