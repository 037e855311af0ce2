// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueMedia
import RevueTime

enum MediaTrial {
    /// The streams on trial.
    static let videoSSRC: UInt32 = 7
    static let retransmissionSSRC: UInt32 = 8
    static let audioSSRC: UInt32 = 9

    static func video(_ input: [UInt8]) {
        var receiver = VideoReceiveStream(ssrc: videoSSRC, retransmissionSSRC: retransmissionSSRC)
        var now = Instant(nanoseconds: 1_000_000_000)
        for (milliseconds, datagram) in DatagramScript(input) {
            now = now + .milliseconds(milliseconds)
            datagram.withUnsafeBytes { bytes in
                guard let header = try? RTPHeader.parse(bytes) else { return }
                _ = receiver.receive(bytes, header: header, at: now)
            }
            var outputs = 0
            while receiver.poll(at: now) != nil {
                outputs += 1
                precondition(outputs <= 4_096, "the receiver never comes to rest")
            }
            _ = receiver.reportBlock(at: now)
        }
    }

    static func audio(_ input: [UInt8]) {
        var receiver = AudioReceiveStream(ssrc: audioSSRC)
        var now = Instant(nanoseconds: 1_000_000_000)
        for (milliseconds, datagram) in DatagramScript(input) {
            now = now + .milliseconds(milliseconds)
            datagram.withUnsafeBytes { bytes in
                guard let header = try? RTPHeader.parse(bytes) else { return }
                _ = receiver.receive(bytes, header: header, at: now)
            }
            var outputs = 0
            while receiver.pull(at: now) != nil {
                outputs += 1
                precondition(outputs <= 4_096, "the receiver never comes to rest")
            }
            precondition(receiver.statistics.bufferedFrames <= 4_096, "the buffer has no end")
            _ = receiver.reportBlock(at: now)
        }
    }

    static func rtcp(_ input: [UInt8]) {
        var exchange = KeepAliveExchange()
        var tracker = ReceptionTracker(ssrc: videoSSRC, clock: .video)
        let now = Instant(nanoseconds: 1_000_000_000)
        input.withUnsafeBytes { bytes in
            _ = DatagramKind.of(bytes)
            var reader = RTCPReader(bytes)
            var packets = 0
            while let packet = try? reader.next() {
                packets += 1
                precondition(packets <= input.count, "more packets than bytes")
                if case .application(_, let keepAlive) = packet { _ = exchange.receive(keepAlive, at: now) }
                if case .senderReport(_, let info, _) = packet { tracker.received(info, at: now) }
            }
        }
        _ = tracker.reportBlock(at: now)
    }

    static func payload(_ input: [UInt8]) {
        input.withUnsafeBytes { bytes in
            _ = VP8Descriptor.parse(bytes)
            _ = OpusPacket.samples(in: bytes)
            _ = OpusPacket.isDiscontinuous(bytes)
            guard let header = try? RTPHeader.parse(bytes) else { return }
            _ = header.payload(of: bytes)
        }
    }
}
