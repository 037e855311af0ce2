// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import Foundation

/// A line of the log.
public struct RevueLogEntry: Sendable, Equatable {
    /// How much it matters.
    public let level: RevueLogLevel
    /// The part of the SDK that wrote it, such as `transport` or `presence`.
    public let source: String
    /// The sentence.
    public let message: String
    /// When it was written.
    public let timestamp: Date
    /// The source file that wrote it, when known.
    public let file: String?
    /// The line in that file, when known.
    public let line: UInt32?
    /// The function that wrote it, when known.
    public let function: String?

    /// A line.
    public init(
        level: RevueLogLevel, source: String, message: String, timestamp: Date = Date(), file: String? = nil,
        line: UInt32? = nil, function: String? = nil
    ) {
        self.level = level
        self.source = source
        self.message = message
        self.timestamp = timestamp
        self.file = file
        self.line = line
        self.function = function
    }
}
