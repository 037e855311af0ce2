// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

@_exported public import RevueCore

extension Revue {
    /// The ready-made instance, on `Adapters.default`.
    public nonisolated static let shared = Revue()

    /// An independent instance on `Adapters.default`: its own identity, room and transport.
    public nonisolated convenience init() { self.init(adapters: .default) }
}

extension Room {
    /// The room of `Revue.shared`.
    public static let shared = Revue.shared.room
}
