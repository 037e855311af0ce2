// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

/// Seeded mutation: whatever a peer sends, nothing traps, nothing grows without bound, and a sane stream afterwards works.
@Suite struct HostileInputTests {
    private static func mutated(_ packet: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var packet = packet
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            guard !packet.isEmpty else { break }
            let place = Int.random(in: 0..<packet.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: packet[place] = UInt8.random(in: .min ... .max, using: &generator)
            case 1: packet[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: packet = Array(packet.prefix(place))
            case 3: packet.insert(UInt8.random(in: .min ... .max, using: &generator), at: place)
            case 4: packet[place] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
            default: packet += packet.prefix(place)
            }
        }
        return packet
    }

    @Test(arguments: UInt64(1)...6)
    func `mutated video packets do no harm`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let call = VideoCall(seed: seed, recovers: seed > 3)
        for number in 0..<1_000 {
            let packets = call.frame(
                key: number % 50 == 0, bytes: Int.random(in: 1...6_000, using: &generator), layer: number % 3,
                sync: number % 5 == 0, layers: seed % 2 == 0)
            for packet in packets {
                call.receive(packet)
                call.receive(Self.mutated(packet, using: &generator))
            }
            call.pass(.milliseconds(10))
            if number % 100 == 99 { call.receiver.decoderFailed(at: call.now) }
            call.frames.removeAll()
        }
        call.pass(.milliseconds(10_000))
        for _ in 0..<4 { call.receive(call.frame(key: true, bytes: 3_000)) }
        #expect(call.frames.last?.captureNTP == 1_004)
        // 10 s of such a stream and 5 s after it: never more than five requests a second.
        #expect(call.requests.count <= 5 * 16)
        _ = call.receiver.reportBlock(at: call.now)
    }

    @Test(arguments: UInt64(1)...6)
    func `mutated audio packets do no harm`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let call = AudioCall()
        for number in 0..<4_000 {
            let packet = call.packet(number) ?? []
            call.receive(packet)
            call.receive(Self.mutated(packet, using: &generator))
            call.pass(.milliseconds(Int64.random(in: 0...40, using: &generator)))
            #expect(call.receiver.statistics.bufferedFrames <= 200)
            #expect(call.receiver.statistics.targetFrames <= 10)
        }
        call.receiver.reset()
        call.heard.removeAll()
        for number in 4_000..<4_020 {
            call.receive(call.packet(number))
            call.pass(.milliseconds(20))
        }
        #expect(call.heard.contains(.frame(4_015)))
    }

    @Test(arguments: UInt64(1)...4)
    func `mutated RTCP gives packets or an error`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let compound = try #require(
            written { slot in
                let info = SenderInfo(ntp: 1, timestamp: 2, packetCount: 3, octetCount: 4)
                guard var writer = RTCPWriter(into: slot, ssrc: 1, info: info, reports: [ReportBlock(ssrc: 2)]) else {
                    return nil
                }
                _ = writer.append(KeepAlive(counter: 1, sentAt: 2, echo: 3, heldFor: 4))
                _ = writer.appendGenericNACK(media: 2, missing: [1, 2, 3, 40])
                _ = writer.appendFullIntraRequest([FullIntraEntry(media: 2, commandSequence: 1)])
                return writer.appendGoodbye() ? writer.count : nil
            })
        var exchange = KeepAliveExchange()
        var tracker = ReceptionTracker(ssrc: 1, clock: .audio)
        var read = 0
        for _ in 0..<5_000 {
            let now = Instant(nanoseconds: Int64.random(in: .min ... .max, using: &generator))
            for packet in (try? packets(of: Self.mutated(compound, using: &generator))) ?? [] {
                read += 1
                if case .application(_, let keepAlive) = packet { _ = exchange.receive(keepAlive, at: now) }
                if case .senderReport(_, let info, _) = packet { tracker.received(info, at: now) }
            }
            _ = exchange.next(at: now)
            _ = tracker.reportBlock(at: now)
        }
        #expect(read > 1_000)
    }

    @Test(arguments: UInt64(1)...4)
    func `random bytes are no trap`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let call = VideoCall()
        let audio = AudioCall()
        for _ in 0..<8_000 {
            var bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            if bytes.count > 12 {
                bytes[0] = 0x80 | (bytes[0] & 0x3F)
                bytes[1] = [96, 97, 111, 0xE0].randomElement(using: &generator) ?? 96
                (bytes[8], bytes[9], bytes[10]) = (0, 0, 0)
                bytes[11] = bytes[1] == 111 ? 9 : 7
            }
            _ = bytes.withUnsafeBytes { DatagramKind.of($0) }
            _ = try? packets(of: bytes)
            call.receive(bytes)
            audio.receive(bytes)
            call.pass(.microseconds(500))
            audio.pass(.microseconds(500))
        }
    }

    @Test func `extreme instants do not trap`() throws {
        for instant in [Instant(nanoseconds: .min), .zero, .distantFuture, Instant(nanoseconds: .min), .distantFuture] {
            let call = VideoCall()
            let packet = try #require(call.frame(key: true).first)
            call.now = instant
            call.receive(packet)
            call.pass(.zero)
            let audio = AudioCall()
            let sound = audio.packet(0)
            audio.now = instant
            audio.receive(sound)
            _ = audio.receiver.pull(at: .distantFuture)
            _ = audio.receiver.pull(at: instant)
            _ = audio.sender.timestamp(at: instant)
        }
    }

    @Test func `an hour of loss and reordering leaves nothing behind`() {
        var generator = SeededGenerator(seed: 11)
        let call = VideoCall()
        for number in 0..<10_000 {
            let packets = call.frame(key: number % 30 == 0, bytes: 2_500)
            for packet in packets.shuffled(using: &generator)
            where Int.random(in: 0..<5, using: &generator) > 0 { call.receive(packet) }
            call.now = call.now + .milliseconds(360)
            call.frames.removeAll(keepingCapacity: true)
        }
        let statistics = call.receiver.statistics
        // Every packet received is accounted for: in a frame, discarded, late, or among the few still waiting.
        let inFrames = UInt64(statistics.packetsReceived) - statistics.packetsDiscarded - statistics.late
        #expect(inFrames / 3 <= statistics.framesAssembled + 512 / 3 + 1)
        #expect(statistics.framesAssembled - statistics.framesDelivered - statistics.framesDropped <= 64)
    }
}
