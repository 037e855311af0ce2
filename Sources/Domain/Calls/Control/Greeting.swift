// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// A hello that waits for its answer: sent again with growing pauses, and given up after a while.
struct Greeting: Sendable, Equatable {
    /// How often it has been sent.
    private(set) var tries = 0
    /// When it was sent last.
    private(set) var sentAt: Instant
    /// When it is sent next.
    private(set) var due: Instant
    /// The number of its first copy: answers to earlier hellos do not count.
    private(set) var first: HelloNumber

    /// A hello that is to be sent now.
    init(first: HelloNumber, at now: Instant) {
        self.first = first
        sentAt = now
        due = now
    }

    /// Whether it has been sent often enough.
    var isExhausted: Bool { tries >= Self.maximumTries }

    /// It has been sent once more.
    mutating func sent(at now: Instant) {
        let pause = min(Interval.milliseconds(20) * (Int64(1) << Int64(min(tries, 16))), .seconds(5 as Int64))
        tries += 1
        sentAt = now
        due = now + pause
    }

    /// The present session has answered, but a newcomer has not: only answers from this number on are news again.
    mutating func answered(next: HelloNumber) { first = next }

    static let maximumTries = 20
}

/// Numbers the hellos that a link sends, so that an answer says to which of them it is one.
struct HelloNumber: Sendable, Equatable {
    var rawValue: UInt32

    var next: HelloNumber { HelloNumber(rawValue: rawValue &+ 1) }

    /// Whether this number was used no earlier than the other.
    func isAtLeast(_ other: HelloNumber) -> Bool { rawValue &- other.rawValue < 1 << 31 }
}

/// The hellos that a link has sent: numbers, and the times of the last few to measure by their answers.
struct HelloLog: Sendable, Equatable {
    private(set) var next = HelloNumber(rawValue: 1)
    private var times: [Instant] = []

    /// A hello goes out: its number.
    mutating func sent(at now: Instant) -> HelloNumber {
        defer { next = next.next }
        if times.count >= Self.remembered { times.removeFirst() }
        times.append(now)
        return next
    }

    /// When the hello of this number went out; nil when that is too long ago.
    func time(of number: HelloNumber) -> Instant? {
        let age = Int(next.rawValue &- number.rawValue)
        return age >= 1 && age <= times.count ? times[times.count - age] : nil
    }

    private static let remembered = 16
}

/// A session of the peer that has said hello, and counts only once it answers a hello that was meant for it.
struct Newcomer: Sendable, Equatable {
    var nonce: UInt64
    var hello: Hello
    /// The number of the first hello that an answer may be to: a late answer of a session long over is to an older one.
    var challenge: HelloNumber
}

/// The peer's sessions, in the order in which they were first heard of: those over, and those that may begin.
struct PeerSessions: Sendable, Equatable {
    private(set) var newcomers: [Newcomer] = []
    private var retired: [UInt64] = []

    /// The session heard of last that has not answered yet.
    var newest: Newcomer? { newcomers.last }

    func isRetired(_ nonce: UInt64) -> Bool { retired.contains(nonce) }

    func newcomer(_ nonce: UInt64) -> Newcomer? { newcomers.first { $0.nonce == nonce } }

    mutating func heard(_ newcomer: Newcomer) {
        if let index = newcomers.firstIndex(where: { $0.nonce == newcomer.nonce }) {
            newcomers[index].hello = newcomer.hello
            return
        }
        if newcomers.count >= Self.maximumNewcomers { newcomers.removeFirst() }
        newcomers.append(newcomer)
    }

    /// This session has answered: those heard of before it are over, those heard of after it may still be its heirs.
    mutating func confirmed(_ nonce: UInt64) {
        guard let index = newcomers.firstIndex(where: { $0.nonce == nonce }) else { return }
        for older in newcomers[..<index] { retire(older.nonce) }
        newcomers.removeFirst(index + 1)
    }

    /// Nobody new is expected any more.
    mutating func forgetNewcomers() { newcomers = [] }

    mutating func retire(_ nonce: UInt64) {
        guard !isRetired(nonce) else { return }
        if retired.count >= Self.maximumRetired { retired.removeFirst() }
        retired.append(nonce)
    }

    private static let maximumNewcomers = 4
    private static let maximumRetired = 32
}
