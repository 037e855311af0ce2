// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime
import Testing

struct SpeechActivityTests {
    /// A window of 20 frames of 20 ms, so many of them at `level`, the others silent.
    private func window(_ activity: inout SpeechActivity, voiced: Int, level: UInt8 = 20) -> SpeechActivity.Reading {
        for frame in 0..<20 {
            activity.heard(level: frame < voiced ? level : 127, lasting: .milliseconds(20))
        }
        return activity.endWindow()
    }

    @Test(arguments: [(7, false), (8, true), (20, true)])
    func `voice must fill forty percent of a window`(frames: Int, speaks: Bool) {
        var activity = SpeechActivity()
        #expect(window(&activity, voiced: frames).isSpeaking == speaks)
    }

    @Test(arguments: [(UInt8(35), true), (UInt8(36), false)])
    func `voice is minus thirty-five dBov or louder`(level: UInt8, speaks: Bool) {
        var activity = SpeechActivity()
        #expect(window(&activity, voiced: 20, level: level).isSpeaking == speaks)
    }

    @Test func `who stops is silent within eight hundred milliseconds, and not after the first pause`() {
        var activity = SpeechActivity()
        _ = window(&activity, voiced: 20)
        #expect(window(&activity, voiced: 0).isSpeaking)
        #expect(!window(&activity, voiced: 0).isSpeaking)
    }

    @Test func `a pause of one window does not interrupt`() {
        var activity = SpeechActivity()
        for voiced in [20, 0, 20, 0, 20] { #expect(window(&activity, voiced: voiced).isSpeaking) }
    }

    @Test func `the level is quantised to eighths and zero unless speaking`() {
        var activity = SpeechActivity()
        #expect(window(&activity, voiced: 5).level == 0)
        for _ in 0..<8 { _ = window(&activity, voiced: 20, level: 0) }
        #expect(activity.reading.level == 1)
        for level: UInt8 in [0, 10, 20, 30, 35] {
            let reading = window(&activity, voiced: 20, level: level)
            #expect(reading.level > 0 && (reading.level * 8).rounded() == reading.level * 8)
        }
    }

    @Test func `mute clears at once`() {
        var activity = SpeechActivity()
        _ = window(&activity, voiced: 20)
        activity.clear()
        #expect(!activity.reading.isSpeaking && activity.reading.level == 0)
    }
}

struct SpeakerListTests {
    private let peers = (0..<3).compactMap { PeerID(bytes: [UInt8](repeating: UInt8($0 + 1), count: 32)) }

    @Test func `the loudest comes first`() {
        var list = SpeakerList()
        list.heard(peers[0], level: 30, lasting: .milliseconds(400))
        list.heard(peers[1], level: 2, lasting: .milliseconds(400))
        list.heard(peers[2], level: 15, lasting: .milliseconds(400))
        let change = list.endWindow()
        #expect(change.list?.map(\.peer) == [peers[1], peers[2], peers[0]])
        #expect(change.flips.map(\.1) == [true, true, true])
    }

    @Test func `a list that stays as it was is not told again`() {
        var list = SpeakerList()
        for _ in 0..<6 {
            list.heard(peers[0], level: 10, lasting: .milliseconds(400))
            _ = list.endWindow()
        }
        list.heard(peers[0], level: 10, lasting: .milliseconds(400))
        let change = list.endWindow()
        #expect(change.list == nil && change.flips.isEmpty)
    }

    @Test func `who is cleared vanishes at once, and the others stay`() {
        var list = SpeakerList()
        for peer in peers { list.heard(peer, level: 10, lasting: .milliseconds(400)) }
        _ = list.endWindow()
        let change = list.clear(peers[1])
        #expect(change.list?.map(\.peer) == [peers[0], peers[2]])
        #expect(change.flips.count == 1 && change.flips[0].0 == peers[1] && !change.flips[0].1)
    }

    @Test func `silence is quiet: no window needs to end`() {
        var list = SpeakerList()
        list.heard(peers[0], level: 100, lasting: .milliseconds(400))
        #expect(list.isQuiet)
    }
}
