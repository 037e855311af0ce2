// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueDomain
import RevuePorts

/// One participant's copy of a track.
public class TrackPublication: ObservableObject, Identifiable, @unchecked Sendable {
    // SAFETY: every stored property is immutable or a `Published`, which guards itself.

    /// Names this publication on this device only.
    public let sid: String
    /// Audio or video.
    public let kind: Track.Kind
    /// What the track shows or plays.
    public let source: Track.Source
    /// The track's name.
    public let name: String

    /// The track; set from the start, nil once the publication is gone.
    @Published public internal(set) var track: Track? {
        didSet { isSubscribed = track != nil }
    }
    /// Whether this copy is muted.
    @Published public internal(set) var isMuted: Bool
    /// Whether there is a track.
    @Published public internal(set) var isSubscribed = true
    /// The latest statistics of this copy; nil until `Room.reportStatistics` has collected some.
    @Published public internal(set) var statistics: TrackStatistics?
    /// The codec in use: `video/VP8`, `video/H264` or `audio/opus`; on a friend's video nil until the first frame.
    @Published public internal(set) var mimeType: String?

    /// The publication in the domain.
    let publicationID: PublicationID

    init(_ id: PublicationID, track: Track, name: String, isMuted: Bool, mimeType: String?) {
        publicationID = id
        sid = "\(name)-\(UUID().uuidString.prefix(8))"
        kind = track.kind
        source = track.source
        self.name = name
        self.isMuted = isMuted
        self.mimeType = mimeType
        self.track = track
    }

    /// The same as `sid`.
    public var id: String { sid }

    /// The size of the pictures; nil for audio and before the first picture.
    public var dimensions: CMVideoDimensions? { track?.dimensions }
}

extension VideoCodecKind {
    var mimeType: String {
        switch self {
        case .vp8: "video/VP8"
        case .h264: "video/H264"
        }
    }
}
