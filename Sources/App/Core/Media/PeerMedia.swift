// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueMedia
import RevuePorts
import RevueTime

/// The media of one call: its RTCP, and the streams that come from the peer.
///
/// Packets are parsed and put in order where they arrive, on the transport's thread: a few microseconds under a lock that
/// only a timer of the same stream ever contends for. What a packet completes goes to a lane of its own.
final class PeerMedia: Sendable {
    private struct State {
        var receivers: [Receiver] = []
        var senders: [Sender] = []
        var keepAlive = KeepAliveExchange()
        var lastHeard: Instant?
        var isClosed = false
        var unknownStreams: UInt64 = 0
        var malformed: UInt64 = 0
        var traffic = PeerTraffic()
    }

    enum Receiver {
        case video(RemoteVideoReceiver)
        case audio(RemoteAudioReceiver)

        var id: PublicationID {
            switch self {
            case .video(let receiver): receiver.id
            case .audio(let receiver): receiver.id
            }
        }
        /// Whether it takes packets of this SSRC.
        func takes(_ ssrc: UInt32) -> Bool {
            switch self {
            case .video(let receiver): receiver.ssrc == ssrc || receiver.retransmissionSSRC == ssrc
            case .audio(let receiver): receiver.ssrc == ssrc
            }
        }
    }

    enum Sender {
        case video(VideoSendRoute)
        case audio(AudioSendRoute)

        var id: PublicationID {
            switch self {
            case .video(let route): route.id
            case .audio(let route): route.id
            }
        }

        /// What the stream's sender report says now; nil when nothing was sent.
        func report(at now: Instant, ntp: UInt64) -> (ssrc: UInt32, info: SenderInfo)? {
            let (ssrc, info) =
                switch self {
                case .video(let route): (route.ssrc, route.senderInfo(at: now, ntp: ntp))
                case .audio(let route): (route.ssrc, route.senderInfo(at: now, ntp: ntp))
                }
            return info.packetCount == 0 ? nil : (ssrc, info)
        }
    }

    let peer: PeerID
    let adapters: Adapters
    private let transport: any Transport
    private let heard: (@Sendable (PeerID) -> Void)?
    private let state = Locked(State())
    private let rtcpSlot = Locked(PacketSlot())
    /// The SSRC that our RTCP packets bear when we send no stream.
    private let ownSSRC: UInt32

    init(peer: PeerID, adapters: Adapters, transport: any Transport, heard: (@Sendable (PeerID) -> Void)?) {
        self.peer = peer
        self.adapters = adapters
        self.transport = transport
        self.heard = heard
        ownSSRC = UInt32(truncatingIfNeeded: adapters.scheduler.randomSeed()) | 1
    }

    var roundTrip: Interval? { state.withLock { $0.keepAlive.roundTrip } }

    func close() {
        let receivers = state.withLock { state in
            state.isClosed = true
            state.senders = []
            defer { state.receivers = [] }
            return state.receivers
        }
        for receiver in receivers { close(receiver) }
    }

    func send(_ packet: UnsafeRawBufferPointer) {
        guard transport.send(packet, to: peer) else { return }
        state.withLock { state in
            state.traffic.packetsSent &+= 1
            state.traffic.bytesSent &+= UInt64(packet.count)
        }
    }

    /// What went and came since the call began.
    var traffic: PeerTraffic { state.withLock { $0.traffic } }

    /// How all streams of the peer arrive.
    var reception: Reception {
        var reception = Reception()
        for receiver in currentReceivers {
            switch receiver {
            case .video(let video):
                let statistics = video.statistics
                reception.add(
                    received: statistics.packetsReceived, lost: statistics.packetsLost, jitter: statistics.jitter)
            case .audio(let audio):
                let statistics = audio.statistics
                reception.add(
                    received: statistics.packetsReceived, lost: statistics.packetsLost, jitter: statistics.jitter)
            }
        }
        return reception
    }

    var currentReceivers: [Receiver] { state.withLock { $0.receivers } }

    // MARK: - Streams

    /// A stream that we send: the peer is told its clock, and may ask a video for packets and keyframes.
    func add(_ sender: Sender) { state.withLock { $0.senders.append(sender) } }
    func removeSender(_ id: PublicationID) { state.withLock { $0.senders.removeAll { $0.id == id } } }

    func startReceiving(
        _ stream: StreamDescription, _ id: PublicationID, playback: PlaybackMixer?, speech: SpeechMonitor?
    ) {
        stopReceiving(id)
        let receiver: Receiver =
            switch stream.kind {
            case .video: .video(RemoteVideoReceiver(id, stream, media: self))
            case .audio: .audio(RemoteAudioReceiver(id, stream, media: self, playback: playback, speech: speech))
            }
        state.withLock { if !$0.isClosed { $0.receivers.append(receiver) } }
    }

    func stopReceiving(_ id: PublicationID) {
        let gone = state.withLock { state in
            defer { state.receivers.removeAll { $0.id == id } }
            return state.receivers.filter { $0.id == id }
        }
        for receiver in gone { close(receiver) }
    }

    func receiver(of id: PublicationID) -> Receiver? { state.withLock { $0.receivers.first { $0.id == id } } }

    /// Packets come again after a while without: what was half received will not be completed.
    func pathReturned() {
        for receiver in state.withLock({ $0.receivers }) {
            switch receiver {
            case .video(let receiver): receiver.reset()
            case .audio(let receiver): receiver.reset()
            }
        }
    }

