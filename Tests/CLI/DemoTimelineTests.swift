// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Testing

@testable import revue

@Suite struct DemoTimelineTests {
    private func line(_ milliseconds: Int64, _ event: PeerEvent) -> PeerLine {
        PeerLine(time: milliseconds * 1_000_000, event: event)
    }

    @Test func `a mute is shown on the clock of whoever watches`() {
        var timeline = DemoTimeline(start: 0)
        timeline.append(line(1_000, .connected("alice")), of: .bob)
        timeline.append(line(4_000, .cameraMuted(true)), of: .alice)
        timeline.append(line(6_500, .cameraMuted(false)), of: .alice)
        #expect(timeline.muted(.alice) == [3...5.5])
        #expect(timeline.muted(.bob).isEmpty)
    }

    @Test func `a step that did not happen is named`() {
        var timeline = DemoTimeline(start: 0)
        timeline.append(line(500, .reachability("offline")), of: .alice)
        timeline.append(line(1_500, .cameraMuted(true)), of: .alice)
        timeline.append(line(1_600, .remoteMuted(kind: "audio", true)), of: .bob)
        let steps = timeline.requiredSteps()
        let happened = steps.filter(\.passed)
        #expect(happened.map(\.name) == ["Alice mutes the camera"])
        #expect(happened.map(\.measured) == ["1.50 s"])
        #expect(steps.contains { $0.name == "Bob sees the camera muted" && !$0.passed && $0.measured == "never" })
    }

    @Test func `the last summary of each person counts`() {
        var timeline = DemoTimeline(start: 0)
        timeline.append(line(1, .sent(SentSummary(captured: 1))), of: .alice)
        timeline.append(line(2, .sent(SentSummary(captured: 2))), of: .alice)
        #expect(timeline.sent(by: .alice)?.captured == 2)
        #expect(timeline.sent(by: .bob) == nil && timeline.received(by: .alice) == nil)
    }
}
