// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueMedia
import RevuePorts
import RevueTime

/// All media of an instance: one `PeerMedia` for each call, one fan-out for each local track that is published.
///
/// Packets run from the transport's thread to a decoder lane and from an encoder lane to the transport; nothing here
/// passes through `core` or main, and nothing waits for a renderer.
final class MediaPlane: Sendable {
    private struct State {
        var peers: [PeerID: PeerMedia] = [:]
        var videoFanouts: [TrackID: VideoFanout] = [:]
        var audioFanouts: [TrackID: AudioFanout] = [:]
        var trackOfPublication: [PublicationID: TrackID] = [:]
        var heard: (@Sendable (PeerID) -> Void)?
        weak var speech: SpeechMonitor?
        var strayPackets: UInt64 = 0

        // A dictionary's own order differs from process to process; a simulation must not.
        var sortedVideoFanouts: [VideoFanout] { videoFanouts.sorted { $0.key < $1.key }.map(\.value) }
        var sortedAudioFanouts: [AudioFanout] { audioFanouts.sorted { $0.key < $1.key }.map(\.value) }
    }

    let adapters: Adapters
    let transport: any Transport
    let log: @Sendable (LogLine) -> Void
    let playback: PlaybackMixer
    private let state = Locked(State())

    init(adapters: Adapters, transport: any Transport, log: @escaping @Sendable (LogLine) -> Void) {
        self.adapters = adapters
        self.transport = transport
        self.log = log
        playback = PlaybackMixer(sink: adapters.audioSink, scheduler: adapters.scheduler)
    }

    /// An instance may be let go of in the middle of a call: peers and their streams hold each other until they are closed.
    deinit { closeAll() }

    /// Called, at most four times a second a peer, when a fresh packet of a peer came.
    var heard: (@Sendable (PeerID) -> Void)? {
        get { state.withLock { $0.heard } }
        set { state.withLock { $0.heard = newValue } }
    }

    /// Who takes the levels of what is heard.
    var speech: SpeechMonitor? {
        get { state.withLock { $0.speech } }
        set { state.withLock { $0.speech = newValue } }
    }

    /// Everyone in a call, in the order of their keys.
    var connectedPeers: [PeerID] { state.withLock { $0.peers.keys.sorted() } }

    /// The fan-outs of everything that is published, in the order of their tracks.
    var fanouts: ([VideoFanout], [AudioFanout]) { state.withLock { ($0.sortedVideoFanouts, $0.sortedAudioFanouts) } }

    /// Packets of peers that are in no call.
    var strayPackets: UInt64 { state.withLock { $0.strayPackets } }

    // MARK: - Calls

    func open(_ peer: PeerID) {
        let media = PeerMedia(peer: peer, adapters: adapters, transport: transport, heard: heard)
        state.withLock { $0.peers[peer] = media }
    }

    func close(_ peer: PeerID) {
        let media = state.withLock { $0.peers.removeValue(forKey: peer) }
        media?.close()
    }

    func closeAll() {
        let (peers, videos, audios) = state.withLock { state in
            defer {
                state.peers = [:]
                state.videoFanouts = [:]
                state.audioFanouts = [:]
                state.trackOfPublication = [:]
                state.heard = nil
            }
            return (
                state.peers.sorted { $0.key < $1.key }.map(\.value), state.sortedVideoFanouts, state.sortedAudioFanouts
            )
        }
        for peer in peers { peer.close() }
        for fanout in videos { fanout.close() }
        for fanout in audios { fanout.close() }
        playback.close()
    }

    func peerMedia(_ peer: PeerID) -> PeerMedia? { state.withLock { $0.peers[peer] } }

    func sendKeepAlive(to peer: PeerID) { peerMedia(peer)?.sendKeepAlive() }

    // MARK: - Sending

    func startSending(_ publication: LocalPublication, _ specification: SendSpecification, _ content: OutletContent) {
        guard let media = peerMedia(publication.peer) else { return }
        state.withLock { $0.trackOfPublication[publication.id] = publication.track }
        switch specification {
        case .video(let track, let options):
            let route = VideoSendRoute(publication, media, adapters: adapters)
            media.add(.video(route))
            videoFanout(of: track).add(route, options, content)
        case .audio(let track, let options):
            let route = AudioSendRoute(publication, media, adapters: adapters)
            media.add(.audio(route))
            audioFanout(of: track).add(route, options, content)
        }
    }

