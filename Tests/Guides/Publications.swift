// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor func receivers(_ local: LocalParticipant) {
    for publication in local.localVideoTracks {
        print(publication.sid, publication.mimeType ?? "-", publication.isMuted ? "muted" : "")
    }
}

@MainActor func rest(_ participant: RemoteParticipant) {
    for case let publication as RemoteTrackPublication in participant.videoTracks {
        publication.set(enabled: false)
    }
}
