// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueTime

/// Two links and the lossy channel between them, in virtual time: the same seed gives the same run.
final class LinkPair {
    /// What the channel does to a datagram.
    struct Channel {
        var loss = 0.0
        var duplication = 0.0
        /// The shortest way of a datagram.
        var delay = Interval.milliseconds(10)
        /// How much longer the way may take: datagrams overtake each other.
        var jitter = Interval.zero
    }

    enum Side: Int, CaseIterable {
        case left, right
        var other: Side { self == .left ? .right : .left }
    }

    private struct Flight {
        var to: Side
        var at: Instant
        var bytes: [UInt8]
    }

    var channel: Channel
    private(set) var now = Instant.zero
    private var links: [ControlLink]
    private var flights: [Flight] = []
    private var generator: SeededGenerator
    /// What each side was told, without datagrams.
    private(set) var told: [[ControlLink.Action]] = [[], []]
    /// How many datagrams each side sent.
    private(set) var sent = [0, 0]
    /// Whether nothing gets through.
    var isCut = false
    /// Who takes nothing but acknowledgements.
    var full: Side?

    init(_ channel: Channel = Channel(), seed: UInt64 = 1, firstSequence: UInt32 = 0) {
        self.channel = channel
        generator = SeededGenerator(seed: seed)
        links = [1, 2].map { ControlLink(nonce: $0, hello: .ours, firstSequence: firstSequence) }
    }

    subscript(side: Side) -> ControlLink { links[side.rawValue] }

    func delivered(to side: Side) -> [ControlMessage] {
        told[side.rawValue].compactMap { if case .deliver(let message) = $0 { message } else { nil } }
    }

    func acknowledged(to side: Side) -> [ControlLink.Receipt] {
        told[side.rawValue].compactMap { if case .acknowledged(let receipt) = $0 { receipt } else { nil } }
    }

    func forgetTold() { told = [[], []] }

    func connect(_ sides: [Side] = Side.allCases) {
        for side in sides { perform(links[side.rawValue].connect(at: now), from: side) }
    }

    func disconnect() { for side in Side.allCases { links[side.rawValue].disconnect(at: now) } }

    @discardableResult
    func send(
        _ message: ControlMessage, from side: Side
    ) throws(ControlSendError) -> ControlLink.Receipt {
        let (receipt, actions) = try links[side.rawValue].send(message, at: now)
        perform(actions, from: side)
        return receipt
    }

    /// The process of this side begins anew, with another nonce.
    func restart(_ side: Side, nonce: UInt64) {
        links[side.rawValue] = ControlLink(nonce: nonce, hello: .ours)
        told[side.rawValue] = []
        perform(links[side.rawValue].connect(at: now), from: side)
    }

    private func take(_ flight: Flight) -> [ControlLink.Action] {
        if full == flight.to {
            links[flight.to.rawValue].receiveAcknowledgement(of: flight.bytes, at: now)
        } else {
            links[flight.to.rawValue].receive(flight.bytes, at: now)
        }
    }

    /// A datagram out of nowhere.
    func inject(_ bytes: [UInt8], to side: Side) {
        perform(links[side.rawValue].receive(bytes, at: now), from: side)
    }

    /// Lets time pass until nothing is left to do, or until the given time is over. Returns whether all is quiet.
    @discardableResult
    func run(for interval: Interval = .seconds(120 as Int64)) -> Bool {
        let end = now + interval
        var steps = 0
        while let next = nextTime, next <= end {
            now = max(now, next)
            step()
            steps += 1
            guard steps < 200_000 else { return false }
        }
        guard nextTime == nil else {
            now = end
            return false
        }
        return true
    }

    private var nextTime: Instant? {
        (flights.map(\.at) + links.compactMap(\.nextDeadline)).min()
    }

    private func step() {
        let due = flights.filter { $0.at <= now }
        flights.removeAll { $0.at <= now }
        for flight in due {
            perform(take(flight), from: flight.to)
        }
        for side in Side.allCases where links[side.rawValue].nextDeadline.map({ $0 <= now }) ?? false {
            perform(links[side.rawValue].timerFired(at: now), from: side)
        }
    }

    private func perform(_ actions: [ControlLink.Action], from side: Side) {
        for action in actions {
            guard case .send(let bytes) = action else {
                told[side.rawValue].append(action)
                continue
            }
            sent[side.rawValue] += 1
            let copies = chance(channel.duplication) ? 2 : 1
            for _ in 0..<copies where !isCut && !chance(channel.loss) {
                let extra = Int64(Double(channel.jitter.nanoseconds) * unit())
                flights.append(
                    Flight(to: side.other, at: now + channel.delay + Interval(nanoseconds: extra), bytes: bytes))
            }
        }
    }

    private func unit() -> Double { Double.random(in: 0..<1, using: &generator) }
    private func chance(_ probability: Double) -> Bool { unit() < probability }
}

extension Hello {
    static let ours = Hello(capabilities: .explicitMute)
}

extension ControlMessage {
    static let call = WireID(high: 7, low: 8)

    static func text(_ number: Int, size: Int = 10) -> ControlMessage {
        let id = WireID(high: 1, low: UInt64(number))
        let text = "\(number) " + String(repeating: "x", count: size)
        return .message(call, id: id, sentAt: 0, deadline: 1, text: text)
    }

    static func declared(_ number: Int) -> ControlMessage {
        .declared(call, PublicationID(rawValue: UInt32(number)), version: 1)
    }

    static func want(_ publication: UInt32, width: UInt16) -> ControlMessage {
        .want(call, PublicationID(rawValue: publication), width: width, height: 1, fps: 30)
    }

    static func mute(_ publication: UInt32, _ isMuted: Bool) -> ControlMessage {
        .mute(call, PublicationID(rawValue: publication), isMuted: isMuted, rtpTime: nil, version: 1)
    }
}
