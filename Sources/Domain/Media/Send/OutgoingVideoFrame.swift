// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// What the packetiser needs to know of an encoded picture besides its bytes.
public struct OutgoingVideoFrame: Hashable, Sendable {
    /// The codec of the bytes.
    public var codec: VideoPayloadCodec
    /// Whether the frame needs no other.
    public var isKeyframe: Bool
    /// 0…3; 0 = base layer. A keyframe is in the base layer whatever this says.
    public var temporalLayer: Int
    /// Whether the frame depends on the base layer alone.
    public var isLayerSync: Bool
    /// Whether the encoder makes temporal layers at all.
    public var usesLayers: Bool
    /// When the picture was captured: gives the RTP timestamp.
    public var captureTime: Instant
    /// The same by the wall clock, NTP 32.32, for the receiver.
    public var captureNTP: UInt64
    /// Whether the picture stands for a muted camera: sets the mute flag.
    public var isPlaceholder: Bool

    /// A frame's description.
    public init(
        codec: VideoPayloadCodec, isKeyframe: Bool, temporalLayer: Int = 0, isLayerSync: Bool = false,
        usesLayers: Bool = false, captureTime: Instant, captureNTP: UInt64, isPlaceholder: Bool = false
    ) {
        self.codec = codec
        self.isKeyframe = isKeyframe
        self.temporalLayer = temporalLayer
        self.isLayerSync = isLayerSync
        self.usesLayers = usesLayers
        self.captureTime = captureTime
        self.captureNTP = captureNTP
        self.isPlaceholder = isPlaceholder
    }
}
