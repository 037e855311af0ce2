// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor final class Meter: RoomDelegate {
    func room(
        _ room: Room, participant: Participant, trackPublication: TrackPublication,
        didUpdateStatistics statistics: TrackStatistics
    ) {
        if let link = statistics.iceCandidatePair, link.isReliable {
            print("\(link.rttMs) ms, \(link.packetLossRate) % lost")
        }
        if let picture = statistics.inboundRtp, let fps = picture.fps {
            print("\(fps) pictures a second, frozen \(picture.freezeCount) times")
        }
    }
}

@MainActor func measure(_ room: Room) -> Meter {
    let meter = Meter()
    room.delegates.add(delegate: meter)
    room.reportStatistics = true
    return meter
}
