// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime
import Testing

@Suite struct AudioSendTests {
    private final class Rig {
        var sender: AudioSendStream
        init() {
            var generator = SeededGenerator(seed: 2)
            sender = AudioSendStream(ssrc: 5, timestampOffset: .max - 100, generator: &generator)
        }
        func send(_ opus: [UInt8], at captured: Instant, capacity: Int = 1_188) -> [UInt8]? {
            written(capacity: capacity) { slot in
                opus.withUnsafeBytes {
                    sender.packet(
                        $0, captureTime: captured, captureNTP: 77, level: 200, isVoice: false, isMuted: true,
                        into: slot)
                }
            }
        }
    }

    @Test func `a packet carries the coder's bytes, level, mute and capture time`() throws {
        let rig = Rig()
        let packet = try #require(rig.send([0xF8, 1, 2], at: .zero))
        let parsed = try header(of: packet)
        #expect(Array(packet[parsed.payloadRange]) == [0xF8, 1, 2])
        #expect(parsed.payloadType == 111 && parsed.marker && parsed.ssrc == 5)
        #expect(parsed.timestamp == UInt32.max - 100)
        #expect(parsed.extensions.audioLevel == AudioLevel(level: 127, isVoice: false))
        #expect(parsed.extensions.isMuted == true && parsed.extensions.absoluteCaptureTime == 77)
    }

    @Test func `timestamps count samples although capture times jitter`() throws {
        let rig = Rig()
        var generator = SeededGenerator(seed: 4)
        var first: UInt32?
        for frame in UInt32(0)..<500 {
            let jitter = Int64.random(in: -4_000...4_000, using: &generator)
            let captured = Instant.zero + .milliseconds(100 + 20 * Int64(frame)) + .microseconds(jitter)
            let parsed = try header(of: #require(rig.send([0xF8, 1, 2], at: captured)))
            #expect(parsed.marker == (frame == 0))
            #expect(parsed.timestamp == (first ?? parsed.timestamp) &+ 960 * frame)
            first = first ?? parsed.timestamp
        }
    }

    @Test func `in DTX the timestamp goes on, the sequence number does not, and talk starts with the marker`() throws {
        let rig = Rig()
        let before = try header(of: #require(rig.send([0xF8, 1, 2], at: .zero)))
        for frame in Int64(1)..<20 { #expect(rig.send([0xF8], at: .zero + .milliseconds(20) * frame) == nil) }
        let after = try header(of: #require(rig.send([0xF8, 1, 2], at: .zero + .milliseconds(400))))
        #expect(after.timestamp == before.timestamp &+ 20 * 960)
        #expect(after.sequenceNumber == before.sequenceNumber &+ 1)
        #expect(after.marker)
        #expect(rig.sender.framesDiscontinuous == 19)
    }

    @Test func `a capture pause moves the timestamp by whole frames`() throws {
        let rig = Rig()
        let before = try header(of: #require(rig.send([0xF8, 1, 2], at: .zero)))
        let after = try header(of: #require(rig.send([0xF8, 1, 2], at: .zero + .milliseconds(5_007))))
        #expect(after.timestamp == before.timestamp &+ 250 * 960)
        #expect(after.marker)
        let back = try header(of: #require(rig.send([0xF8, 1, 2], at: .zero + .milliseconds(100))))
        #expect(back.timestamp == after.timestamp &+ 960)
    }

    @Test func `the capture time is told every 200 ms`() throws {
        let rig = Rig()
        var told: [Int64] = []
        for frame in Int64(0)..<31 {
            let packet = try #require(rig.send([0xF8, 1, 2], at: .zero + .milliseconds(20) * frame))
            if try header(of: packet).extensions.absoluteCaptureTime != nil { told.append(frame) }
        }
        #expect(told == [0, 10, 20, 30])
    }

    @Test func `a sender report maps its own instant, not a packet's`() throws {
        let rig = Rig()
        let packet = try header(of: #require(rig.send([0xF8, 1, 2], at: .zero + .milliseconds(20))))
        let info = rig.sender.senderInfo(at: .zero + .milliseconds(50), ntp: 9)
        #expect(info.timestamp == packet.timestamp &+ 30 * 48)
        #expect(info.packetCount == 1 && info.octetCount == 3)
    }

    @Test func `a packet that does not fit is refused and counted, the next goes out`() {
        let rig = Rig()
        #expect(rig.send([0xF8] + pattern(1_200), at: .zero) == nil)
        #expect(rig.send([0xF8] + pattern(60), at: .zero + .milliseconds(20), capacity: 40) == nil)
        #expect(rig.sender.framesRefused == 2 && rig.sender.packetsSent == 0)
        #expect(rig.send([0xF8] + pattern(1_100), at: .zero + .milliseconds(40)) != nil)
        #expect(rig.sender.payloadBytesSent == 1_101)
    }
}
