// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

extension MediaPlane {
    /// Everything that statistics can be made of now, in a fixed order.
    func measurements(paths: (PeerID) -> Paths) -> [Measurement] {
        let (videos, audios) = fanouts
        var result: [Measurement] = []
        for fanout in videos { result += fanout.measurements }
        for fanout in audios { result += fanout.measurements }
        for peer in connectedPeers {
            guard let media = peerMedia(peer) else { continue }
            let pair = media.connectionStatistics(paths: FriendConnectionPaths(paths(peer)))
            result += media.measurements(pair)
        }
        return result
    }
}

extension VideoFanout {
    /// The track's capture, then what goes to each recipient.
    var measurements: [Measurement] {
        var result: [Measurement] = []
        if let source = captured {
            result.append(
                Measurement(key: .track(trackID), frames: source.frames) { rate in
                    TrackStatistics(
                        videoSource: VideoSourceStatistics(width: source.width, height: source.height, fps: rate))
                })
        }
        for route in routes {
            let (size, mimeType) = (route.size, route.mimeType)
            result.append(
                Measurement(key: .local(route.id), frames: route.framesSent) { rate in
                    TrackStatistics(
                        codec: CodecStatistics(mimeType: mimeType),
                        outboundRtp: OutboundStatistics(width: size?.width, height: size?.height, fps: rate))
                })
        }
        return result
    }
}

extension AudioFanout {
    /// What goes to each recipient.
    var measurements: [Measurement] {
        routes.map { route in
            Measurement(key: .local(route.id), frames: route.framesSent) { rate in
                TrackStatistics(outboundRtp: OutboundStatistics(audioFrameRate: rate))
            }
        }
    }
}

extension PeerMedia {
    /// The connection, the same for all tracks of the peer.
    func connectionStatistics(paths: FriendConnectionPaths) -> IceCandidatePairStatistics {
        let (reception, roundTrip) = (reception, roundTrip)
        let packets = reception.packetsReceived + reception.packetsLost
        return IceCandidatePairStatistics(
            connectionType: paths.connectionType,
            quality: IceCandidatePairStatistics.Quality(
                rttMs: roundTrip.map { Int32(clamping: Int64($0.milliseconds.rounded())) } ?? -1,
                jitterMs: UInt32(clamping: Int64(reception.jitter.milliseconds.rounded())),
                packetLossRate: packets == 0 ? 0 : Float(reception.packetsLost) * 100 / Float(packets)),
            traffic: traffic.statistics)
    }

    func measurements(_ pair: IceCandidatePairStatistics) -> [Measurement] {
        currentReceivers.map { receiver in
            switch receiver {
            case .video(let video):
                let (track, id) = (video.track, video.id)
                let counts = track.frameCounts
                return Measurement(key: .remote(peer, id), frames: counts.received) { rate in
                    let freezes = track.freezes
                    return TrackStatistics(
                        codec: track.mimeType.map(CodecStatistics.init(mimeType:)), iceCandidatePair: pair,
                        inboundRtp: InboundStatistics(
                            width: track.dimensions.map { Int($0.width) },
                            height: track.dimensions.map { Int($0.height) },
                            fps: rate, framesReceived: counts.received, framesRendered: counts.rendered,
                            freezeCount: freezes.count, totalFreezesDuration: freezes.total.seconds))
                }
            case .audio(let audio):
                let (track, id) = (audio.track, audio.id)
                return Measurement(key: .remote(peer, id), frames: track.framesReceived) { rate in
                    TrackStatistics(
                        iceCandidatePair: pair,
                        inboundRtp: InboundStatistics(audioFrameRate: rate, audioLevel: track.lastLevel))
                }
            }
        }
    }
}
