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
        // Changes that were told as one may cancel each other out.
        let flips = change.flips.compactMap { peer, isSpeaking in
            participant(peer).flatMap { $0.isSpeaking == isSpeaking ? nil : ($0, isSpeaking) }
        }
        var steps: [Step] = [
            { [room] in
                room.activeSpeakers = list.map(\.0)
                for participant in room.allParticipants {
                    let level = list.first { $0.0 === participant }?.1 ?? 0
                    if participant.audioLevel != level { participant.audioLevel = level }
                }
                for (participant, isSpeaking) in flips {
                    participant.isSpeaking = isSpeaking
                    if isSpeaking { participant.lastSpokeAt = date }
                }
            }
        ]
        if change.list != nil { steps += roomSteps(nil, .speakersChanged(list.map(\.0))) }
        for (participant, isSpeaking) in flips {
            let event = RoomEvent.speakingChanged(participant, isSpeaking: isSpeaking)
            steps += [{ [room] in room.feed.send(event) }] + participant.delegates.steps { event.tell($0) }
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
            participant, { participant.connectionQuality = quality }, .connectionQualityChanged(participant, quality))
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
            }, .statisticsChanged(participant, object, statistics))
    }

    private func participant(_ peer: PeerID) -> Participant? {
        if let remote = participants[peer] { return remote }
        guard let local = room.localParticipant, local.peer == peer else { return nil }
        return local
    }
}