    private func close(_ receiver: Receiver) {
        switch receiver {
        case .video(let receiver): receiver.close()
        case .audio(let receiver): receiver.close()
        }
    }

    // MARK: - Packets

    func receive(rtp packet: UnsafeRawBufferPointer) {
        count(packet)
        let header: RTPHeader
        do {
            header = try RTPHeader.parse(packet)
        } catch {
            return state.withLock { $0.malformed &+= 1 }
        }
        guard let receiver = state.withLock({ $0.receivers.first { $0.takes(header.ssrc) } }) else {
            return state.withLock { $0.unknownStreams &+= 1 }
        }
        let verdict: PacketVerdict =
            switch receiver {
            case .video(let receiver): receiver.receive(packet, header)
            case .audio(let receiver): receiver.receive(packet, header)
            }
        if verdict == .accepted { reportHeard() }
    }

    func receive(rtcp packet: UnsafeRawBufferPointer) {
        count(packet)
        var reader = RTCPReader(packet)
        var isFresh = false
        var roundTrip: Interval?
        var wanted: [VideoSendRoute] = []
        do {
            while let item = try reader.next() {
                switch item {
                case .application(_, let keepAlive):
                    let now = adapters.scheduler.now
                    if case .fresh(let measured) = state.withLock({ $0.keepAlive.receive(keepAlive, at: now) }) {
                        isFresh = true
                        roundTrip = measured
                    }
                case .pictureLossIndication(_, let media): wanted += routes(sending: [media])
                case .fullIntraRequest(_, let entries): wanted += routes(sending: entries.map(\.media))
                case .senderReport(let ssrc, let info, _): received(info, of: ssrc)
                case .genericNACK(_, let media, let numbers):
                    for route in routes(sending: [media]) { route.packetsWanted(numbers) }
                default: break
                }
            }
        } catch {
            state.withLock { $0.malformed &+= 1 }
        }
        if isFresh { reportHeard() }
        if let roundTrip { measured(roundTrip) }
        for route in wanted { route.keyframeWanted() }
    }

    private func received(_ info: SenderInfo, of ssrc: UInt32) {
        let now = adapters.scheduler.now
        for receiver in currentReceivers {
            switch receiver {
            case .video(let receiver) where receiver.ssrc == ssrc: receiver.received(info, at: now)
            case .audio(let receiver) where receiver.ssrc == ssrc: receiver.received(info, at: now)
            case .video, .audio: break
            }
        }
    }

    private func measured(_ roundTrip: Interval) {
        let (senders, receivers) = state.withLock { ($0.senders, $0.receivers) }
        for case .video(let route) in senders { route.measured(roundTrip: roundTrip) }
        for case .video(let receiver) in receivers { receiver.measured(roundTrip: roundTrip) }
    }

    private func count(_ packet: UnsafeRawBufferPointer) {
        state.withLock { state in
            state.traffic.packetsReceived &+= 1
            state.traffic.bytesReceived &+= UInt64(packet.count)
        }
    }

    private func routes(sending ssrcs: [UInt32]) -> [VideoSendRoute] {
        state.withLock { $0.senders }.compactMap { sender in
            if case .video(let route) = sender, ssrcs.contains(route.ssrc) { route } else { nil }
        }
    }

    private func reportHeard() {
        let now = adapters.scheduler.now
        let isDue = state.withLock { state in
            if let last = state.lastHeard, now - last < .milliseconds(250) { return false }
            state.lastHeard = now
            return true
        }
        if isDue { heard?(peer) }
    }

    // MARK: - RTCP

    /// A compound packet with reception reports and the keep-alive that shows the peer that we live; then, for each stream
    /// that we send, a sender report that ties its clock to the wall clock.
    func sendKeepAlive() {
        let now = adapters.scheduler.now
        let (keepAlive, receivers, senders) = state.withLock { ($0.keepAlive.next(at: now), $0.receivers, $0.senders) }
        let reports = receivers.map { receiver in
            switch receiver {
            case .video(let receiver): receiver.report(at: now)
            case .audio(let receiver): receiver.report(at: now)
            }
        }
        sendCompound(reports) { _ = $0.append(keepAlive) }
        let ntp = NTPTime.at(unixNanoseconds: adapters.scheduler.wallClockNanoseconds)
        for sender in senders {
            if let report = sender.report(at: now, ntp: ntp) {
                sendCompound(from: report.ssrc, info: report.info) { _ in }
            }
        }
    }

    func sendPictureLossIndication(for ssrc: UInt32) {
        sendCompound { _ = $0.appendPictureLossIndication(media: ssrc) }
    }

    /// Asks for packets of a stream again, in as many datagrams as their numbers need.
    func sendGenericNACK(for ssrc: UInt32, _ missing: [Int64]) {
        var left = missing[...]
        while !left.isEmpty {
            var written = 0
            sendCompound { written = $0.appendGenericNACK(media: ssrc, missing: Array(left)) }
            guard written > 0 else { return }
            left = left.dropFirst(written)
        }
    }

    private func sendCompound(
        _ reports: [ReportBlock] = [], from ssrc: UInt32? = nil, info: SenderInfo? = nil,
        _ fill: (inout RTCPWriter) -> Void
    ) {
        rtcpSlot.withLock { slot in
            guard
                var writer = RTCPWriter(into: slot.bytes, ssrc: ssrc ?? ownSSRC, info: info, reports: reports)
            else { return }
            fill(&writer)
            send(slot.prefix(writer.count))
        }
    }
}
