// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Sound from a friend.
public class RemoteAudioTrack: AudioTrack, @unchecked Sendable {}
