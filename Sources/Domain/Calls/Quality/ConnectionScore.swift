// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// How good a connection to one peer is, judged once a second from round trip, jitter and loss.
///
/// score = 100 − delay − loss, after LiveKit's scorer. With d = RTT/2 + 2·jitter in milliseconds the delay costs d/40 up to
/// 160 ms and (d − 120)/10 above; a percent of lost packets costs 5 (between Opus with redundancy, 5.3, and the 4 of
/// redundant audio: whatever is sent, the user notices). A fall shows at once to four fifths, a rise to two fifths a second.
public struct ConnectionScore: Equatable, Sendable {
    /// The level that a score stands for.
    public enum Level: UInt8, Equatable, Sendable, CaseIterable {
        /// No statistics yet.
        case unknown = 0
        /// At most 25.
        case bad
        /// Above 25, at most 45.
        case poor
        /// Above 45, at most 65.
        case fair
        /// Above 65, at most 85.
        case good
        /// Above 85.
        case excellent
    }

    /// What was measured in the last second.
    public struct Sample: Equatable, Sendable {
        /// Round trip in milliseconds.
        public var roundTrip: Double
        /// Interarrival jitter in milliseconds.
        public var jitter: Double
        /// Lost packets in percent, 0…100.
        public var lossPercent: Double
        /// A sample.
        public init(roundTrip: Double, jitter: Double, lossPercent: Double) {
            self.roundTrip = roundTrip
            self.jitter = jitter
            self.lossPercent = lossPercent
        }

        /// The score of this second alone, 0…100.
        public var score: Double {
            let delay = max(0, roundTrip / 2 + 2 * jitter)
            let delayCost = delay > 160 ? (delay - 120) / 10 : delay / 40
            return min(100, max(0, 100 - delayCost - 5 * max(0, lossPercent)))
        }
    }

    /// Part of the way to a lower score that a second goes.
    static let fall = 0.8
    /// Part of the way to a higher score that a second goes.
    static let rise = 0.4

    private var smoothed: Double?

    /// No statistics yet.
    public init() {}

    /// The score, 0…100; nil before the first sample.
    public var value: Double? { smoothed }

    /// The level now.
    public var level: Level { smoothed.map(Self.level(of:)) ?? .unknown }

    /// Takes a second's sample; nil while nothing reliable is known, which forgets what was.
    public mutating func update(_ sample: Sample?) {
        guard let sample else {
            smoothed = nil
            return
        }
        guard let old = smoothed else {
            smoothed = sample.score
            return
        }
        let factor = sample.score < old ? Self.fall : Self.rise
        smoothed = old + (sample.score - old) * factor
    }

    /// The level of a score.
    public static func level(of score: Double) -> Level {
        switch score {
        case ..<25.000001: .bad
        case ..<45.000001: .poor
        case ..<65.000001: .fair
        case ..<85.000001: .good
        default: .excellent
        }
    }
}
