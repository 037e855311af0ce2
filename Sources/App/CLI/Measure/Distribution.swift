// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Samples of one quantity, and what is usually asked of them.
struct Distribution: Equatable, Sendable {
    /// In ascending order.
    private let sorted: [Double]

    /// NaN is left out.
    init(_ samples: some Sequence<Double>) { sorted = samples.filter { !$0.isNaN }.sorted() }

    var count: Int { sorted.count }
    var minimum: Double? { sorted.first }
    var maximum: Double? { sorted.last }
    var mean: Double? { sorted.isEmpty ? nil : sorted.reduce(0, +) / Double(sorted.count) }
    var median: Double? { percentile(50) }

    /// The smallest sample that at least `percent` of all samples do not exceed (nearest rank); nil without samples.
    func percentile(_ percent: Double) -> Double? {
        guard !sorted.isEmpty else { return nil }
        let rank = (min(max(percent, 0), 100) / 100 * Double(sorted.count)).rounded(.up)
        return sorted[max(0, Int(rank) - 1)]
    }
}
