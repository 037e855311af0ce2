// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueDomain
import RevueFiles
import RevueOpenSSL
import RevueTox
import RevueUDP

enum StorageTrial {
    /// Every layer reads the same bytes: each must refuse what it did not write, whoever's it is.
    static func savedata(_ input: [UInt8]) {
        _ = SavedGeneration(input)
        _ = SealedFile(input)
        _ = SavedInstance(decoding: input)
        _ = try? SavedataEnvelope(parsing: input)
        LabTrial.savedata(input)
        guard let state = StoredState(decoding: input) else { return }
        precondition(StoredState(decoding: state.encoded()) == state, "\(state) comes back otherwise")
    }

    static func licence(_ input: [UInt8]) { _ = try? Ed25519LicenseVerifier().verify(input) }

    static func labPackets(_ input: [UInt8]) { LabTrial.datagrams(DatagramScript(input).map(\.datagram)) }
}
