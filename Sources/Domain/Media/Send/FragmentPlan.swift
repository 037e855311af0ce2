// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Cuts a frame into the fewest fragments that fit, whose sizes differ by at most one byte.
///
/// Equal fragments make equal packets: a small last one would cost a header and gain nothing.
struct FragmentPlan: Hashable, Sendable {
    private let total: Int
    private let count: Int
    private var index = 0
    private var offset = 0

    init(byteCount: Int, capacity: Int) {
        total = max(0, byteCount)
        count = (total + capacity - 1) / capacity
    }

    var isFirst: Bool { index == 0 }
    var isLast: Bool { index == count - 1 }
    var byteCount: Int { total }

    /// The next fragment's place in the frame; nil when the frame is done.
    var current: Range<Int>? {
        guard index < count else { return nil }
        return offset..<offset + total / count + (index < total % count ? 1 : 0)
    }

    mutating func advance() {
        guard let current else { return }
        offset = current.upperBound
        index += 1
    }
}
