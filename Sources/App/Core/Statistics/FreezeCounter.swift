// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// Gaps of more than a second between pictures, while pictures were due. A mute, a switched-off publication and a lost path
/// are no freezes: counting starts anew with the next picture.
struct FreezeCounter {
    private(set) var count: UInt64 = 0
    private(set) var total = Interval.zero
    private var last: Instant?

    private static let threshold = Interval.seconds(1 as Int64)

    mutating func pictureShown(at now: Instant) {
        if let last, now - last > Self.threshold {
            count += 1
            total = total + (now - last)
        }
        last = now
    }

    mutating func pause() { last = nil }
}
