// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A stream of sound.
public class AudioTrack: Track, @unchecked Sendable {}
