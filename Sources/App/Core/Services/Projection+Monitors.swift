// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain
import RevuePorts

/// Who speaks, how good connections are, and statistics.
extension Projection {
    func speakerSteps(_ change: SpeakerList.Change, _ speakers: [SpeakerList.Speaker]) -> [Step] {
        guard let driver else { return [] }
        let date = Date(timeIntervalSince1970: Double(driver.adapters.scheduler.wallClockNanoseconds) / 1e9)
        let list = speakers.compactMap { speaker in participant(speaker.peer).map { ($0, speaker.level) } }
        var steps: [Step] = [
            { [self] in
                room.activeSpeakers = list.map(\.0)
                for participant in room.allParticipants {
                    let level = list.first { $0.0 === participant }?.1 ?? 0
                    if participant.audioLevel != level { participant.audioLevel = level }
                }
                for (peer, isSpeaking) in change.flips {
                    participant(peer)?.isSpeaking = isSpeaking
                    if isSpeaking { participant(peer)?.lastSpokeAt = date }
                }
            }
        ]
        if change.list != nil {
            steps += room.delegates.steps { [room] in $0.room(room, didUpdateSpeakingParticipants: list.map(\.0)) }
        }
        for (peer, isSpeaking) in change.flips {
            guard let participant = participant(peer) else { continue }
            steps += participant.delegates.steps { $0.participant(participant, didUpdateIsSpeaking: isSpeaking) }
        }
        return steps
    }

    func statisticsSteps(_ report: StatisticsReport) -> [Step] {
        report.qualities.flatMap { peer, quality in qualitySteps(peer, quality) }
            + report.statistics.flatMap { key, statistics in steps(for: statistics, of: key) }
    }

    private func qualitySteps(_ peer: PeerID, _ quality: ConnectionQuality) -> [Step] {
        guard let participant = participants[peer] else { return [] }
        return both(
            participant, { participant.connectionQuality = quality },
            { [room] in $0.room(room, participant: participant, didUpdateConnectionQuality: quality) },
            { $0.participant(participant, didUpdateConnectionQuality: quality) })
    }

    private func steps(for statistics: TrackStatistics, of key: StatisticsKey) -> [Step] {
        switch key {
        case .track(let id):
            let track = driver?.track(id)
            return [{ track?.statistics = statistics }]
        case .local(let id):
            guard let local = room.localParticipant, let object = localPublication(id) else { return [] }
            return publicationSteps(local, object, statistics, nil)
        case .remote(let peer, let id):
            guard let participant = participants[peer], let object = remotePublication(id, of: peer) else { return [] }
            return publicationSteps(participant, object, statistics, object.track)
        }
    }

    private func publicationSteps(
        _ participant: Participant, _ object: TrackPublication, _ statistics: TrackStatistics, _ track: Track?
    ) -> [Step] {
        both(
            participant,
            {
                object.statistics = statistics
                track?.statistics = statistics
            },
            { [room] in
                $0.room(room, participant: participant, trackPublication: object, didUpdateStatistics: statistics)
            },
            { $0.participant(participant, trackPublication: object, didUpdateStatistics: statistics) })
    }

    private func participant(_ peer: PeerID) -> Participant? {
        if let remote = participants[peer] { return remote }
        guard let local = room.localParticipant, local.peer == peer else { return nil }
        return local
    }
}
