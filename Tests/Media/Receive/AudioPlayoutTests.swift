// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

@Suite struct AudioPlayoutTests {
    /// Sends frames `range`, one each 20 ms, without those that `isLost` names.
    private static func send(_ range: Range<Int>, to call: AudioCall, isLost: (Int) -> Bool = { _ in false }) {
        for number in range {
            let packet = call.packet(number)
            if !isLost(number) { call.receive(packet) }
            call.pass(.milliseconds(20))
        }
    }

    @Test func `playing starts 40 ms after the first packet, then one frame each 20 ms`() {
        let call = AudioCall()
        let start = call.now
        #expect(call.receiver.nextDeadline == nil)
        Self.send(0..<50, to: call)
        #expect(call.heard == (0..<49).map { .frame($0) })
        for (index, instant) in call.heardAt.enumerated() {
            #expect(instant == start + .milliseconds(40 + 20 * Int64(index)))
        }
        #expect(call.receiver.statistics.framesConcealed == 0)
    }

    @Test func `bytes, level, mute and capture time come with the frame, also where the packet does not tell`() throws {
        let call = AudioCall()
        for number in 0..<5 { call.receive(call.packet(number, level: 33)) }
        call.now = call.now + .milliseconds(40)
        for number in 0..<5 {
            guard case .packet(let audio) = call.receiver.pull(at: call.now) else {
                Issue.record("frame \(number) is not there")
                return
            }
            #expect(audio.bytes == [0xF8, 0, UInt8(number)] && audio.level == 33 && !audio.isMuted)
            // The first packet alone tells 0; the rest follows from 20 ms a frame.
            let told = try #require(audio.captureNTP)
            let off = NTPTime.interval(from: told, to: 0) + .milliseconds(20 * Int64(number))
            #expect(off.nanoseconds.magnitude <= 2)
            call.now = call.now + .milliseconds(20)
        }
    }

    @Test func `one lost frame is made up from the next packet's FEC`() {
        let call = AudioCall()
        Self.send(0..<20, to: call) { $0 == 10 }
        #expect(call.heard.prefix(13).suffix(4) == [.frame(9), .recovered(from: 11), .frame(11), .frame(12)])
        let statistics = call.receiver.statistics
        #expect(statistics.framesConcealed == 1 && statistics.framesRecoverable == 1)
        #expect(statistics.packetsLost == 1)
    }

    @Test func `of several lost frames the last is made up from FEC, the others from nothing`() {
        let call = AudioCall()
        let packets = (0..<10).map { call.packet($0) }
        for number in 0..<10 where !(4...6).contains(number) { call.receive(packets[number]) }
        call.pass(.milliseconds(220))
        #expect(call.heard.prefix(9).suffix(6) == [.frame(3), .lost, .lost, .recovered(from: 7), .frame(7), .frame(8)])
    }

    @Test func `reordered packets play in order and copies once`() {
        let call = AudioCall()
        let packets = (0..<40).map { call.packet($0) }
        var generator = SeededGenerator(seed: 9)
        for start in stride(from: 0, to: 40, by: 2) {
            for packet in packets[start..<start + 2].shuffled(using: &generator) {
                call.receive(packet)
                #expect(call.receive(packet) == .duplicate)
            }
            call.pass(.milliseconds(40))
        }
        call.pass(.milliseconds(100))
        #expect(call.heard.filter { $0 != .lost } == (0..<40).map { .frame($0) })
    }

    @Test func `under loss each frame is played or made up, and time keeps its pace`() {
        let call = AudioCall()
        var generator = SeededGenerator(seed: 6)
        let lost = Set((1..<1_000).filter { _ in Int.random(in: 0..<100, using: &generator) < 20 })
        Self.send(0..<1_000, to: call) { lost.contains($0) }
        let steps = zip(call.heardAt, call.heardAt.dropFirst()).map { ($1 - $0).nanoseconds }
        #expect(steps.allSatisfy { $0 == 20_000_000 })
        let played = call.heard.compactMap { heard -> Int? in
            if case .frame(let number) = heard { number } else { nil }
        }
        #expect(played == played.sorted())
        #expect(Set(played).isDisjoint(with: lost))
        #expect(played.count >= 990 - lost.count)
        #expect(call.receiver.statistics.framesConcealed >= UInt64(lost.count) - 10)
    }

    @Test func `silence by DTX is no loss, grows no delay, and costs no wake-ups`() {
        let call = AudioCall()
        Self.send(0..<20, to: call)
        var wakeUps = 0
        for number in 20..<520 {
            // The coder refreshes the background noise each 400 ms.
            call.receive(call.packet(number, silent: number % 20 != 0))
            if call.receiver.nextDeadline != nil { wakeUps += 1 }
            call.pass(.milliseconds(20))
        }
        Self.send(520..<560, to: call)
        let statistics = call.receiver.statistics
        #expect(statistics.framesConcealed == 0 && statistics.packetsLost == 0)
        #expect(statistics.targetFrames == 2)
        #expect(statistics.framesSilent > 0)
        #expect(wakeUps < 250)
        #expect(call.heard.contains(.frame(540)) && call.heard.contains(.frame(558)))
    }

    @Test func `a pause of which the end is here already is silence, and the frame after it plays at its time`() {
        let call = AudioCall()
        let start = call.now
        for number in 0..<9 { call.receive(call.packet(number, silent: (3...6).contains(number))) }
        call.pass(.milliseconds(150))
        #expect(call.heard == [0, 1, 2, 7].map { .frame($0) })
        let played = call.heardAt.map { ($0 - start).nanoseconds / 1_000_000 }
        #expect(played == [0, 20, 40, 140])
        #expect(call.receiver.statistics.framesConcealed == 0)
    }

