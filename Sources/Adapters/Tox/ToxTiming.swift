// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// The adapter's own times.
struct ToxTiming: Sendable {
    /// A shorter wait between iterations while datagrams flow through a relay whose socket is not known.
    var relayedInterval = Interval.milliseconds(5)
    /// How long after a datagram the traffic counts as flowing.
    var trafficMemory = Interval.seconds(2)
    /// First wait before the bootstrap nodes are asked again while offline; doubles.
    var firstBootstrapRetry = Interval.seconds(5)
    /// Longest such wait.
    var lastBootstrapRetry = Interval.seconds(60)
    /// First wait before a failed host look-up is tried again; doubles up to `lastBootstrapRetry`.
    var firstLookupRetry = Interval.seconds(1)
    /// A gap between two iterations that means the machine slept.
    var sleepGap = Interval.seconds(10)
    /// How long no friend may be connected before the instance is made anew; doubles.
    var firstPatience = Interval.seconds(60)
    /// Longest such wait.
    var lastPatience = Interval.seconds(1_800)
    /// How long changes of friends' profiles are gathered before they are reported as worth saving.
    var profileSettling = Interval.seconds(2)
    /// After coming online, and then every so often, the known nodes are worth saving.
    var nodesSettling = Interval.seconds(30)
    /// Between two saves of the known nodes.
    var nodesInterval = Interval.seconds(600)
}
