// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// One stream of audio or video.
public class Track: @unchecked Sendable {
    init() {}
}
