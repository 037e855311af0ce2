// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevueCore
import RevueInMemory
import Testing

@Suite @MainActor struct IdentityTests {
    @Test func `an identity outlives a destroy that follows initialize at once`() async throws {
        let world = World()
        let first = world.makePeer("alice")
        try first.start()
        let id = first.id
        var isDestroyed = false
        Task {
            await first.revue.destroy()
            isDestroyed = true
        }
        try await world.scheduler.run { isDestroyed }
        let second = world.makePeer("alice")
        try second.start()
        #expect(second.id == id)
    }
}
