// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What the local and the remote participants have in common.
public class Participant: @unchecked Sendable {
    init() {}
}
