// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

/// What one direction of a link does to what passes.
public struct LinkConditions: Sendable, Hashable {
    /// Time from one end to the other.
    public var delay: Interval
    /// Up to this much is added to the delay of each datagram, evenly spread. Jitter alone does not change their order.
    public var jitter: Interval
    /// Datagrams that are lost, in percent: 0…100.
    public var lossPercent: Double
    /// Datagrams that arrive `reorderingDelay` late, so that later ones overtake them, in percent: 0…100.
    public var reorderingPercent: Double
    /// How late a reordered datagram is.
    public var reorderingDelay: Interval
    /// Datagrams that arrive twice, in percent: 0…100.
    public var duplicationPercent: Double
    /// Bits per second, headers of IP and UDP included; nil = no limit.
    public var bandwidth: Int?
    /// Bytes that wait for the bandwidth; what does not fit is lost.
    public var queueBytes: Int
    /// Whether nothing passes at all.
    public var isPartitioned: Bool

    /// Conditions; unless told otherwise those of a clean link, 1 ms long.
    public init(
        delay: Interval = .milliseconds(1), jitter: Interval = .zero, lossPercent: Double = 0,
        reorderingPercent: Double = 0, reorderingDelay: Interval = .milliseconds(20), duplicationPercent: Double = 0,
        bandwidth: Int? = nil, queueBytes: Int = 65_536, isPartitioned: Bool = false
    ) {
        self.delay = delay
        self.jitter = jitter
        self.lossPercent = lossPercent
        self.reorderingPercent = reorderingPercent
        self.reorderingDelay = reorderingDelay
        self.duplicationPercent = duplicationPercent
        self.bandwidth = bandwidth
        self.queueBytes = queueBytes
        self.isPartitioned = isPartitioned
    }

    /// Nothing lost, 1 ms long.
    public static let clean = LinkConditions()
}

/// What happened to the datagrams of one direction of a link.
public struct LinkStatistics: Sendable, Hashable {
    /// Datagrams that were sent.
    public var sent = 0
    /// Their bytes, without headers.
    public var sentBytes = 0
    /// Datagrams lost by chance, by a partition or because no session carried them.
    public var lost = 0
    /// Datagrams lost because the queue was full.
    public var overflowed = 0
    /// Datagrams on their way or delivered, each copy counted.
    public var carried = 0
    /// Nothing yet.
    public init() {}
}
