// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Pictures of this device.
public class LocalVideoTrack: VideoTrack, @unchecked Sendable {}
