// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

extension SeededGenerator {
    /// A number that is never 0.
    mutating func nonZero64() -> UInt64 {
        while true {
            let value = next()
            if value != 0 { return value }
        }
    }

    /// An identifier that is never all zero.
    mutating func wireID() -> WireID { WireID(high: nonZero64(), low: next()) }

    /// 32 random bits.
    mutating func next32() -> UInt32 { UInt32(truncatingIfNeeded: next() >> 32) }
}