    func setOutlet(_ id: PublicationID, _ content: OutletContent) {
        switch fanout(of: id) {
        case .video(let fanout): fanout.setContent(content, of: id)
        case .audio(let fanout): fanout.setContent(content, of: id)
        case nil: break
        }
    }

    func update(_ id: PublicationID, _ specification: SendSpecification) {
        switch (fanout(of: id), specification) {
        case (.video(let fanout), .video(_, let options)): fanout.update(id, options)
        case (.audio(let fanout), .audio(_, let options)): fanout.update(id, options)
        default: break
        }
    }

    /// The size of the pictures that go to one recipient now.
    func size(of id: PublicationID) -> (width: Int, height: Int)? {
        if case .video(let fanout) = fanout(of: id) { fanout.size(of: id) } else { nil }
    }

    func requestKeyframe(_ id: PublicationID) {
        if case .video(let fanout) = fanout(of: id) { fanout.requestKeyframe(of: id) }
    }

    func stopSending(_ id: PublicationID) {
        let fanout = fanout(of: id)
        state.withLock { $0.trackOfPublication[id] = nil }
        switch fanout {
        case .video(let fanout):
            fanout.remove(id)
            if fanout.isEmpty { forget(fanout) }
        case .audio(let fanout):
            fanout.remove(id)
            if fanout.isEmpty { forget(fanout) }
        case nil: break
        }
    }

    func refresh(_ peer: PeerID) {
        let (media, fanouts) = state.withLock { ($0.peers[peer], $0.sortedVideoFanouts) }
        media?.pathReturned()
        for fanout in fanouts { fanout.requestKeyframe(forPeer: peer) }
    }

    private enum Fanout {
        case video(VideoFanout)
        case audio(AudioFanout)
    }

    private func fanout(of id: PublicationID) -> Fanout? {
        state.withLock { state in
            guard let track = state.trackOfPublication[id] else { return nil }
            if let video = state.videoFanouts[track] { return .video(video) }
            return state.audioFanouts[track].map(Fanout.audio)
        }
    }

    private func videoFanout(of track: LocalVideoTrack) -> VideoFanout {
        if let known = state.withLock({ $0.videoFanouts[track.trackID] }) { return known }
        let fanout = VideoFanout(track: track, adapters: adapters, log: log)
        state.withLock { $0.videoFanouts[track.trackID] = fanout }
        track.attach(fanout)
        return fanout
    }

    private func audioFanout(of track: LocalAudioTrack) -> AudioFanout {
        if let known = state.withLock({ $0.audioFanouts[track.trackID] }) { return known }
        let fanout = AudioFanout(track: track, adapters: adapters, log: log)
        state.withLock { $0.audioFanouts[track.trackID] = fanout }
        track.attach(fanout)
        return fanout
    }

    private func forget(_ fanout: VideoFanout) {
        state.withLock { $0.videoFanouts[fanout.trackID] = nil }
        fanout.close()
    }

    private func forget(_ fanout: AudioFanout) {
        state.withLock { $0.audioFanouts[fanout.trackID] = nil }
        fanout.close()
    }

    // MARK: - Receiving

    func startReceiving(_ stream: StreamDescription, _ id: PublicationID, from peer: PeerID) {
        peerMedia(peer)?.startReceiving(stream, id, playback: playback, speech: speech)
    }

    func stopReceiving(_ id: PublicationID, from peer: PeerID) { peerMedia(peer)?.stopReceiving(id) }

    /// The track that a peer's publication fills.
    func remoteTrack(_ id: PublicationID, of peer: PeerID) -> Track? {
        switch peerMedia(peer)?.receiver(of: id) {
        case .video(let receiver): receiver.track
        case .audio(let receiver): receiver.track
        case nil: nil
        }
    }

    func receive(rtp packet: UnsafeRawBufferPointer, from peer: PeerID) {
        guard let media = peerMedia(peer) else { return state.withLock { $0.strayPackets &+= 1 } }
        media.receive(rtp: packet)
    }

    func receive(rtcp packet: UnsafeRawBufferPointer, from peer: PeerID) {
        guard let media = peerMedia(peer) else { return state.withLock { $0.strayPackets &+= 1 } }
        media.receive(rtcp: packet)
    }
}
