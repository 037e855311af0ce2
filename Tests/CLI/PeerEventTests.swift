// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Testing

@testable import revue

@Suite struct PeerEventTests {
    @Test(arguments: [
        PeerEvent.ready(id: "a", address: "b", friends: 2), .paths(friend: "x", bits: 0), .cameraMuted(true),
        .remoteMuted(kind: "video", false), .hungUp, .failed("two\nlines \"and\" quotes"),
        .second(SecondSample(time: 1, fps: 15, kilobits: 3, latencyMedian: nil, latencyP95: 2, cpu: 4)),
        .received(ReceivedSummary()), .sent(SentSummary(captured: 3)),
    ])
    func `an event travels as one line`(event: PeerEvent) throws {
        let line = PeerLine(time: 12, event: event)
        let text = try line.encoded()
        #expect(!text.contains("\n"))
        #expect(try PeerLine(decoding: text) == line)
    }

    @Test func `lines are cut wherever the pieces fall`() {
        var splitter = LineSplitter()
        #expect(splitter.append(Array("one\ntw".utf8)) == ["one"])
        #expect(splitter.append(Array("o\n\nthree".utf8)) == ["two", ""])
        #expect(splitter.append(Array("\n".utf8)) == ["three"])
    }
}
