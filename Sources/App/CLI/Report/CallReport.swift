// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// All that a demonstration call showed: what happened when, how it measured, and whether that is good enough.
struct CallReport {
    /// Something that happened.
    struct Step {
        /// Seconds since the start.
        var time: Double
        var who: String
        var text: String
    }

    /// One direction of the call.
    struct Direction {
        var title: String
        /// How it was published.
        var options: String
        /// One row a second of the call.
        var seconds: [SecondSample]
        /// When its camera was muted, in seconds of the call.
        var muted: [ClosedRange<Double>]
    }

    /// A figure and what it must be.
    struct Check {
        var name: String
        var measured: String
        var limit: String
        var passed: Bool
    }

    var title: String
    var steps: [Step]
    var directions: [Direction]
    /// Row names and one value a direction.
    var table: TextTable
    var checks: [Check]
    /// How the figures were made, a sentence each.
    var method: [String]
    /// A PNG file's bytes as Base64.
    var snapshot: String?

    var failed: [Check] { checks.filter { !$0.passed } }
}

/// What a receiver saw within one second.
struct SecondSample: Codable, Equatable, Sendable {
    /// Seconds since the call was connected, at the second's end.
    var time: Double
    /// Pictures shown.
    var fps: Double
    /// Encoded picture and sound bytes that reached the decoders, in kbit/s.
    var kilobits: Double
    /// Glass to glass in milliseconds; nil when nothing was shown.
    var latencyMedian: Double?
    var latencyP95: Double?
    /// Processor time of the whole process in percent of one core.
    var cpu: Double
}
