// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// How one publication is encoded, and which track fills it.
enum SendSpecification: Sendable {
    case video(LocalVideoTrack, VideoPublishOptions)
    case audio(LocalAudioTrack, AudioPublishOptions)
}
