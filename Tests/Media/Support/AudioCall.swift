// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime

/// A sender and a receiver of audio, whose packets a test may lose, delay, repeat or reorder.
final class AudioCall {
    enum Heard: Hashable {
        case frame(Int)
        case recovered(from: Int)
        case lost
    }

    var sender: AudioSendStream
    var receiver = AudioReceiveStream(ssrc: 9)
    var now = Instant(nanoseconds: 1_000_000_000)
    var heard: [Heard] = []
    var heardAt: [Instant] = []
    private let start = Instant(nanoseconds: 1_000_000_000)

    init(timestampOffset: UInt32 = 5_000) {
        var generator = SeededGenerator(seed: 3)
        sender = AudioSendStream(ssrc: 9, timestampOffset: timestampOffset, generator: &generator)
    }

    /// The packet of the nth frame of 20 ms; its payload is a 20 ms Opus packet that carries the number.
    func packet(_ number: Int, level: UInt8 = 20, silent: Bool = false) -> [UInt8]? {
        let captured = start + .milliseconds(20) * Int64(number)
        // 0xF8: CELT, fullband, 20 ms, one frame.
        let opus: [UInt8] = silent ? [0xF8] : [0xF8, UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
        return written { slot in
            opus.withUnsafeBytes {
                sender.packet(
                    $0, captureTime: captured, captureNTP: UInt64(number) << 32, level: level, isVoice: true,
                    isMuted: false, into: slot)
            }
        }
    }

    @discardableResult
    func receive(_ packet: [UInt8]?) -> PacketVerdict? {
        guard let packet else { return nil }
        return packet.withUnsafeBytes { bytes -> PacketVerdict in
            guard let header = try? RTPHeader.parse(bytes) else { return .malformed }
            return receiver.receive(bytes, header: header, at: now)
        }
    }

    /// Moves time on, pulling at each deadline on the way, as its owner does.
    func pass(_ interval: Interval) {
        let end = now + interval
        while let deadline = receiver.nextDeadline, deadline <= end {
            now = max(now, deadline)
            while let output = receiver.pull(at: now) {
                heardAt.append(now)
                switch output {
                case .packet(let audio): heard.append(.frame(Self.number(of: audio)))
                case .lostBefore(let audio): heard.append(.recovered(from: Self.number(of: audio)))
                case .lost: heard.append(.lost)
                }
            }
        }
        now = end
    }

    private static func number(of audio: IncomingAudio) -> Int {
        audio.bytes.count < 3 ? -1 : Int(audio.bytes[1]) << 8 | Int(audio.bytes[2])
    }
}
