// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// The size that a VP8 keyframe declares (RFC 6386 §9.1); other frames keep the one before.
struct CodedSize: Equatable, Sendable {
    var width: Int
    var height: Int

    /// Whether it is the black picture that stands for a muted camera.
    var isPlaceholder: Bool { width <= 16 && height <= 16 }

    /// The size in a keyframe's header; nil for other frames and for what is no VP8 frame.
    init?(vp8 bytes: [UInt8]) {
        guard bytes.count >= 10, bytes[0] & 1 == 0, bytes[3...5].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
        width = (Int(bytes[6]) | Int(bytes[7]) << 8) & 0x3FFF
        height = (Int(bytes[8]) | Int(bytes[9]) << 8) & 0x3FFF
    }

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// Follows a stream of encoded pictures and says of each what size it has.
struct CodedSizeTracker: Sendable {
    private var last: CodedSize?

    /// The size of this frame; nil before the first keyframe.
    mutating func size(of frame: EncodedVideoFrame) -> CodedSize? {
        if frame.width > 0, frame.height > 0 {
            last = CodedSize(width: frame.width, height: frame.height)
        } else if frame.codec == .vp8, let size = CodedSize(vp8: frame.bytes) {
            last = size
        }
        return last
    }
}
