// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// A whole encoded picture, as received.
public struct IncomingVideoFrame: Hashable, Sendable {
    /// The codec of the bytes.
    public var codec: VideoPayloadCodec
    /// The codec's own bytes.
    public var bytes: [UInt8]
    /// Whether it needs no other frame.
    public var isKeyframe: Bool
    /// 0 = base layer, …3.
    public var temporalLayer: Int
    /// The capture time in ticks of 90 kHz, unwrapped.
    public var timestamp: Int64
    /// The capture time by the sender's wall clock, NTP 32.32; nil when the sender does not tell.
    public var captureNTP: UInt64?
    /// Whether the picture stands for a muted camera.
    public var isPlaceholder: Bool
    /// When its last missing packet came.
    public var completedAt: Instant
}

/// A frame put together, with what it depends on.
struct AssembledFrame {
    var frame: IncomingVideoFrame
    /// The numbers of its packets, padding right after it included.
    var sequences: ClosedRange<Int64>
    var dependency: Dependency

    enum Dependency: Hashable {
        /// Needs nothing. The layer's index lets later frames refer to it.
        case none(picture: Int64?, baseIndex: Int64?)
        /// Needs the picture before it.
        case previous(picture: Int64?)
        /// Has a place among temporal layers.
        case layered(picture: Int64?, baseIndex: Int64, layer: VP8Descriptor.Layer)
    }

    /// Whether the stream cannot go on for long without it.
    var isEssential: Bool {
        switch dependency {
        case .none, .previous: true
        case .layered(_, _, let layer): layer.temporal == 0
        }
    }
}
