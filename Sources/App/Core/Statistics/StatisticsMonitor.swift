// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts
import RevueTime

/// Once a second, while there is a call: rates each connection, and, when asked to report, measures every publication.
final class StatisticsMonitor: Sendable {
    private struct PeerState {
        var score = ConnectionScore()
        var last = Reception()
        var reported = ConnectionScore.Level.unknown
    }

    private struct State {
        var peers: [PeerID: PeerState] = [:]
        var meters: [StatisticsKey: RateMeter] = [:]
        var last: [StatisticsKey: TrackStatistics] = [:]
        var isReporting = false
        var timer: (any LaneTimer)?
        var isClosed = false
    }

    private let scheduler: any Scheduler
    private let lane: any Lane
    private let media: MediaPlane
    private let read: @Sendable (PeerID) -> Paths
    private let changed: @Sendable (StatisticsReport) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - paths: the paths to a peer now.
    ///   - changed: hears of what differs from the second before.
    init(
        media: MediaPlane, scheduler: any Scheduler, paths: @escaping @Sendable (PeerID) -> Paths,
        changed: @escaping @Sendable (StatisticsReport) -> Void
    ) {
        self.media = media
        self.scheduler = scheduler
        read = paths
        self.changed = changed
        lane = scheduler.makeLane("statistics")
    }

    var isReporting: Bool {
        get { state.withLock { $0.isReporting } }
        set {
            state.withLock { state in
                state.isReporting = newValue
                (state.meters, state.last) = ([:], [:])
            }
        }
    }

    /// A call began or ended: there is something, or nothing more, to measure.
    func callsChanged() {
        let now = scheduler.now
        let peers = media.connectedPeers
        state.withLock { state in
            state.peers = state.peers.filter { peers.contains($0.key) }
            if peers.isEmpty {
                state.timer?.cancel()
                state.timer = nil
            } else {
                arm(&state, now)
            }
        }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func arm(_ state: inout State, _ now: Instant) {
        guard state.timer == nil, !state.isClosed else { return }
        state.timer = lane.schedule(at: now + .seconds(1 as Int64)) { [weak self] in self?.tick() }
    }

    private func tick() {
        let now = scheduler.now
        var report = StatisticsReport()
        for peer in media.connectedPeers { rate(peer, into: &report) }
        if isReporting { measure(now, into: &report) }
        if !report.isEmpty { changed(report) }
        state.withLock { state in
            state.timer = nil
            if !state.peers.isEmpty { arm(&state, now) }
        }
    }

    // MARK: - Quality

    private func rate(_ peer: PeerID, into report: inout StatisticsReport) {
        guard let peerMedia = media.peerMedia(peer) else { return }
        let (roundTrip, reception) = (peerMedia.roundTrip, peerMedia.reception)
        let paths = read(peer)
        let level: ConnectionScore.Level? = state.withLock { state in
            var peerState = state.peers[peer] ?? PeerState()
            defer { state.peers[peer] = peerState }
            peerState.score.update(sample(roundTrip, reception, since: peerState.last, paths))
            peerState.last = reception
            guard peerState.score.level != peerState.reported else { return nil }
            peerState.reported = peerState.score.level
            return peerState.reported
        }
        if let level { report.qualities.append((peer, ConnectionQuality(level))) }
    }

    private func sample(
        _ roundTrip: Interval?, _ now: Reception, since last: Reception, _ paths: Paths
    ) -> ConnectionScore.Sample? {
        guard let roundTrip, !paths.isEmpty else { return nil }
        return ConnectionScore.Sample(
            roundTrip: roundTrip.milliseconds, jitter: now.jitter.milliseconds,
            lossPercent: Self.lossPercent(now, since: last))
    }

    static func lossPercent(_ now: Reception, since last: Reception) -> Double {
        let lost = max(0, now.packetsLost - last.packetsLost)
        let received = max(0, now.packetsReceived - last.packetsReceived)
        return lost + received == 0 ? 0 : Double(lost) * 100 / Double(lost + received)
    }

    // MARK: - Publications

    private func measure(_ now: Instant, into report: inout StatisticsReport) {
        let items = media.measurements(paths: read)
        forgetOthers(than: Set(items.map(\.key)))
        for item in items {
            let statistics = state.withLock { state -> TrackStatistics? in
                var meter = state.meters[item.key] ?? RateMeter()
                let rate = meter.rate(item.frames, at: now)
                state.meters[item.key] = meter
                let statistics = item.statistics(rate: rate ?? 0)
                guard rate != nil, state.last[item.key] != statistics else { return nil }
                state.last[item.key] = statistics
                return statistics
            }
            if let statistics { report.statistics.append((item.key, statistics)) }
        }
    }

    /// What has ended leaves nothing behind.
    private func forgetOthers(than keys: Set<StatisticsKey>) {
        state.withLock { state in
            state.meters = state.meters.filter { keys.contains($0.key) }
            state.last = state.last.filter { keys.contains($0.key) }
        }
    }
}

/// What is measured: a local track's capture, or one publication of either side.
enum StatisticsKey: Hashable, Sendable {
    case track(TrackID)
    case local(PublicationID)
    case remote(PeerID, PublicationID)
}

/// A counter of frames, and what to make of its rate.
struct Measurement: Sendable {
    var key: StatisticsKey
    var frames: UInt64
    var make: @Sendable (Double) -> TrackStatistics

    func statistics(rate: Double) -> TrackStatistics { make(rate) }
}

/// What a second changed.
struct StatisticsReport: Sendable {
    var qualities: [(PeerID, ConnectionQuality)] = []
    var statistics: [(StatisticsKey, TrackStatistics)] = []

    var isEmpty: Bool { qualities.isEmpty && statistics.isEmpty }
}

extension ConnectionQuality {
    init(_ level: ConnectionScore.Level) {
        switch level {
        case .unknown: self = .unknown
        case .bad: self = .bad
        case .poor: self = .poor
        case .fair: self = .fair
        case .good: self = .good
        case .excellent: self = .excellent
        }
    }
}
