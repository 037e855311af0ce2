// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevuePorts

/// What this device sends to one participant.
public class LocalTrackPublication: TrackPublication, @unchecked Sendable {
    // SAFETY: as in `TrackPublication`.

    /// How the video is encoded now; nil for audio.
    @Published public internal(set) var videoPublishOptions: VideoPublishOptions?
    /// How the audio was asked to be encoded; nil for video, and when nothing was asked.
    public let audioPublishOptions: AudioPublishOptions?

    /// Who receives it.
    let recipient: PeerID
    private weak let driver: SessionDriver?

    init(
        _ publication: LocalPublication, track: Track, video: VideoPublishOptions?, audio: AudioPublishOptions?,
        driver: SessionDriver
    ) {
        recipient = publication.peer
        self.driver = driver
        audioPublishOptions = audio
        super.init(
            publication.id, track: track, name: track.name, isMuted: publication.isMuted,
            mimeType: track.kind == .audio ? "audio/opus" : video.map { VideoCodecKind($0.codec.type).mimeType })
        videoPublishOptions = video
    }

    /// The size of the pictures that this recipient gets; nil for audio and before the first one.
    public override var dimensions: CMVideoDimensions? {
        guard let size = driver?.media.size(of: publicationID) else { return nil }
        return CMVideoDimensions(width: Int32(size.width), height: Int32(size.height))
    }

    // MARK: - Mute

    /// Sends this recipient alone the placeholder or silence; the track and the other recipients are not touched.
    ///
    /// - Throws: `RoomError.trackNotPublished` once it is unpublished.
    public func mute() async throws { try setMuted(true) }

    /// Sends this recipient the track again, unless the track itself is muted.
    ///
    /// - Throws: `RoomError.trackNotPublished` once it is unpublished.
    public func unmute() async throws { try setMuted(false) }

    private func setMuted(_ muted: Bool) throws {
        guard let driver else { throw RoomError.trackNotPublished }
        do {
            try driver.perform { (session, now) throws(PublicationFailure) in
                try session.setMuted(muted, publication: publicationID, at: now)
            }
        } catch {
            throw RoomError.trackNotPublished
        }
    }

    // MARK: - Encoding

    /// Switches codec and settings without interrupting the call.
    ///
    /// - Throws: `RoomError.trackNotPublished`, `.invalidParameter`, or `.codecNotSupported` when this build cannot encode it.
    public func setCodec(_ codec: VideoCodec) throws {
        try change { (old) throws(RoomError) in try old.with(codec: codec) }
    }

    /// Changes the VP8 settings.
    ///
    /// - Throws: as `setCodec`, and `RoomError.codecNotSupported(codec: "vp8")` when the publication sends H.264.
    public func setVp8Encoding(_ encoding: Vp8Encoding) throws {
        try require(.vp8, named: "vp8")
        try change { (old) throws(RoomError) in try old.with(codec: .vp8(encoding)) }
    }

    /// Changes the H.264 settings.
    ///
    /// - Throws: as `setCodec`, and `RoomError.codecNotSupported(codec: "h264")` when the publication sends VP8.
    public func setH264Encoding(_ encoding: H264Encoding) throws {
        try require(.h264, named: "h264")
        try change { (old) throws(RoomError) in try old.with(codec: .h264(encoding)) }
    }

    /// Changes the most frames a second that are sent, 1…60.
    ///
    /// - Throws: `RoomError.trackNotPublished` or `.invalidParameter`.
    public func setMaxFps(_ fps: Int) throws { try change { (old) throws(RoomError) in try old.with(maxFps: fps) } }

    /// Asks the encoder for a keyframe with the next frame.
    ///
    /// - Throws: `RoomError.trackNotPublished`.
    public func requestKeyframe() throws {
        guard let driver, driver.specification(of: publicationID) != nil else { throw RoomError.trackNotPublished }
        driver.media.requestKeyframe(publicationID)
    }

    private func require(_ type: VideoCodecType, named name: String) throws {
        guard let options = videoPublishOptions, driver?.specification(of: publicationID) != nil else {
            throw RoomError.trackNotPublished
        }
        guard options.codec.type == type else { throw RoomError.codecNotSupported(codec: name) }
    }

    private func change(_ change: (VideoPublishOptions) throws(RoomError) -> VideoPublishOptions) throws {
        guard let driver, case .video(let track, let options) = driver.specification(of: publicationID) else {
            throw RoomError.trackNotPublished
        }
        let new = try change(options)
        try driver.requireEncoder(for: new.codec)
        guard driver.setSpecification(.video(track, new), of: publicationID) else { throw RoomError.trackNotPublished }
        videoPublishOptions = new
        mimeType = VideoCodecKind(new.codec.type).mimeType
    }
}

extension SessionDriver {
    func requireEncoder(for codec: VideoCodec) throws(RoomError) {
        let kind = VideoCodecKind(codec.type)
        guard adapters.videoCodecs.contains(where: { $0.codecs.contains(kind) }) else {
            throw .codecNotSupported(codec: kind == .vp8 ? "vp8" : "h264")
        }
    }
}
