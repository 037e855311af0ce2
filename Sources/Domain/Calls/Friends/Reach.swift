// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Which paths to a friend work: what the transport says, unless silence in a call has proved it wrong.
///
/// Once silence has emptied the paths, a received packet alone fills them again while the call lasts. After the call the
/// transport may also fill them, but only by reporting anew.
struct Reach: Equatable, Sendable {
    /// Whose word counts.
    private enum Belief: Equatable, Sendable {
        /// The transport's.
        case transport
        /// Nothing was heard: no path works.
        case silence
        /// Packets arrive although the transport knows no path.
        case packets
    }

    private var claimed: Paths = []
    private var belief = Belief.transport

    /// The paths that work.
    var paths: Paths {
        switch belief {
        case .transport: claimed
        case .silence: []
        case .packets: claimed.isEmpty ? .udpDirect : claimed
        }
    }

    /// Whether the transport claims a path that silence has disproved: worth a try.
    var isDoubted: Bool { belief == .silence && !claimed.isEmpty }

    /// The transport reports paths, in a call or outside one.
    mutating func reported(_ paths: Paths, inCall: Bool) {
        claimed = paths
        switch (belief, inCall) {
        case (.transport, true): if paths.isEmpty { belief = .silence }
        case (.packets, true): belief = paths.isEmpty ? .silence : .transport
        case (.silence, true): break
        case (_, false): belief = .transport
        }
    }

    /// Nothing was heard in a call for too long.
    mutating func fellSilent() { belief = .silence }

    /// A fresh packet arrived.
    mutating func heard(inCall: Bool) {
        guard belief == .silence || inCall && paths.isEmpty else { return }
        belief = claimed.isEmpty && inCall ? .packets : .transport
    }

    /// A call ended: without packets to expect, the transport's word counts again, except that silence stays proved.
    mutating func callEnded() {
        if belief == .packets { belief = .transport }
    }
}
