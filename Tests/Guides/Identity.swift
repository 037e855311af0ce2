// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Foundation
import RevueSDK

@MainActor func open(_ revue: Revue, license: Data, password: String) throws {
    let configuration = Revue.Configuration(
        savedataFileName: "private.bin", savedataPassword: password, bootstrapNodes: [], licenseData: license)
    do {
        try revue.initialize(configuration)
    } catch RevueInitError.initFailed(code: -40) {
        print("This is not the password, or the file was damaged")
    } catch RevueInitError.initFailed(code: -41) {
        print("The file needs a password")
    }
}

@MainActor func forget(_ revue: Revue) async {
    await revue.destroy(Revue.DestroyOptions(deleteSavedata: true))
}
