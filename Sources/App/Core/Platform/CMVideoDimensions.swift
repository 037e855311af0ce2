// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A picture's size in pixels.
public struct CMVideoDimensions: Sendable, Hashable {
    /// Pixels across.
    public var width: Int32
    /// Pixels down.
    public var height: Int32

    /// 0 × 0.
    public init() { self.init(width: 0, height: 0) }

    /// A size.
    public init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }
}
