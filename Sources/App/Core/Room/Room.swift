// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Everyone in a call with this instance: the local participant and each connected friend.
public class Room: @unchecked Sendable {
    init() {}
}
