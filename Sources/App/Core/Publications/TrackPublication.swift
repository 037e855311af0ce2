// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// One participant's copy of a track.
public class TrackPublication: @unchecked Sendable {
    init() {}
}
