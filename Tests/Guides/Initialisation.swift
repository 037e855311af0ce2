// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueSDK

@MainActor func start(_ revue: Revue, license: Data, key: String) async throws {
    var configuration = Revue.Configuration(
        bootstrapNodes: [Revue.BootstrapNode(address: "node.example.org", publicKey: key, tcpRelayPort: 33445)],
        licenseData: license)
    configuration.savedataFileName = "work.bin"
    configuration.networkOptions.localDiscoveryEnabled = false

    do {
        try revue.initialize(configuration)
    } catch RevueInitError.waitingForDestroy {
        // It runs already: nothing was changed.
    } catch let error as RevueInitError {
        print(error.localizedDescription)
    }

    await revue.destroy()
}

@MainActor func startTwo(license: Data) throws {
    let home = Revue()
    let office = Revue()
    try home.initialize(.init(savedataFileName: "home.bin", bootstrapNodes: [], licenseData: license))
    try office.initialize(.init(savedataFileName: "office.bin", bootstrapNodes: [], licenseData: license))
}
