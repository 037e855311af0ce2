// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What this device sends to one participant.
public class LocalTrackPublication: TrackPublication, @unchecked Sendable {}
