// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The video codecs that have an RTP payload format.
public enum VideoPayloadCodec: UInt8, Hashable, Sendable, CaseIterable {
    /// VP8, RFC 7741.
    case vp8
    /// H.264, RFC 6184. Declared and refused so far: its packets count as `unknownPayload`, its frames as unsupported.
    case h264
}

/// Which payload type stands for which codec in one received stream; at most 8.
public struct VideoFormats: Hashable, Sendable {
    /// A codec under a payload type.
    public struct Format: Hashable, Sendable {
        /// 0…127.
        public var payloadType: UInt8
        /// The codec.
        public var codec: VideoPayloadCodec
        /// The payload type of the same packets sent again; nil: they are not.
        public var retransmission: UInt8?
        /// A codec under a payload type, and under another when sent again.
        public init(payloadType: UInt8, codec: VideoPayloadCodec, retransmission: UInt8? = nil) {
            self.payloadType = payloadType
            self.codec = codec
            self.retransmission = retransmission
        }
    }

    /// Most formats kept.
    public static let maximumCount = 8
    /// The formats, in the order of declaration.
    public private(set) var formats: [Format] = []

    /// The formats given; what comes after the eighth is left out.
    public init(_ formats: [Format]) { self.formats = Array(formats.prefix(Self.maximumCount)) }

    /// Our own: VP8 as 96, H.264 as 97, sent again as 98 and 99.
    public static let standard = VideoFormats([
        Format(payloadType: MediaPayload.vp8.rawValue, codec: .vp8, retransmission: MediaPayload.rtxVP8.rawValue),
        Format(payloadType: MediaPayload.h264.rawValue, codec: .h264, retransmission: MediaPayload.rtxH264.rawValue),
    ])

    /// The codec that a payload type stands for.
    public func codec(of payloadType: UInt8) -> VideoPayloadCodec? {
        for format in formats where format.payloadType == payloadType { return format.codec }
        return nil
    }

    /// The payload type that packets of this one had when they were sent first.
    func original(of retransmission: UInt8) -> UInt8? {
        for format in formats where format.retransmission == retransmission { return format.payloadType }
        return nil
    }
}
