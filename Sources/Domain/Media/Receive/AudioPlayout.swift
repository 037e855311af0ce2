// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// The playing side of an audio stream: which packet, or what in its place, is played at each 20 ms.
struct AudioPlayout {
    private var counts = AudioReceiveStatistics()
    private var buffer = AudioPacketBuffer()
    private var target = PlayoutTarget()
    private var phase = Phase.idle
    private var position: Position?
    /// Frames made up since the buffer ran empty, of which it is not known yet whether they stand for lost packets,
    /// for late ones, or for silence. The position has not moved with them.
    private var held = 0

    private enum Phase {
        /// Nothing to play.
        case idle
        /// Gathering frames since the first came.
        case filling(since: Instant)
        /// One frame each 20 ms.
        case playing(nextPull: Instant)
    }

    /// Where playing stands.
    private struct Position {
        /// The timestamp due next.
        var next: Int64
        /// The last number played or given up.
        var sequence: Int64
    }

    /// Takes a packet not seen before.
    mutating func insert(_ audio: IncomingAudio, sequence: Int64, at now: Instant) {
        if let position {
            if sequence > position.sequence, audio.timestamp < position.next &- Self.jump {
                startAnew()
            } else if sequence <= position.sequence || audio.timestamp < position.next &- Self.frame / 2 {
                counts.latePackets &+= 1
                target.cameLate()
                return
            }
        }
        if buffer.isFull { startAnew() }
        buffer.insert(AudioPacketBuffer.Packet(sequence: sequence, audio: audio))
        if case .idle = phase { phase = .filling(since: now) }
    }

    /// Time goes on elsewhere: what is buffered and where playing stands are void.
    mutating func startAnew() {
        counts.flushedPackets &+= UInt64(buffer.removeAll())
        counts.discontinuities &+= 1
        position = nil
        held = 0
        phase = .idle
    }

    /// When to pull next; nil while nothing plays.
    var nextDeadline: Instant? {
        switch phase {
        case .idle: nil
        case .filling(let since):
            buffer.count > target.frames ? since : since + Self.frameTime * Int64(target.frames)
        case .playing(let nextPull): nextPull
        }
    }

    /// The next 20 ms; nil when it is not time, or when nothing is to be played. Call again until it returns nil.
    mutating func pull(at now: Instant) -> AudioReceiveStream.Output? {
        guard let deadline = nextDeadline, now >= deadline else { return nil }
        switch phase {
        case .idle: return nil
        case .filling:
            phase = .playing(nextPull: now + Self.frameTime)
            return start()
        case .playing(let nextPull):
            // After a suspension the clock starts anew, rather than running through all that was missed.
            let due = now - nextPull >= Self.longStall ? now : nextPull
            phase = .playing(nextPull: due + Self.frameTime)
            return advance()
        }
    }

    /// The first frame after nothing was played: what was held is settled by what came then.
    private mutating func start() -> AudioReceiveStream.Output? {
        cutExcess()
        guard let first = buffer.removeFirst() else {
            phase = .idle
            return nil
        }
        if let position, held > 0 {
            let isNext = first.sequence == position.sequence &+ 1
            let missing = Self.frames(from: position.next, to: first.audio.timestamp)
            settleHeld(isSilence: isNext && missing > 0, isLate: isNext && missing <= 0)
        }
        return play(first)
    }

    private mutating func advance() -> AudioReceiveStream.Output? {
        cutExcess()
        dropLate()
        guard let first = buffer.first else { return ranEmpty() }
        guard let position else { return play() }
        let missing = Self.frames(from: position.next, to: first.audio.timestamp)
        if missing <= 0 {
            settleHeld(isSilence: false, isLate: true)
            return play()
        }
        if missing >= Self.jump / Self.frame {
            counts.discontinuities &+= 1
            settleHeld(isSilence: first.sequence == position.sequence &+ 1, isLate: false)
            return play()
        }
        return first.sequence == position.sequence &+ 1 ? pause(missing) : conceal(missing, before: first)
    }

    /// Numbers without a gap and a gap in time: the sender had nothing to send (DTX).
    private mutating func pause(_ missing: Int) -> AudioReceiveStream.Output? {
        let left = missing - held
        settleHeld(isSilence: true, isLate: false)
        guard left > 0, case .playing(let nextPull) = phase else { return play() }
        position?.next = buffer.first?.audio.timestamp ?? 0
        phase = .playing(nextPull: nextPull + Self.frameTime * Int64(left - 1))
        return nil
    }

