// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Friends: requests, invitations, messages.
public final class FriendManager: @unchecked Sendable {
    init() {}
}
