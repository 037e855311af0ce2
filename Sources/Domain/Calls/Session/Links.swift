// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueTime

/// The control links: one to each friend that was ever spoken to, and those that still say goodbye.
struct Links: Equatable, Sendable {
    /// A link that only waits until its goodbye is acknowledged.
    struct Departure: Equatable, Sendable {
        var link: ControlLink
        var goodbye: ControlLink.Receipt
        /// The transport forgets the friend afterwards.
        var isForgetting: Bool
    }

    /// How long a goodbye may linger.
    static let linger = Interval.milliseconds(500)
    /// What we speak.
    static let hello = Hello(capabilities: [.explicitMute])

    var open = SortedTable<PeerID, ControlLink>()
    var departures = SortedTable<PeerID, Departure>()
    private var incompatible = SortedTable<PeerID, Hello>()

    func isIncompatible(_ peer: PeerID) -> Bool { incompatible.contains(peer) }

    mutating func setIncompatible(_ peer: PeerID, _ hello: Hello?) { incompatible[peer] = hello }

    mutating func forget(_ peer: PeerID) {
        open[peer] = nil
        incompatible[peer] = nil
    }
}
