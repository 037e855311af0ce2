// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueDomain
import RevueSDK
import RevueUDP

func makeLab(bob: PeerID) -> Revue {
    var adapters = Adapters.default
    adapters.makeTransport = {
        UDPTransport(
            configuration: .init(
                bind: "0.0.0.0", port: 5_004, peers: [.init(id: bob, host: "10.0.0.2", port: 5_004)]))
    }
    let revue = Revue(adapters: adapters)
    return revue
}
