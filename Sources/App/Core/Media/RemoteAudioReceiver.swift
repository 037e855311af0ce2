// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueMedia
import RevuePorts
import RevueTime

/// One audio publication of a peer, from its packets to the renderers of its track and the loudspeaker.
final class RemoteAudioReceiver: Sendable {
    private struct State {
        var stream: AudioReceiveStream
        var decoder: (any AudioDecoder)?
        var timer: (any LaneTimer)?
        var timerDeadline: Instant?
        var isClosed = false
    }

    let id: PublicationID
    let ssrc: UInt32
    let track: RemoteAudioTrack
    private let media: PeerMedia
    private let playback: PlaybackMixer?
    private let speech: SpeechMonitor?
    private let scheduler: any Scheduler
    private let lane: any Lane
    private let state: Locked<State>

    init(
        _ id: PublicationID, _ stream: StreamDescription, media: PeerMedia, playback: PlaybackMixer?,
        speech: SpeechMonitor?
    ) {
        self.id = id
        ssrc = stream.ssrc
        self.media = media
        self.playback = playback
        self.speech = speech
        scheduler = media.adapters.scheduler
        lane = scheduler.makeLane("audio decoder")
        track = RemoteAudioTrack(stream, sid: "\(stream.trackName)-\(id.rawValue)")
        let payloadType = stream.formats.first { $0.codec == .opus }?.payloadType ?? MediaPayload.opus.rawValue
        state = Locked(State(stream: AudioReceiveStream(ssrc: stream.ssrc, payloadType: payloadType)))
    }

    var statistics: AudioReceiveStatistics { state.withLock { $0.stream.statistics } }

    func report(at now: Instant) -> ReportBlock { state.withLock { $0.stream.reportBlock(at: now) } }

    func receive(_ packet: UnsafeRawBufferPointer, _ header: RTPHeader) -> PacketVerdict {
        let now = scheduler.now
        return state.withLock { state in
            let verdict = state.stream.receive(packet, header: header, at: now)
            arm(&state)
            return verdict
        }
    }

    func received(_ info: SenderInfo, at now: Instant) { state.withLock { $0.stream.received(info, at: now) } }

    func reset() {
        state.withLock { state in
            state.stream.reset()
            arm(&state)
        }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.timer?.cancel()
            state.timer = nil
        }
        playback?.remove(track.sid)
        track.end()
    }

    private func arm(_ state: inout State) {
        guard state.stream.nextDeadline != state.timerDeadline else { return }
        state.timer?.cancel()
        state.timer = nil
        state.timerDeadline = state.stream.nextDeadline
        guard !state.isClosed, let deadline = state.timerDeadline else { return }
        state.timer = lane.schedule(at: deadline) { [weak self] in self?.play() }
    }

    private func play() {
        let now = scheduler.now
        while true {
            let output = state.withLock { state in
                state.timerDeadline = nil
                return state.stream.pull(at: now)
            }
            guard let output else { break }
            play(output)
        }
        state.withLock { arm(&$0) }
    }

    private func play(_ output: AudioReceiveStream.Output) {
        if case .packet(let packet) = output { received(packet) }
        guard track.isHandled else { return }
        let input: AudioDecoderInput =
            switch output {
            case .packet(let packet): .packet(packet.bytes)
            case .lostBefore(let packet): .lostBefore(packet.bytes)
            case .lost: .lost
            }
        do throws(CodecError) {
            let sound = try decoder().decode(input)
            track.apply(gainTo: sound)
            track.play(sound)
            playback?.play(sound, from: track.sid)
        } catch {
            // The next packet is whole in itself; the frame stays silent.
            state.withLock { $0.decoder = nil }
        }
    }

    /// The level is the sender's own; a muted sender does not speak, whatever it claims.
    private func received(_ packet: IncomingAudio) {
        track.received(packet.bytes, at: scheduler.now)
        guard let level = packet.level, !packet.isMuted else { return }
        speech?.heard(media.peer, level: level, lasting: AudioFrame.duration)
    }

    private func decoder() throws(CodecError) -> any AudioDecoder {
        if let known = state.withLock({ $0.decoder }) { return known }
        let decoder = try media.adapters.audioCodecs.makeDecoder(channels: 2)
        state.withLock { $0.decoder = decoder }
        return decoder
    }
}
