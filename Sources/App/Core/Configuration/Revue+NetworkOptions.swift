// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

extension Revue {
    /// Transports, ports and path switching. Read once, by `initialize(_:)`.
    ///
    /// Two users who share no transport never reach each other. Over Tox a transport that is switched off is not used by
    /// us; relays that friends name may still carry what they send. There are no UDP relays, and no path switching, yet:
    /// those values are checked, and `initialize(_:)` says in the log that they have no effect.
    public nonisolated struct NetworkOptions: Sendable, Hashable {
        /// Whether friends are reached directly over UDP.
        public var enableUdpDirect: Bool
        /// Whether friends are reached through TCP relays. The own connection to the network uses them all the same.
        public var enableTcpRelay: Bool
        /// Whether friends are reached through UDP relays. No effect yet; it does not count as a transport.
        public var enableUdpRelay: Bool
        /// Whether IPv6 is used.
        public var ipv6Enabled: Bool
        /// Whether peers in the local network are looked for.
        public var localDiscoveryEnabled: Bool
        /// First UDP port to try; 0 = 33,445.
        public var startPort: UInt16
        /// Last UDP port to try; 0 = 33,545.
        public var endPort: UInt16
        /// Whether media waits for a direct path to be stable before it goes back to it from a relay. A direct path
        /// that fails is left at once either way. Needs a relay. No effect yet.
        public var switchAEnabled: Bool
        /// Whether a friend who has just connected counts as reachable only once a direct path stands, or the grace
        /// period is over. No effect yet.
        public var switchBEnabled: Bool
        /// How long a direct path must be stable for `switchAEnabled`, in ms: 0 = 15,000, else at least that.
        public var switchAGracePeriodMs: UInt32
        /// How long a direct path is waited for with `switchBEnabled`, in ms: 0 = 15,000, else at least that.
        public var switchBGracePeriodMs: UInt32

        /// Options. They are checked by `initialize(_:)`.
        public init(
            enableUdpDirect: Bool = true, enableTcpRelay: Bool = true, enableUdpRelay: Bool = true,
            ipv6Enabled: Bool = true, localDiscoveryEnabled: Bool = true, startPort: UInt16 = 0, endPort: UInt16 = 0,
            switchAEnabled: Bool = false, switchBEnabled: Bool = false, switchAGracePeriodMs: UInt32 = 0,
            switchBGracePeriodMs: UInt32 = 0
        ) {
            self.enableUdpDirect = enableUdpDirect
            self.enableTcpRelay = enableTcpRelay
            self.enableUdpRelay = enableUdpRelay
            self.ipv6Enabled = ipv6Enabled
            self.localDiscoveryEnabled = localDiscoveryEnabled
            self.startPort = startPort
            self.endPort = endPort
            self.switchAEnabled = switchAEnabled
            self.switchBEnabled = switchBEnabled
            self.switchAGracePeriodMs = switchAGracePeriodMs
            self.switchBGracePeriodMs = switchBGracePeriodMs
        }

        /// Every transport, default ports, no switching rules.
        public static var `default`: NetworkOptions { NetworkOptions() }
    }
}

extension Revue.NetworkOptions {
    static let minimumGracePeriodMs: UInt32 = 15_000
    static let defaultPorts: ClosedRange<UInt16> = 33_445...33_545

    /// The UDP ports to try; nil when the first is above the last.
    var ports: ClosedRange<UInt16>? {
        switch (startPort, endPort) {
        case (0, 0): return Self.defaultPorts
        case (0, let last): return min(Self.defaultPorts.lowerBound, last)...last
        case (let first, 0): return first...max(first, Self.defaultPorts.upperBound)
        case (let first, let last): return first <= last ? first...last : nil
        }
    }

    /// Throws for the first rule that the options break.
    func validate() throws(RevueInitError) {
        // A UDP relay alone carries nothing while there are none.
        guard enableUdpDirect || enableTcpRelay else { throw .invalidTransportConfig }
        guard !switchAEnabled || enableUdpRelay || enableTcpRelay else { throw .invalidTransportConfig }
        for period in [switchAGracePeriodMs, switchBGracePeriodMs] {
            guard period == 0 || period >= Self.minimumGracePeriodMs else { throw .gracePeriodTooShort }
        }
        guard ports != nil else { throw .invalidConfiguration }
    }
}