    /// A gap in the numbers: packets are missing, and the one after the gap is here.
    private mutating func conceal(_ missing: Int, before first: AudioPacketBuffer.Packet) -> AudioReceiveStream.Output?
    {
        // What was made up while nothing was here has already stood for some of it.
        let paid = min(held, missing)
        held -= paid
        counts.framesConcealed &+= UInt64(paid)
        position?.next &+= Int64(paid) &* Self.frame
        let left = missing - paid
        if left == 0 {
            settleHeld(isSilence: false, isLate: true)
            return play()
        }
        counts.framesConcealed &+= 1
        if target.takeStretch(span: span) { return .lost }
        position?.next &+= Self.frame
        guard left == 1 else { return .lost }
        counts.framesRecoverable &+= 1
        return .lostBefore(first.audio)
    }

    /// Nothing is here: made up for 100 ms, then silence until something comes.
    private mutating func ranEmpty() -> AudioReceiveStream.Output? {
        guard position != nil, held < Self.longestHold else {
            phase = .idle
            return nil
        }
        held += 1
        return .lost
    }

    private mutating func settleHeld(isSilence: Bool, isLate: Bool) {
        guard held > 0 else { return }
        if isSilence { counts.framesSilent &+= UInt64(held) } else { counts.framesConcealed &+= UInt64(held) }
        if isLate { target.ranEmpty(for: held) }
        held = 0
    }

    private mutating func play() -> AudioReceiveStream.Output? { buffer.removeFirst().map { play($0) } }

    private mutating func play(_ packet: AudioPacketBuffer.Packet) -> AudioReceiveStream.Output {
        held = 0
        move(past: packet)
        counts.framesPlayed &+= 1
        let next = buffer.first
        let isNext = next.map { $0.audio.timestamp &- packet.audio.timestamp == Self.frame } ?? false
        let isQuiet = next.map { $0.audio.isMuted || ($0.audio.level ?? 0) >= Self.quiet } ?? false
        if target.played(span: span, nextIsQuiet: isQuiet), isNext, let skipped = buffer.removeFirst() {
            move(past: skipped)
            counts.framesSkipped &+= 1
        }
        return .packet(packet.audio)
    }

    private mutating func move(past packet: AudioPacketBuffer.Packet) {
        position = Position(next: packet.audio.timestamp &+ Self.frame, sequence: packet.sequence)
    }

    /// Frames' time from the one due next to the end of the buffer, gaps included.
    private var span: Int {
        guard let position, let last = buffer.last else { return 0 }
        return max(0, min(Self.frames(from: position.next, to: last.audio.timestamp) + 1, AudioPacketBuffer.capacity))
    }

    /// After a stall everything comes at once: half a second more than the target is not played late but skipped.
    private mutating func cutExcess() {
        guard buffer.count > target.frames + Self.excess else { return }
        while buffer.count > target.frames + 1, let skipped = buffer.removeFirst() {
            move(past: skipped)
            counts.framesSkipped &+= 1
        }
        counts.framesConcealed &+= UInt64(held)
        held = 0
    }

    private mutating func dropLate() {
        while let position, let first = buffer.first, first.audio.timestamp < position.next &- Self.frame / 2 {
            _ = buffer.removeFirst()
            counts.latePackets &+= 1
        }
    }

    /// The next packet starts anew, and no jump is counted.
    mutating func reset() {
        counts.flushedPackets &+= UInt64(buffer.removeAll())
        position = nil
        held = 0
        phase = .idle
        target = PlayoutTarget()
    }

    /// What was played, made up and dropped; the counts of reception are not in it.
    var statistics: AudioReceiveStatistics {
        var statistics = counts
        statistics.bufferedFrames = buffer.count
        statistics.targetFrames = target.frames
        return statistics
    }

    /// Frames from one timestamp to another, rounded to the nearest.
    private static func frames(from start: Int64, to end: Int64) -> Int {
        let ticks = max(-longest, min(end &- start, longest))
        let (quotient, rest) = (ticks + frame / 2).quotientAndRemainder(dividingBy: frame)
        return Int(rest < 0 ? quotient - 1 : quotient)
    }

    private static let frame = OpusPacket.frameSamples
    private static let frameTime = Interval.milliseconds(20)
    /// A second: a greater step of the timestamps is no gap to be filled.
    private static let jump: Int64 = 48_000
    private static let longest: Int64 = 1 << 40
    private static let longStall = Interval.seconds(Int64(1))
    /// 100 ms.
    private static let longestHold = 5
    private static let excess = 25
    /// −50 dBov.
    private static let quiet: UInt8 = 50
}
