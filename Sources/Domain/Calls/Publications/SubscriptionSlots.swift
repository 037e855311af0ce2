// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What a friend sends us in a call: at most one audio and one video stream, whatever they declare.
struct SubscriptionSlots: Equatable, Sendable {
    /// A friend's publication.
    struct Subscription: Equatable, Sendable {
        var id: PublicationID
        var stream: StreamDescription
        var isMuted: Bool
        var version: UInt32
    }

    /// What a declaration came to.
    enum Outcome: Equatable {
        /// It is new, and replaces another of its kind.
        case subscribed(Subscription, replacing: Subscription?)
        /// It is known; its mute flipped to this, if at all.
        case known(muted: Bool?)
        /// It is older than what is known.
        case stale
        /// It cannot be.
        case refused(Refusal)
    }

    /// Why a declaration is refused. The publisher hears nothing and gives up in time.
    enum Refusal: Equatable {
        /// An SSRC is 0, used twice, used by the friend's other stream, or ours.
        case badSSRC
        /// No payload type for this kind, one twice, or one above 127, or too many.
        case badFormats
        /// The name is too long.
        case badName
        /// Encrypted for a cryptor that we lack.
        case unknownCryptor
        /// A known publication with another stream.
        case changedStream
    }

    private var audio: Subscription?
    private var video: Subscription?
    private var lastAudio: PublicationID?
    private var lastVideo: PublicationID?

    /// Audio first.
    var all: [Subscription] { [audio, video].compactMap { $0 } }
    var ssrcs: [UInt32] { all.flatMap { [$0.stream.ssrc, $0.stream.rtxSSRC] } }

    /// The friend declares a stream; `own` are the SSRCs that we send to that friend.
    mutating func declared(_ declaration: Declaration, own: [UInt32]) -> Outcome {
        let kind = declaration.stream.kind
        if let known = self[kind], known.id == declaration.id {
            guard declaration.version >= known.version else { return .stale }
            guard declaration.stream == known.stream else { return .refused(.changedStream) }
            return .known(muted: restate(declaration.id, isMuted: declaration.isMuted, version: declaration.version))
        }
        if let last = kind == .audio ? lastAudio : lastVideo, declaration.id <= last { return .stale }
        if let refusal = refusal(of: declaration, own: own) { return .refused(refusal) }
        let subscription = Subscription(
            id: declaration.id, stream: declaration.stream, isMuted: declaration.isMuted, version: declaration.version)
        let replaced = self[kind]
        self[kind] = subscription
        if kind == .audio { lastAudio = declaration.id } else { lastVideo = declaration.id }
        return .subscribed(subscription, replacing: replaced)
    }

    /// The friend takes a stream back; nil when it is not there or the word is stale.
    mutating func withdrawn(_ id: PublicationID, version: UInt32) -> Subscription? {
        guard let known = all.first(where: { $0.id == id }), version >= known.version else { return nil }
        self[known.stream.kind] = nil
        return known
    }

    /// The friend states a stream's mute; what it flipped to, if it did.
    mutating func restate(_ id: PublicationID, isMuted: Bool, version: UInt32) -> Bool? {
        guard var known = all.first(where: { $0.id == id }), version > known.version else { return nil }
        let isFlip = known.isMuted != isMuted
        known.version = version
        known.isMuted = isMuted
        self[known.stream.kind] = known
        return isFlip ? isMuted : nil
    }

    /// The friend restates everything: what is gone, and which mutes flipped.
    mutating func reconcile(
        _ states: [PublicationState]
    ) -> (gone: [Subscription], flips: [(id: PublicationID, isMuted: Bool)]) {
        var gone: [Subscription] = []
        var flips: [(id: PublicationID, isMuted: Bool)] = []
        for known in all {
            guard let state = states.first(where: { $0.id == known.id }) else {
                self[known.stream.kind] = nil
                gone.append(known)
                continue
            }
            if let muted = restate(known.id, isMuted: state.isMuted, version: state.version) {
                flips.append((known.id, muted))
            }
        }
        return (gone, flips)
    }

    private func refusal(of declaration: Declaration, own: [UInt32]) -> Refusal? {
        let stream = declaration.stream
        let others = all.filter { $0.stream.kind != stream.kind }.flatMap { [$0.stream.ssrc, $0.stream.rtxSSRC] }
        let used = own + others
        if stream.ssrc == 0 || stream.rtxSSRC == 0 || stream.ssrc == stream.rtxSSRC || used.contains(stream.ssrc)
            || used.contains(stream.rtxSSRC)
        {
            return .badSSRC
        }
        if !Self.isAcceptable(stream.formats, for: stream.kind) { return .badFormats }
        if stream.name.utf8.count > ControlLimits.nameBytes { return .badName }
        if declaration.cryptor != nil { return .unknownCryptor }
        return nil
    }

    private static func isAcceptable(_ formats: [PayloadFormat], for kind: MediaKind) -> Bool {
        guard formats.count <= ControlLimits.formats else { return false }
        for (index, format) in formats.enumerated() {
            let isRepeated = formats[..<index].contains { $0.payloadType == format.payloadType }
            if format.payloadType > 127 || isRepeated { return false }
        }
        return formats.contains { format in
            switch (format.codec, kind) {
            case (.opus, .audio), (.vp8, .video), (.h264, .video): true
            case (.opus, .video), (.vp8, .audio), (.h264, .audio), (.rtx, _): false
            }
        }
    }

    private subscript(kind: MediaKind) -> Subscription? {
        get {
            switch kind {
            case .audio: audio
            case .video: video
            }
        }
        set {
            switch kind {
            case .audio: audio = newValue
            case .video: video = newValue
            }
        }
    }
}
