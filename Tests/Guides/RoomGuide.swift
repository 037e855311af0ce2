// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor func list(_ room: Room) {
    for participant in room.allParticipants {
        print(participant.name ?? participant.identity, participant.isCameraEnabled() ? "with a picture" : "")
    }
}

@MainActor final class MemberList: ObservableObject {
    @Published private(set) var names: [String] = []
    private var follow: AnyCancellable?

    init(_ room: Room) {
        follow = room.$remoteParticipants.sink { [weak self] everyone in
            MainActor.assumeIsolated { self?.names = everyone.values.map { $0.name ?? $0.identity }.sorted() }
        }
    }
}
