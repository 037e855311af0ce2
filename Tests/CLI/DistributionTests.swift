// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Testing

@testable import revue

@Suite struct DistributionTests {
    @Test(arguments: [(0.0, 1.0), (1, 1), (50, 5), (51, 6), (95, 10), (100, 10), (-5, 1), (200, 10)])
    func `a percentile is the nearest rank`(percent: Double, value: Double) {
        #expect(Distribution([3, 1, 2, 10, 9, 8, 7, 6, 5, 4]).percentile(percent) == value)
    }

    @Test func `no samples have no figures`() {
        let empty = Distribution([.nan])
        #expect(empty.percentile(50) == nil && empty.mean == nil && empty.maximum == nil && empty.count == 0)
    }

    @Test func `mean and ends are those of the samples`() {
        let some = Distribution([2, 4, 9])
        #expect(some.mean == 5 && some.minimum == 2 && some.maximum == 9 && some.median == 4)
    }
}
