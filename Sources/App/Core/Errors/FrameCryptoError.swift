// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// Audio or video, where frames are encrypted.
public enum FrameMediaType: UInt32, Sendable {
    /// Sound.
    case audio = 0
    /// Pictures.
    case video = 1
}

/// A frame that could not be encrypted or decrypted. It was dropped; the call goes on.
public enum FrameCryptoError: Error, Sendable, Equatable {
    /// Encrypting failed with this code.
    case encryptFailed(mediaType: FrameMediaType, ssrc: UInt32, code: Int)
    /// Decrypting failed with this code.
    case decryptFailed(mediaType: FrameMediaType, ssrc: UInt32, code: Int)
    /// Encrypting wrote more than it had said it would.
    case bufferOversize(mediaType: FrameMediaType, ssrc: UInt32)
}