    @Test func `a stream that ends is faded for 100 ms, then there are no more deadlines`() {
        let call = AudioCall()
        Self.send(0..<10, to: call)
        call.pass(.seconds(Int64(10)))
        #expect(call.heard.suffix(6) == [.frame(9), .lost, .lost, .lost, .lost, .lost])
        #expect(call.receiver.nextDeadline == nil)
    }

    @Test func `a stall lets the delay grow, and calm lets it shrink again`() {
        let call = AudioCall()
        Self.send(0..<50, to: call)
        let stalled = (50..<56).map { call.packet($0) }
        call.pass(.milliseconds(120))
        for packet in stalled { call.receive(packet) }
        Self.send(56..<100, to: call)
        let grown = call.receiver.statistics
        #expect(grown.targetFrames > 2 && grown.targetFrames <= 10)
        #expect(grown.framesConcealed > 0 && grown.latePackets == 0)
        Self.send(100..<1_600, to: call)
        let calm = call.receiver.statistics
        #expect(calm.targetFrames == 2)
        #expect(calm.framesSkipped > 0 && calm.bufferedFrames <= 3)
        #expect(calm.latePackets == 0)
    }

    @Test func `packets that keep coming after their frame make the buffer wait longer`() {
        let call = AudioCall()
        var generator = SeededGenerator(seed: 2)
        var due: [(at: Int, packet: [UInt8]?)] = []
        var targets: [Int] = []
        for number in 0..<1_500 {
            // A fifth of the packets takes 60 ms longer than the others.
            let late = number > 10 && Int.random(in: 0..<5, using: &generator) == 0
            due.append((number + (late ? 3 : 0), call.packet(number)))
            for entry in due where entry.at == number { call.receive(entry.packet) }
            due.removeAll { $0.at <= number }
            call.pass(.milliseconds(20))
            targets.append(call.receiver.statistics.targetFrames)
        }
        #expect((3...4).contains(targets.max() ?? 0))
        // 300 packets came late; once the buffer waits 60 ms, they are played all the same.
        #expect(call.receiver.statistics.latePackets < 20)
        #expect(call.receiver.statistics.framesConcealed < 30)
    }

    @Test func `a jump of the timestamp does not fill the gap`() {
        let call = AudioCall()
        Self.send(0..<10, to: call)
        Self.send(100_000..<100_020, to: call)
        #expect(call.heard.count < 50)
        #expect(call.heard.contains(.frame(100_010 & 0xFFFF)))
        #expect(call.receiver.statistics.discontinuities <= 1)
    }

    @Test func `a timestamp that rolls over plays on`() {
        let start = AudioCall(timestampOffset: 0).sender.timestamp(at: Instant(nanoseconds: 1_000_000_000))
        let call = AudioCall(timestampOffset: 0 &- start &- 960 * 10)
        Self.send(0..<30, to: call)
        #expect(call.heard == (0..<29).map { .frame($0) })
    }

    @Test func `a burst after a long stall is skipped, not played late`() {
        let call = AudioCall()
        Self.send(0..<10, to: call)
        let burst = (10..<110).map { call.packet($0) }
        call.pass(.seconds(Int64(2)))
        for packet in burst { call.receive(packet) }
        Self.send(110..<140, to: call)
        #expect(call.receiver.statistics.framesSkipped >= 80)
        #expect(call.receiver.statistics.bufferedFrames <= 12)
    }

    @Test func `the buffer never holds more than 200 packets`() {
        let call = AudioCall()
        for number in 0..<2_000 {
            call.receive(call.packet(number))
            #expect(call.receiver.statistics.bufferedFrames <= 200)
        }
        #expect(call.receiver.statistics.flushedPackets == 1_800)
    }

    @Test func `an owner that slept does not run through what it missed`() {
        let call = AudioCall()
        Self.send(0..<10, to: call)
        for number in 10..<20 { call.receive(call.packet(number)) }
        call.now = call.now + .seconds(Int64(30))
        var pulls = 0
        while call.receiver.pull(at: call.now) != nil { pulls += 1 }
        #expect(pulls == 1)
    }

    @Test func `after a reset the next packet starts anew, with the first target`() {
        let call = AudioCall()
        Self.send(0..<10, to: call)
        call.receiver.reset()
        #expect(call.receiver.nextDeadline == nil)
        let start = call.now
        call.receive(call.packet(500))
        #expect(call.receiver.nextDeadline == start + .milliseconds(40))
        call.pass(.milliseconds(40))
        #expect(call.heard.last == .frame(500))
    }

    @Test func `packets of another stream, type or length are told apart and counted`() throws {
        let call = AudioCall()
        let packet = try #require(call.packet(0))
        var other = packet
        other[1] = 0x80 | 96
        #expect(call.receive(other) == .unknownPayload)
        other = packet
        other[11] ^= 1
        #expect(call.receive(other) == .malformed)
        let payload = try header(of: packet).payloadRange
        other = packet
        other[payload.lowerBound] = 0x18
        #expect(call.receive(other) == .malformed)
        #expect(call.receive(Array(packet.prefix(payload.lowerBound))) == .accepted)
        let statistics = call.receiver.statistics
        #expect(statistics.malformed == 2 && statistics.unknownPayload == 1 && statistics.paddingOnly == 1)
        #expect(call.receiver.nextDeadline == nil)
    }
}
