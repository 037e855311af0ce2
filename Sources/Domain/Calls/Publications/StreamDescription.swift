// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A codec and the RTP payload type that stands for it in one declaration.
public struct PayloadFormat: Hashable, Sendable {
    /// 0…127.
    public var payloadType: UInt8
    /// The codec.
    public var codec: MediaCodec
    /// A codec under a payload type.
    public init(payloadType: UInt8, codec: MediaCodec) {
        self.payloadType = payloadType
        self.codec = codec
    }
}

/// The codecs that a declaration can name.
public enum MediaCodec: UInt8, Hashable, Sendable, CaseIterable {
    /// Opus, RFC 7587.
    case opus = 1
    /// VP8, RFC 7741.
    case vp8 = 2
    /// H.264, RFC 6184.
    case h264 = 3
    /// Retransmission, RFC 4588.
    case rtx = 4
}

/// What a declaration tells of a stream before any of its packets.
public struct StreamDescription: Hashable, Sendable {
    /// Audio or video.
    public var kind: MediaKind
    /// What it shows or plays.
    public var source: MediaSource
    /// The track's name, at most 128 bytes.
    public var name: String
    /// The stream's SSRC.
    public var ssrc: UInt32
    /// The SSRC of its retransmissions.
    public var rtxSSRC: UInt32
    /// The payload types in use; at most 8.
    public var formats: [PayloadFormat]

    /// A stream's description.
    public init(
        kind: MediaKind, source: MediaSource, name: String, ssrc: UInt32, rtxSSRC: UInt32, formats: [PayloadFormat]
    ) {
        self.kind = kind
        self.source = source
        self.name = name
        self.ssrc = ssrc
        self.rtxSSRC = rtxSSRC
        self.formats = formats
    }
}
