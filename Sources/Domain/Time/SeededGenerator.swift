// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A small seeded random generator (xoshiro256**, seeded by SplitMix64): the same seed gives the same numbers everywhere.
///
/// Good for nonces that must merely be distinct, for jitter and for simulations. Not for keys.
public struct SeededGenerator: RandomNumberGenerator, Sendable, Equatable {
    private var a: UInt64
    private var b: UInt64
    private var c: UInt64
    private var d: UInt64

    /// A generator whose whole sequence follows from `seed`.
    public init(seed: UInt64) {
        var state = seed
        func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        (a, b, c, d) = (next(), next(), next(), next())
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        let result = rotated(b &* 5, 7) &* 9
        let t = b << 17
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        d = rotated(d, 45)
        return result
    }
}

private func rotated(_ x: UInt64, _ k: UInt64) -> UInt64 { (x << k) | (x >> (64 - k)) }
