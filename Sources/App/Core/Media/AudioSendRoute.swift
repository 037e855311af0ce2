// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueMedia
import RevuePorts
import RevueTime

/// One audio publication on its way to one peer.
final class AudioSendRoute: Sendable {
    private struct State {
        var stream: AudioSendStream
        var content: OutletContent = .nothing
        var lastTime: Instant?
        let slot = PacketSlot()
    }

    let id: PublicationID
    let peer: PeerID
    let ssrc: UInt32
    private let media: PeerMedia
    private let scheduler: any Scheduler
    private let state: Locked<State>

    init(_ publication: LocalPublication, _ media: PeerMedia, adapters: Adapters) {
        id = publication.id
        peer = publication.peer
        ssrc = publication.stream.ssrc
        self.media = media
        scheduler = adapters.scheduler
        var generator = SeededGenerator(seed: adapters.scheduler.randomSeed())
        state = Locked(
            State(
                stream: AudioSendStream(
                    ssrc: publication.stream.ssrc, timestampOffset: publication.timestampOffset,
                    generator: &generator)))
    }

    var content: OutletContent {
        get { state.withLock { $0.content } }
        set { state.withLock { $0.content = newValue } }
    }

    /// Frames sent, silence included.
    var framesSent: UInt64 { state.withLock { UInt64($0.stream.packetsSent) } }

    /// What the stream's sender report says: an instant on the media clock and by the wall clock.
    func senderInfo(at now: Instant, ntp: UInt64) -> SenderInfo {
        state.withLock { $0.stream.senderInfo(at: now, ntp: ntp) }
    }

    func close() { media.removeSender(id) }

    /// Sends a frame, unless something else goes into this stream now.
    ///
    /// Track and silence keep clocks of their own, so each frame is put on the stream's grid of 20 ms: never earlier than
    /// the one before it, and at most half a frame from its own time.
    func send(_ packet: [UInt8], capturedAt time: Instant, level: UInt8, isSilence: Bool) {
        let wall = scheduler.wallClockNanoseconds - (scheduler.now - time).nanoseconds
        state.withLock { state in
            guard state.content == (isSilence ? .placeholder : .media) else { return }
            let onGrid = Self.onGrid(time, after: state.lastTime)
            state.lastTime = onGrid
            let count = packet.withUnsafeBytes { bytes in
                state.stream.packet(
                    bytes, captureTime: onGrid, captureNTP: NTPTime.at(unixNanoseconds: wall), level: level,
                    isVoice: level < 127, isMuted: isSilence, into: state.slot.bytes)
            }
            if let count { media.send(state.slot.prefix(count)) }
        }
    }

    private static func onGrid(_ time: Instant, after last: Instant?) -> Instant {
        guard let last else { return time }
        let frame = AudioFrame.duration.nanoseconds
        let steps = max(1, ((time - last).nanoseconds + frame / 2) / frame)
        return last + AudioFrame.duration * steps
    }
}
