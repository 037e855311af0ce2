// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueContracts
import RevueDispatch
import RevuePorts
import RevueTime
import Testing

@testable import RevueTox

/// Every promise of the transport port, kept by real toxcore peers on loopback, all at the same time.
struct ToxContractTests {
    private static let labs = Locked(UInt16(0))

    /// Each lab is a small network of its own: peers that come and go on each other's ports would not be found.
    static let contract = TransportContract {
        let node = try ToxNode(ports: 34_600...34_999)
        let first = labs.withLock { count in
            count += 1
            return 35_000 + count * 20
        }
        var configuration = ToxPeer.lab(node)
        (configuration.startPort, configuration.endPort) = (first, first + 19)
        let time = ContractTime.real(DispatchScheduler(), tolerance: .seconds(5))
        return TransportContract.Lab(time: time, configuration: configuration, patience: .seconds(40)) { _ in
            withExtendedLifetime(node) { ToxTransport() }
        }
    }

    @Test(arguments: contract.promises)
    func `the transport over Tox`(keeps promise: Promise) async throws { try await promise.check() }
}
