// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CToxcore
import RevueDomain
import RevuePorts
import RevueTime

extension ToxSession {
    /// Asks every node with a known address, and looks the others up.
    func startBootstrap(at now: Instant) {
        bootstrap.restart()
        continueBootstrap(at: now)
    }

    func continueBootstrap(at now: Instant) {
        if bootstrap.isRoundDue(at: now, timing: timing) { askNodes(Array(bootstrap.entries.indices)) }
        for index in bootstrap.startLookups(at: now) {
            let mailbox = mailbox
            let host = bootstrap.entries[index].node.host
            let isStarted = NodeResolver.resolve(host, ipv6: usesIPv6) { addresses in
                mailbox.post(.resolved(node: index, addresses: addresses))
            }
            if !isStarted { resolved(node: index, addresses: [], at: now) }
        }
    }

    func resolved(node index: Int, addresses: [String], at now: Instant) {
        if bootstrap.lookedUp(index, addresses: addresses, at: now, timing: timing) {
            askNodes([index])
        } else {
            count { $0.failedLookups += 1 }
        }
    }

    /// Tells toxcore of nodes as DHT contacts and as relays. Numeric addresses only: nothing here waits.
    private func askNodes(_ indices: [Int]) {
        for index in indices {
            let entry = bootstrap.entries[index]
            let key = entry.node.publicKey.bytes
            for address in entry.addresses {
                // Without UDP this still gives the onion its first hops.
                tox_bootstrap(handle.pointer, address, entry.node.port, key, nil)
                if configuration.tcpRelayEnabled, let port = entry.node.tcpRelayPort {
                    tox_add_tcp_relay(handle.pointer, address, port, key, nil)
                }
            }
        }
        count { $0.bootstraps += 1 }
    }

    /// The machine slept: peers have timed us out while toxcore, whose clock stood still, believes in its connections.
    func wokeFromSleep(at now: Instant) {
        startBootstrap(at: now)
        patience = Patience(length: timing.firstPatience, since: now)
    }

    /// No friend came for long: makes the instance anew, as the same identity under a new DHT key.
    ///
    /// toxcore looks ever more seldom for friends who stay away, and a pair that restarted together may never meet again
    /// over its old DHT entries. Nobody is connected here, so nothing is lost but some seconds of being online.
    func rebuild(at now: Instant) {
        patience = Patience(length: min(patience.length * 2, timing.lastPatience), since: now)
        // The old instance stays until the new one is there, so that it gets another port: see `docs/tox.md`.
        guard let made = try? Self.load(configuration, savedata: handle.savedata) else { return }
        for number in peers.keys.sorted() { failTexts(of: number) }
        handle = made
        receipts = [:]
        adopt()
        count { $0.rebuilds += 1 }
        if reachability != .offline {
            reachability = .offline
            bootstrap.reachabilityChanged(isOnline: false, at: now, timing: timing)
            report(.selfReachability(.offline))
        }
        startBootstrap(at: now)
    }
}
