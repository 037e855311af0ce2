// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What a transport has counted since it was made; for statistics and the log.
public struct ToxCounters: Sendable, Hashable {
    /// Datagrams that toxcore took.
    public var datagramsSent = 0
    /// Datagrams that were delivered to the delegate.
    public var datagramsReceived = 0
    /// Received packets without a valid start ('R' or 128…191), or longer than the limit.
    public var unknownStarts = 0
    /// Datagrams that `send` refused because the queue was full.
    public var queueFull = 0
    /// Datagrams that toxcore refused because the friend had no working path, or that waited as the friend went away.
    public var datagramsWithoutPath = 0
    /// Texts dropped because nothing was left of them after repair.
    public var emptyTexts = 0
    /// Look-ups of a node's host name that failed.
    public var failedLookups = 0
    /// Times the bootstrap nodes were asked.
    public var bootstraps = 0
    /// Times the toxcore instance was made anew because no friend had come for long.
    public var rebuilds = 0
    /// Calls of `tox_iterate`.
    public var iterations = 0

    /// Nothing counted yet.
    public init() {}
}
