// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What a participant sends to this device.
public class RemoteTrackPublication: TrackPublication, @unchecked Sendable {}
