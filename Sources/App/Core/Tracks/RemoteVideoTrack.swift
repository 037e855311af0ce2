// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Pictures from a friend.
public class RemoteVideoTrack: VideoTrack, @unchecked Sendable {}
