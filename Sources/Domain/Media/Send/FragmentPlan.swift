// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Cuts a frame into the fewest fragments that fit, whose sizes differ by at most one byte.
///
/// Equal fragments make equal packets: a small last one would cost a header and gain nothing.
struct FragmentPlan: Hashable, Sendable {
    private let total: Int
    /// Fragments in all.
    let count: Int

    init(byteCount: Int, capacity: Int) {
        total = max(0, byteCount)
        count = (total + capacity - 1) / capacity
    }

    /// A fragment's place in the frame; nil when there is no such fragment.
    func fragment(_ index: Int) -> Range<Int>? {
        guard index >= 0, index < count else { return nil }
        let (share, rest) = (total / count, total % count)
        let start = index * share + min(index, rest)
        return start..<start + share + (index < rest ? 1 : 0)
    }
}
