// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// Puts Opus packets of 20 ms into RTP (RFC 7587).
///
/// The timestamp counts samples: it goes on by 960 a frame while the capture times agree to within a frame and a half,
/// and jumps ahead by whole frames where the capture paused or nothing was sent. It never goes back.
public struct AudioSendStream: Sendable {
    /// The stream's SSRC.
    public let ssrc: UInt32
    /// Packets handed out, wrapping as in a sender report.
    public private(set) var packetsSent: UInt32 = 0
    /// Bytes of payload handed out.
    public private(set) var payloadBytesSent: UInt64 = 0
    /// Frames not sent because there was nothing but silence in them (DTX).
    public private(set) var framesDiscontinuous: UInt64 = 0
    /// Frames not sent because they did not fit.
    public private(set) var framesRefused: UInt64 = 0

    private let timestampOffset: UInt32
    private var sequenceNumber: UInt16
    private var clock: Clock?
    private var captureTimeDue: Int64 = .min

    /// The last frame's place in time, whether it was sent or not.
    private struct Clock {
        var ticks: Int64
        var captured: Instant
        /// Whether that frame was sent.
        var wasSent: Bool
    }

    /// A stream with a random first sequence number.
    ///
    /// - Parameters:
    ///   - ssrc: random, and new for each incarnation of the sender.
    ///   - timestampOffset: random; the timestamp of the clock's origin.
    ///   - generator: gives the random start.
    public init(ssrc: UInt32, timestampOffset: UInt32, generator: inout SeededGenerator) {
        self.ssrc = ssrc
        self.timestampOffset = timestampOffset
        sequenceNumber = UInt16(truncatingIfNeeded: generator.next())
    }

    /// The RTP timestamp of an instant, by the samples captured so far; before the first frame by the clock alone.
    public func timestamp(at instant: Instant) -> UInt32 {
        let ticks = clock.map { $0.ticks &+ MediaClock.audio.ticks(in: instant - $0.captured) }
        return wire(ticks ?? MediaClock.audio.ticks(at: instant))
    }

    /// Writes the packet of one frame. Call it for each frame in order of capture, also for one of silence.
    ///
    /// - Parameters:
    ///   - opus: the coder's output; at most 2 bytes are silence and not sent.
    ///   - captureTime: when the frame's first sample was captured.
    ///   - captureNTP: the same by the wall clock, NTP 32.32.
    ///   - level: 0 (loud) … 127 (silence), −dBov.
    ///   - isVoice: whether it is speech.
    ///   - isMuted: sets the mute flag.
    ///   - slot: takes the packet; 1,188 bytes are always enough.
    /// - Returns: the packet's length; nil when it need not be sent or does not fit into 1,186 bytes and the slot.
    public mutating func packet(
        _ opus: UnsafeRawBufferPointer, captureTime: Instant, captureNTP: UInt64, level: UInt8, isVoice: Bool,
        isMuted: Bool, into slot: UnsafeMutableRawBufferPointer
    ) -> Int? {
        let startsTalk = advanceClock(to: captureTime)
        guard !OpusPacket.isDiscontinuous(opus) else {
            framesDiscontinuous &+= 1
            return nil
        }
        guard let ticks = clock?.ticks else { return nil }
        var header = RTPHeader(
            payloadType: MediaPayload.opus.rawValue, marker: startsTalk, sequenceNumber: sequenceNumber,
            timestamp: wire(ticks), ssrc: ssrc)
        header.extensions.audioLevel = AudioLevel(level: level, isVoice: isVoice)
        header.extensions.isMuted = isMuted
        let tellsCaptureTime = startsTalk || ticks >= captureTimeDue
        if tellsCaptureTime { header.extensions.absoluteCaptureTime = captureNTP }
        var writer = ByteWriter(slot)
        header.write(to: &writer)
        writer.copy(opus)
        guard !writer.didOverflow, writer.count + PacketBudget.retransmission <= PacketBudget.datagram else {
            framesRefused &+= 1
            return nil
        }
        if tellsCaptureTime { captureTimeDue = ticks &+ Self.captureTimeEvery }
        clock?.wasSent = true
        sequenceNumber &+= 1
        packetsSent &+= 1
        payloadBytesSent &+= UInt64(opus.count)
        return writer.count
    }

    /// Moves the sample clock to the next frame; true when that frame starts after a pause.
    private mutating func advanceClock(to captureTime: Instant) -> Bool {
        guard let previous = clock else {
            clock = Clock(ticks: MediaClock.audio.ticks(at: captureTime), captured: captureTime, wasSent: false)
            return true
        }
        let frame = OpusPacket.frameSamples
        let elapsed = MediaClock.audio.ticks(in: captureTime - previous.captured)
        // Where our count stands apart from the capture clock (by drift, or by a pause) shows in whole ticks since the
        // origin, not in the last step alone: small steps must not add up to a lost second.
        let departure = MediaClock.audio.ticks(at: captureTime) &- (previous.ticks &+ frame)
        let skipped = departure > frame + frame / 2 ? departure / frame : 0
        clock = Clock(ticks: previous.ticks &+ frame &+ skipped &* frame, captured: captureTime, wasSent: false)
        return skipped > 0 || !previous.wasSent || elapsed > 2 * frame
    }

    private func wire(_ ticks: Int64) -> UInt32 { timestampOffset &+ UInt32(truncatingIfNeeded: ticks) }

    /// What a sender report says at `now`: this instant on both clocks, never the time of some packet.
    ///
    /// - Parameter ntp: the same instant by the wall clock, NTP 32.32.
    public func senderInfo(at now: Instant, ntp: UInt64) -> SenderInfo {
        SenderInfo(
            ntp: ntp, timestamp: timestamp(at: now), packetCount: packetsSent,
            octetCount: UInt32(truncatingIfNeeded: payloadBytesSent))
    }

    /// The capture time goes with the first packet after a pause and then every 200 ms: in each packet it would take
    /// a fifth of a speech stream's bitrate.
    private static let captureTimeEvery: Int64 = 9_600
}
