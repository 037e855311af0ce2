// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// An instance of the SDK: an identity, its friends and its room. `Revue.shared` is one ready-made; `Revue()` makes more.
@MainActor public class Revue {
    nonisolated init() {}
}
