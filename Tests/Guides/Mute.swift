// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor func everyone(_ track: LocalVideoTrack) async throws {
    try await track.mute()
    try await track.unmute()
}

@MainActor func aside(_ publication: LocalTrackPublication) async throws {
    try await publication.mute()
    try await publication.unmute()
}

@MainActor func holdUp(_ track: LocalVideoTrack, _ picture: CVPixelBuffer) {
    track.mutePlaceholder = picture
}
