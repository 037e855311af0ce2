// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

extension License {
    /// Judges the licence's dates.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970 by this machine's clock.
    ///   - highWater: the latest such time ever seen here: a clock turned back does not revive an expired licence.
    /// - Throws: `LicenseError.expired` when the later of both is outside `notBefore..<notAfter`.
    public func check(now: Int64, highWater: Int64) throws(LicenseError) {
        let time = max(now, highWater)
        guard time >= notBefore, time < notAfter else { throw .expired }
    }
}
