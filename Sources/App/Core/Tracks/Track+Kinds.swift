// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain

extension Track {
    /// Sound or pictures.
    public enum Kind: Int, Sendable {
        /// Sound.
        case audio = 0
        /// Pictures.
        case video = 1
    }

    /// Where a track's data comes from.
    public enum Source: String, Sendable {
        /// The publisher did not say.
        case unknown
        /// A camera.
        case camera
        /// A microphone.
        case microphone
        /// A shared screen.
        case screenShareVideo
        /// The sound of a shared screen.
        case screenShareAudio
    }

    /// Whether data flows: captured on a local track, received on a remote one.
    public enum TrackState: Int, Sendable {
        /// No data.
        case stopped = 0
        /// Data flows.
        case started = 1
    }

    /// The name of every camera track.
    public static let cameraName = "camera"
    /// The name of every microphone track.
    public static let microphoneName = "microphone"
    /// The name of every screen share.
    public static let screenShareVideoName = "screen_share"
    /// The name of the sound of every screen share.
    public static let screenShareAudioName = "screen_share_audio"
}

extension Track.Kind {
    init(_ kind: MediaKind) {
        switch kind {
        case .audio: self = .audio
        case .video: self = .video
        }
    }

    /// The domain's word for it.
    var mediaKind: MediaKind {
        switch self {
        case .audio: .audio
        case .video: .video
        }
    }
}

extension Track.Source {
    init(_ source: MediaSource) {
        switch source {
        case .unknown: self = .unknown
        case .camera: self = .camera
        case .microphone: self = .microphone
        case .screenShareVideo: self = .screenShareVideo
        case .screenShareAudio: self = .screenShareAudio
        }
    }

    /// The domain's word for it.
    var mediaSource: MediaSource {
        switch self {
        case .unknown: .unknown
        case .camera: .camera
        case .microphone: .microphone
        case .screenShareVideo: .screenShareVideo
        case .screenShareAudio: .screenShareAudio
        }
    }
}
