// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import Foundation
import RevueDomain
import RevuePorts

/// One stream of audio or video: a camera, a microphone, a shared screen, or what an app or a friend sends.
public class Track: ObservableObject, Identifiable, @unchecked Sendable {
    // SAFETY: every stored property is immutable, a `Published` or a `Locked`, which guard themselves.

    /// Audio or video.
    public let kind: Kind
    /// What it shows or plays.
    public let source: Source
    /// Its name; on a track from a friend, the name that the friend gave it.
    public let name: String
    /// Names this track on this device only.
    public let sid: String
    /// Hears of this track's own events, on main.
    public let delegates = MulticastDelegate<any TrackDelegate>()

    /// Whether its data is held back for everyone: a muted track sends the placeholder or silence.
    @Published public internal(set) var isMuted = false
    /// Whether it is switched on; on a track from a friend, whether data is being received.
    @Published public internal(set) var trackState = TrackState.stopped
    /// The size of its pictures; nil until the first one, and for audio.
    @Published public internal(set) var dimensions: CMVideoDimensions?
    /// The latest statistics; nil until `Room.reportStatistics` has collected some.
    @Published public internal(set) var statistics: TrackStatistics?

    /// The track in the domain.
    let trackID: TrackID

    init(kind: Kind, source: Source, name: String, sid: String? = nil) {
        self.kind = kind
        self.source = source
        self.name = name
        trackID = Self.nextID()
        self.sid = sid ?? "\(name)-\(UUID().uuidString.prefix(8))"
    }

    /// The same as `sid`.
    public var id: String { sid }

    /// Width over height; 1 while the size is unknown.
    public var aspectRatio: CGFloat {
        guard let dimensions, dimensions.width > 0, dimensions.height > 0 else { return 1 }
        return CGFloat(dimensions.width) / CGFloat(dimensions.height)
    }

    /// Takes the size of a picture that passes; runs on the thread of the picture.
    func measure(_ picture: PixelBuffer) {
        let size = CMVideoDimensions(width: Int32(picture.width), height: Int32(picture.height))
        if dimensions != size { dimensions = size }
    }

    private static let lastID = Locked(UInt64(0))

    private static func nextID() -> TrackID {
        lastID.withLock { last in
            last += 1
            return TrackID(rawValue: last)
        }
    }
}
