// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Sound of this device.
public class LocalAudioTrack: AudioTrack, @unchecked Sendable {}
