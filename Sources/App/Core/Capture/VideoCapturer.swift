// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// What fills a local video track.
public class VideoCapturer: @unchecked Sendable {
    init() {}
}
