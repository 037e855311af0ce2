// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// How much a line of the log matters, from most to least detailed.
public enum RevueLogLevel: Int32, Sendable, Comparable {
    /// Each packet.
    case trace = 0
    /// Each decision.
    case debug = 1
    /// Each change that a user would name.
    case info = 2
    /// Something is wrong, but handled.
    case warning = 3
    /// Something failed.
    case error = 4

    /// The level in capitals, such as `WARNING`.
    public var name: String {
        switch self {
        case .trace: "TRACE"
        case .debug: "DEBUG"
        case .info: "INFO"
        case .warning: "WARNING"
        case .error: "ERROR"
        }
    }

    /// Whether the left level is the more detailed one.
    public static func < (left: RevueLogLevel, right: RevueLogLevel) -> Bool { left.rawValue < right.rawValue }
}
