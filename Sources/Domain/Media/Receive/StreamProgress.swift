// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// How far the stream has come, in timestamps.
struct StreamProgress {
    var delivered: Int64?
    /// The oldest frame begun and not handed out, among those without which the stream cannot go on.
    var pending: Int64?
    var newest: Int64?
    var newestEssential: Int64?

    mutating func received(_ timestamp: Int64, isEssential: Bool) {
        newest = max(newest ?? timestamp, timestamp)
        guard isEssential else { return }
        newestEssential = max(newestEssential ?? timestamp, timestamp)
        if timestamp > delivered ?? .min { pending = min(pending ?? timestamp, timestamp) }
    }

    mutating func delivered(_ timestamp: Int64) {
        // Frames go out in order: a smaller timestamp is a new time base.
        if timestamp < delivered ?? .min { (newest, newestEssential) = (timestamp, timestamp) }
        delivered = timestamp
        pending = newestEssential.flatMap { $0 > timestamp ? $0 : nil }
    }

    /// Whether a frame was begun that a later one has overtaken.
    var isOvertaken: Bool {
        guard let pending, let newest else { return false }
        return newest > pending
    }
}
