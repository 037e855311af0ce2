// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueSDK

@MainActor func follow(_ revue: Revue) -> AnyCancellable {
    revue.setLogLevel([.info, .warning, .error])

    let subscription = revue.logPublisher.sink { entry in
        print(entry.level.name, entry.source, entry.message)
    }
    return subscription
}

@MainActor func followLines(_ revue: Revue) -> Task<Void, Never> {
    let lines = revue.logs
    return Task {
        for await line in lines where line.level >= .warning {
            print(line.timestamp, line.message)
        }
    }
}
