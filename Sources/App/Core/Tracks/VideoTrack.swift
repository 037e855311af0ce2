// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A stream of pictures.
public class VideoTrack: Track, @unchecked Sendable {}
