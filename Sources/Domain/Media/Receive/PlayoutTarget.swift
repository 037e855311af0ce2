// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// How many frames of 20 ms the audio buffer aims to hold: 2 at first and at least, 10 at most.
///
/// Grows with each frame that came too late, shrinks by one after 2 s without such. The buffer itself follows by
/// discarding a frame when it held more than the target all through half a second: a quiet one at most each 100 ms, any
/// one after a second.
struct PlayoutTarget: Hashable, Sendable {
    static let least = 2
    static let most = 10

    private(set) var frames = least
    private var calm = 0
    private var sinceLate = lateEvery
    private var smallestSpan = Int.max
    private var window = 0
    private var surplus = 0
    private var sinceDiscard = 0
    private var isOwed = false

    /// The buffer ran empty, and what it waited for came `count` frames later.
    mutating func ranEmpty(for count: Int) {
        frames = min(Self.most, frames + max(0, count))
        calm = 0
        surplus = 0
    }

    /// A packet came after its frame had been made up. Counted once in half a second, so that one late burst is one step.
    mutating func cameLate() {
        guard sinceLate >= Self.lateEvery else { return }
        sinceLate = 0
        ranEmpty(for: 1)
        isOwed = true
    }

    /// Whether the next gap is to be made longer by a frame, so that the delay grows with the target. Once for each growth
    /// by a late packet: what ran empty has waited already.
    mutating func takeStretch(span: Int) -> Bool {
        guard isOwed, span < frames else { return false }
        isOwed = false
        return true
    }

    /// A frame was played with `span` frames' time still in the buffer.
    ///
    /// - Returns: whether the next frame is to be discarded.
    mutating func played(span: Int, nextIsQuiet: Bool) -> Bool {
        calm += 1
        sinceLate = min(sinceLate + 1, Self.lateEvery)
        sinceDiscard = min(sinceDiscard + 1, Self.discardLoudEvery)
        if calm >= Self.shrinkAfter {
            calm = 0
            frames = max(Self.least, frames - 1)
        }
        smallestSpan = min(smallestSpan, span)
        window += 1
        if window == Self.windowFrames {
            surplus = smallestSpan - frames
            (window, smallestSpan) = (0, .max)
        }
        let pace = nextIsQuiet ? Self.discardQuietEvery : Self.discardLoudEvery
        guard surplus > 0, sinceDiscard >= pace else { return false }
        surplus -= 1
        smallestSpan = smallestSpan == .max ? .max : smallestSpan - 1
        sinceDiscard = 0
        return true
    }

    private static let lateEvery = 25
    private static let windowFrames = 25
    private static let shrinkAfter = 100
    private static let discardQuietEvery = 5
    private static let discardLoudEvery = 50
}
